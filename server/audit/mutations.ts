import type { AuditKind } from "@db/event-kinds";
import type { Db, Tx } from "../../db/client";
import { auditEvents } from "../../db/schema";
import { notifyAudit } from "../realtime/notify";

export interface AuditEntry {
  kind: AuditKind;
  /** Null for the server itself. */
  actorId: string | null;
  /** Null for what belongs to the organisation, such as its repository token. */
  subjectId: string | null;
  details?: Record<string, string | number | boolean | null> | undefined;
}

/** Inserts an audit event in the transaction of the change that it records. */
export async function insertAudit(tx: Db | Tx, { kind, actorId, subjectId, details = {} }: AuditEntry): Promise<void> {
  await tx.insert(auditEvents).values({ kind, actorId, subjectId, details });
  await notifyAudit(tx);
}
