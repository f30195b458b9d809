import { createHash } from "node:crypto";
import type { CommitMode } from "@db/client-enums";
import type { SignOffRecord } from "../contract/views";

/** What a record holds of the rows below a project. */
export type Work = Pick<SignOffRecord, "tasks" | "files"> & { commits: SignOffRecord["commits"][number] | null };

interface Described {
  /** Null: the whole project. */
  taskIds: string[] | null;
  note: string;
  askedBy: string;
  askedAt: string;
  signerId: string;
  signerName: string;
  project: SignOffRecord["project"] & { liveLink: string | null; commitMode: CommitMode };
  work: Work;
}

/** What would be signed now: of commits only what the project's clients see, so that nobody signs what they cannot see. */
export function recordOf(row: Described): SignOffRecord {
  const { taskIds, note, askedBy, askedAt, signerId, signerName, project, work } = row;
  const { id, key, title, liveLink, commitMode } = project;
  const record: SignOffRecord = {
    project: { id, key, title },
    question: note,
    askedBy,
    askedAt,
    signer: { id: signerId, name: signerName },
    scope: taskIds === null ? "project" : "tasks",
    tasks: work.tasks,
    commits: work.commits ? [work.commits] : [],
    liveLink,
    files: work.files,
  };
  return redacted(record, commitMode);
}

/** A record without what clients do not see of commits under that mode. */
export function redacted(record: SignOffRecord, mode: CommitMode): SignOffRecord {
  if (mode === "titles") return record;
  if (mode === "hidden") return { ...record, commits: [] };
  return { ...record, commits: record.commits.map((range) => ({ ...range, first: null, last: null })) };
}

const VERSION_HEX_DIGITS = 13;
/** Gives all versions as many digits: an answer's length says nothing. */
const LEAST_VERSION = 2 ** 52;

/**
 * The same number for the same record, another one for another: 52 bits of its SHA-256, so that JSON keeps it. Nothing counts it or
 * has to store it, and work that was changed and changed back is what was seen.
 */
export function versionOf(record: SignOffRecord): number {
  const digest = createHash("sha256").update(JSON.stringify(record)).digest("hex");
  return LEAST_VERSION + Number.parseInt(digest.slice(0, VERSION_HEX_DIGITS), 16);
}
