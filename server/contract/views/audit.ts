import type { AuditColumns } from "@db/rows";
import type { Person } from "./people";

/** What an action was about. The organisation has no id. */
export interface AuditSubject {
  type: "person" | "project" | "inquiry" | "organisation";
  id: string | null;
  /** Of a person who is gone "Unknown User"; of anything else that is gone null. */
  name: string | null;
}

/** Who did what to whom. */
export interface AuditEvent extends Omit<AuditColumns, "actorId" | "subjectId"> {
  /** Null: the server itself. */
  actor: Person | null;
  subject: AuditSubject;
}

export interface AuditPage {
  /** Newest first, 50 a page. */
  items: AuditEvent[];
  nextCursor: string | null;
}

/** The audit has grown; it is to be read again. */
export interface AuditChange {
  hasGrown: true;
}
