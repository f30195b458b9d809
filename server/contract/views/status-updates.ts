import type { StatusUpdateColumns } from "@db/rows";
import type { Person } from "./people";

/** What was written about how a project stands; it is never changed. */
export interface StatusUpdate extends Omit<StatusUpdateColumns, "upTo" | "clientUpdateId"> {
  author: Person;
}

/** What a manager begins with: a guess at the health, and what was done, moved and committed since the last update. */
export interface StatusUpdateDraft extends Pick<StatusUpdateColumns, "health" | "text"> {
  /** Nothing later is in it: sent with the update, the next draft goes on from there. */
  upTo: string;
}

/** A status update in an export: its author by name. */
export interface ExportedStatusUpdate extends Pick<StatusUpdateColumns, "health" | "text" | "sentAt"> {
  author: string;
}
