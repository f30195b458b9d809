import type { SignOffColumns } from "@db/rows";
import type * as z from "zod/mini";
import type { signOffRecordSchema } from "../sign-offs";
import type { Person } from "./people";
import type { Turn } from "./turns";

/** What is signed: it follows the work until the decision, and is never another after it. */
export type SignOffRecord = z.output<typeof signOffRecordSchema>;

/** What a client was asked to sign off. */
export interface SignOff extends Omit<SignOffColumns, "record" | "version" | "commitModeAtDeletion"> {
  record: SignOffRecord;
  /** Stands for this very record; nothing can be read out of it. Send it back with an approval: another one is a conflict. */
  version: number;
  /** What has changed since the approval; null while nothing has, and of what is not approved. */
  changedAfter: SignOffChange[] | null;
  /**
   * The client's while it is asked and the project lets them decide; the firm's once they want changes, until it asks again or the
   * project is completed; nobody's of what is approved or withdrawn, and without the project. `answerBy` is always null.
   */
  turn: Turn;
  /** Whoever asked, was asked and decided, once each, under their present names. */
  people: Person[];
  isProjectGone: boolean;
  /** Whether the reader may approve it or request changes now, and whether the reader may withdraw it. */
  canDecide: boolean;
  canWithdraw: boolean;
}

/** One difference between a record and the work: of which task, file or repository, and what it was and is. */
export interface SignOffChange {
  kind:
    | "project-deleted"
    | "project-title"
    | "task-added"
    | "task-removed"
    | "task-title"
    | "task-status"
    | "task-due-date"
    | "commits"
    | "live-link"
    | "file-added"
    | "file-removed";
  /** Of the task or file that has come or gone, whose name others may have too; null otherwise. */
  id: string | null;
  name: string;
  from: string | null;
  to: string | null;
}

/** A sign-off in an export: people by name. While it is asked, `record` is as it was asked for; the decision freezes it. */
export interface ExportedSignOff extends Pick<SignOffColumns, "note" | "status" | "askedAt" | "decidedAt" | "reason"> {
  askedBy: string;
  signer: string;
  decidedBy: string | null;
  record: SignOffRecord;
}
