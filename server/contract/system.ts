import type { BackupKind } from "@db/enums";
import * as z from "zod/mini";
import { emailSchema } from "./accounts";

export const testMailSchema = z.strictObject({ to: emailSchema });

/** What became of a test email. */
export interface TestMailResult {
  /** "written": there is no mail server, and mails are files in `DATA_DIR/outbox`. */
  outcome: "accepted" | "refused" | "written";
  /** What the mail server answered, or what went wrong on the way to it. */
  answer: string;
}

/** Something that an admin should see to: what is wrong, and what to do, in a sentence or two each. */
export interface SystemWarning {
  text: string;
  action: string;
}

/** One of the servers that share the database. */
export interface ServerProcess {
  /** New with each start. */
  id: string;
  version: string;
  node: string;
  /** The name of its machine. */
  host: string;
  startedAt: string;
  /** When it last reported; the one that answers: now. */
  seenAt: string;
  memoryBytes: number;
  sockets: number;
  eventStreams: number;
}

/** The newest backup that was tried. */
export interface LastBackup {
  /** When it ended. */
  at: string;
  kind: BackupKind;
  ok: boolean;
  /** Null for one that failed. */
  sizeBytes: number | null;
  /** Its name, without its folder. */
  file: string;
  /** Whether all of it was read back as it was written. */
  verified: boolean;
  holdsSecrets: boolean;
  /** Why it failed, in a sentence. */
  error: string | null;
}

/** How the jobs of one kind fare in all processes. */
export interface JobStatus {
  kind: string;
  /** Jobs that are due and not taken up, and for how long the oldest of them has been due. */
  waiting: number;
  lagSeconds: number;
  /** Since when every try has failed, and the kind of the last error; null while jobs succeed. */
  failingSince: string | null;
  lastError: string | null;
}

/** The servers, their database and their work, as admins see them. Settings are those of the server that answers. */
export interface SystemStatus {
  /** Of the server that answers. */
  version: string;
  node: string;
  startedAt: string;
  /** All that have reported within the last minutes, the oldest first. */
  processes: ServerProcess[];
  database: { version: string; sizeBytes: number; connections: number; maxConnections: number };
  backups: {
    last: LastBackup | null;
    /** When the next nightly one is due; null without BACKUP_DIR. */
    nextAt: string | null;
    /** One is being made, or about to be. `since` is null of a nightly one. */
    running: { since: string | null } | null;
    /** BACKUP_DIR is set. */
    isNightly: boolean;
    /** BACKUP_PASSPHRASE is set: backups hold the secrets, encrypted. */
    holdSecrets: boolean;
  };
  mail: {
    /** Mails that wait to be sent, also those that wait for another try. */
    queued: number;
    oldestAt: string | null;
    /** Of those, how many have failed at least once. */
    retrying: number;
    /** Handed to the mail server yesterday and today (UTC), and given up after two days of trying. */
    sent: number;
    givenUp: number;
    /** The kind of the last error while no mail can be sent. */
    lastError: string | null;
    /** False: each mail is a file in `DATA_DIR/outbox` and reaches nobody. */
    isConfigured: boolean;
    from: string;
  };
  jobs: JobStatus[];
  /** Open connections of all processes. */
  streams: { sockets: number; eventStreams: number };
  /** The slowest of the last hour in all processes, by `p99Ms`; at most 15. */
  procedures: { name: string; count: number; p50Ms: number; p99Ms: number }[];
  /** The most pressing first. */
  warnings: SystemWarning[];
}
