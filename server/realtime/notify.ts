import { type AnyColumn, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";

/** The one channel of the product; every process listens on it. */
export const CHANNEL = "sangam";

/**
 * What changed: a project (its people and tasks included), an account (its status, type or sessions), a conversation (its
 * messages or read marks), a repository (its commits or sync state), an inquiry, the audit log, the mail queue, or the queue of
 * repositories to read; and what no row records: `presence:<userId>` somebody turned present or away,
 * `typing:<conversationId>:<userId>` somebody types.
 */
export type Subject =
  | `project:${string}`
  | `account:${string}`
  | `conversation:${string}`
  | `repository:${string}`
  | `inquiry:${string}`
  | `presence:${string}`
  | `typing:${string}:${string}`
  | "audit"
  | "mail"
  | "readings";

/** What a watcher joins: one subject, all of a kind, what a person has just become part of, or a person's conversations. */
export type Topic =
  | Subject
  | "projects"
  | "accounts"
  | "repositories"
  | "inquiries"
  | `joined:${string}`
  | `inbox:${string}`;

/** Ids only: receivers read the rows (realtime.md). */
export interface Notification {
  subject: Subject;
  /** Topics to wake up besides the subject's own. */
  topics: Topic[];
}

/** PostgreSQL refuses payloads of 8,000 bytes; 120 topics of 46 bytes stay well below. */
const TOPICS_PER_NOTIFICATION = 120;

/**
 * Notifies of a change of a project if and when the transaction commits. `newcomers` are people who may see it only since this
 * change; its present watchers need not be named.
 */
export function notifyProject(tx: Db | Tx, { projectId, newcomers }: { projectId: string; newcomers: string[] }) {
  const joined = newcomers.map((userId): Topic => `joined:${userId}`);
  return notify(tx, { subject: `project:${projectId}`, topics: ["projects", ...joined] });
}

/** The same as part of another statement, for the project's present watchers. */
export function projectNotification(changed: { id: AnyColumn }): SQL {
  const topics = sql`json_build_array('projects')`;
  return sql`pg_notify(${CHANNEL}, json_build_object('subject', 'project:' || ${changed.id}, 'topics', ${topics})::text)`;
}

/** Notifies those who have a conversation open, and both inboxes, as part of the statement that changes it. */
export function conversationNotification(changed: {
  id: AnyColumn;
  lowerUserId: AnyColumn;
  higherUserId: AnyColumn;
}): SQL {
  const topics = sql`json_build_array('inbox:' || ${changed.lowerUserId}, 'inbox:' || ${changed.higherUserId})`;
  return sql`pg_notify(${CHANNEL}, json_build_object('subject', 'conversation:' || ${changed.id}, 'topics', ${topics})::text)`;
}

/**
 * Notifies that an account was created, decided on or lost sessions. Every stream and socket of that person, in every process,
 * then checks whether it may continue.
 */
export function notifyAccount(tx: Db | Tx, { userId }: { userId: string }) {
  return notify(tx, { subject: `account:${userId}`, topics: ["accounts"] });
}

/** Notifies that an inquiry arrived or changed its status. */
export function notifyInquiry(tx: Db | Tx, { inquiryId }: { inquiryId: string }) {
  return notify(tx, { subject: `inquiry:${inquiryId}`, topics: ["inquiries"] });
}

/** Notifies of new audit entries. */
export function notifyAudit(tx: Db | Tx) {
  return notify(tx, { subject: "audit", topics: ["audit"] });
}

/** Notifies of a queued mail. */
export function notifyMail(tx: Db | Tx) {
  return notify(tx, { subject: "mail", topics: ["mail"] });
}

/** Sends payloads, each below 8,000 bytes, to every process in order. */
export async function sendPayloads(db: Db, payloads: readonly string[]): Promise<void> {
  await db.execute(
    sql`select pg_notify(${CHANNEL}, payload) from json_array_elements_text(${JSON.stringify(payloads)}::json) as payload`,
  );
}

/**
 * Notifies that a repository has new commits or another sync state. `newcomers` are people whose projects link to it only since
 * this change.
 */
export function notifyRepository(
  tx: Db | Tx,
  { repositoryId, newcomers = [] }: { repositoryId: string; newcomers?: string[] },
) {
  const joined = newcomers.map((userId): Topic => `joined:${userId}`);
  return notify(tx, { subject: `repository:${repositoryId}`, topics: ["repositories", ...joined] });
}

/** Notifies that a repository is to be read. */
export function notifyReading(tx: Db | Tx) {
  return notify(tx, { subject: "readings", topics: ["readings"] });
}

async function notify(tx: Db | Tx, { subject, topics }: Notification): Promise<void> {
  for (let at = 0; at < topics.length; at += TOPICS_PER_NOTIFICATION) {
    const notification: Notification = { subject, topics: topics.slice(at, at + TOPICS_PER_NOTIFICATION) };
    await tx.execute(sql`select pg_notify(${CHANNEL}, ${JSON.stringify(notification)})`);
  }
}
