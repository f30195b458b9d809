import { bigint, index, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import type { AuditDetails } from "../audit-details";
import { AUDIT_KINDS } from "../event-kinds";
import { instant } from "./columns";

/**
 * Who did what to whom. Written in the transaction of the change, never updated. Ids have no foreign key: they stay when a
 * person is erased.
 */
export const auditEvents = pgTable(
  "audit_events",
  {
    id: bigint({ mode: "number" }).primaryKey().generatedAlwaysAsIdentity(),
    at: instant().notNull().defaultNow(),
    /** Null for the server itself, such as the first admin of an organisation. */
    actorId: uuid(),
    kind: text({ enum: AUDIT_KINDS }).notNull(),
    /** The person, or other object, that it was done to. */
    subjectId: uuid(),
    /** Facts such as the account type that was given; never a secret. */
    details: jsonb().$type<AuditDetails>().notNull().default({}),
  },
  (t) => [
    index("audit_events_subject_idx").on(t.subjectId, t.id),
    index("audit_events_actor_idx").on(t.actorId, t.id),
    index("audit_events_kind_idx").on(t.kind, t.id),
  ],
);
