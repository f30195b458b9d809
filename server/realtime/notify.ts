import { type AnyColumn, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";

/** The one channel of the product; every process listens on it. */
export const CHANNEL = "sangam";

/**
 * What changed: a project (its people and tasks included), an account (its status, type or sessions), a conversation (its
 * messages or how far they are read), a repository (its commits, or how its reading stands), an inquiry, the audit, the mail
 * queue, or the repositories that are to be read; and what no row tells: `presence:<userId>` that somebody turned present or away,
 * `typing:<conversationId>:<userId>` that somebody types.
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

/** What a watcher listens to: one subject, all of a kind, what a person has just become part of, or a person's conversations. */
export type Topic =
  | Subject
  | "projects"
  | "accounts"
  | "repositories"
  | "inquiries"
  | `joined:${string}`
  | `inbox:${string}`;

/** A knock on the door: names only. Whoever hears it reads the rows (realtime.md). */
export interface Knock {
  subject: Subject;
  /** Topics to wake besides the subject's own. */
  topics: Topic[];
}

/** PostgreSQL refuses payloads of 8,000 bytes; 120 topics of 46 bytes stay well below. */
const TOPICS_PER_KNOCK = 120;

/**
 * Announces a change of a project when, and only when, the transaction commits. `newcomers` are people who may see it only
 * since this change; those who watch it already need no naming.
 */
export function announceProject(tx: Db | Tx, { projectId, newcomers }: { projectId: string; newcomers: string[] }) {
  const joined = newcomers.map((userId): Topic => `joined:${userId}`);
  return announce(tx, { subject: `project:${projectId}`, topics: ["projects", ...joined] });
}

/** The same as a part of another statement, for those who watch the project already. */
export function projectKnock(changed: { id: AnyColumn }): SQL {
  const topics = sql`json_build_array('projects')`;
  return sql`pg_notify(${CHANNEL}, json_build_object('subject', 'project:' || ${changed.id}, 'topics', ${topics})::text)`;
}

/** Announces a change of a conversation as a part of the statement that makes it, to those who have it open and to both inboxes. */
export function conversationKnock(changed: { id: AnyColumn; lowerUserId: AnyColumn; higherUserId: AnyColumn }): SQL {
  const topics = sql`json_build_array('inbox:' || ${changed.lowerUserId}, 'inbox:' || ${changed.higherUserId})`;
  return sql`pg_notify(${CHANNEL}, json_build_object('subject', 'conversation:' || ${changed.id}, 'topics', ${topics})::text)`;
}

/**
 * Announces that an account was made, decided about or lost sessions. Every stream and socket of that person checks on every
 * process whether it may live on.
 */
export function announceAccount(tx: Db | Tx, { userId }: { userId: string }) {
  return announce(tx, { subject: `account:${userId}`, topics: ["accounts"] });
}

/** Announces that an inquiry came in or has another status. */
export function announceInquiry(tx: Db | Tx, { inquiryId }: { inquiryId: string }) {
  return announce(tx, { subject: `inquiry:${inquiryId}`, topics: ["inquiries"] });
}

/** Announces that the audit has grown. */
export function announceAudit(tx: Db | Tx) {
  return announce(tx, { subject: "audit", topics: ["audit"] });
}

/** Announces that a mail is queued. */
export function announceMail(tx: Db | Tx) {
  return announce(tx, { subject: "mail", topics: ["mail"] });
}

/** Hands texts below 8,000 bytes each to every process, in their order. */
export async function announceTexts(db: Db, payloads: readonly string[]): Promise<void> {
  await db.execute(
    sql`select pg_notify(${CHANNEL}, payload) from json_array_elements_text(${JSON.stringify(payloads)}::json) as payload`,
  );
}

/**
 * Announces that a repository has commits or a standing that it did not have before. `newcomers` are people whose projects
 * link to it only since this change.
 */
export function announceRepository(
  tx: Db | Tx,
  { repositoryId, newcomers = [] }: { repositoryId: string; newcomers?: string[] },
) {
  const joined = newcomers.map((userId): Topic => `joined:${userId}`);
  return announce(tx, { subject: `repository:${repositoryId}`, topics: ["repositories", ...joined] });
}

/** Announces that a repository is to be read. */
export function announceReading(tx: Db | Tx) {
  return announce(tx, { subject: "readings", topics: ["readings"] });
}

async function announce(tx: Db | Tx, { subject, topics }: Knock): Promise<void> {
  for (let at = 0; at < topics.length; at += TOPICS_PER_KNOCK) {
    const knock: Knock = { subject, topics: topics.slice(at, at + TOPICS_PER_KNOCK) };
    await tx.execute(sql`select pg_notify(${CHANNEL}, ${JSON.stringify(knock)})`);
  }
}
