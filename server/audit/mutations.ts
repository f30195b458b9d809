import type { AuditDetailsOf, DetailedKind } from "@db/audit-details";
import type { AuditKind } from "@db/event-kinds";
import type { Db, Tx } from "../../db/client";
import { auditEvents } from "../../db/schema";
import { notifyAudit } from "../realtime/notify";

/** What happened: a kind, and all that it is stored with. Made as one literal, so that no other fact slips in. */
export type AuditFact =
  | { [Kind in DetailedKind]: { kind: Kind; details: AuditDetailsOf<Kind> } }[DetailedKind]
  | { kind: Exclude<AuditKind, DetailedKind>; details?: never };

export type AuditEntry = AuditFact & {
  /** Null for the server itself. */
  actorId: string | null;
  /** Null for what belongs to the organisation, such as its repository token. */
  subjectId: string | null;
};

/** Inserts an audit event in the transaction of the change that it records. */
export async function insertAudit(tx: Db | Tx, { kind, actorId, subjectId, details = {} }: AuditEntry): Promise<void> {
  await tx.insert(auditEvents).values({ kind, actorId, subjectId, details });
  await notifyAudit(tx);
}
