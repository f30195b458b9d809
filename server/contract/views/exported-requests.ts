import type { RequestColumns } from "@db/rows";

/** A request in an export: people and files by name, the task that it became by its number. */
export interface ExportedRequest
  extends Pick<RequestColumns, "title" | "text" | "urgency" | "status" | "createdAt" | "decidedAt" | "reason"> {
  author: string;
  decidedBy: string | null;
  taskNumber: number | null;
  files: string[];
  /** Oldest first. */
  thread: { author: string; text: string; createdAt: string }[];
}
