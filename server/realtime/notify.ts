import { type AnyColumn, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import * as z from "zod/mini";
import type { Db, Tx } from "../../db/client";
import { projects } from "../../db/schema";
import { PROJECT_CHANGE_KINDS } from "../contract/projects";

/** The one channel of the product; every process listens on it. */
export const CHANNEL = "sangam";

/**
 * What changed: a project (its people and tasks included), an account (its status, type or sessions), a conversation (its
 * messages or read marks), a repository (its commits or sync state), an inquiry, the audit log, the mail queue, or the queue of
 * repositories to read; and what no row records: `presence:<userId>` somebody turned present or away,
 * `typing:<conversationId>:<userId>` somebody types.
 */
const subjectSchema = z.union([
  z.templateLiteral([
    z.enum(["project", "account", "conversation", "repository", "inquiry", "presence", "typing"]),
    ":",
    z.string(),
  ]),
  z.enum(["audit", "mail", "readings"]),
]);
export type Subject = z.infer<typeof subjectSchema>;

/** What a watcher joins: one subject, all of a kind, what a person has just become part of, or a person's conversations. */
const topicSchema = z.union([
  z.enum(["projects", "accounts", "repositories", "inquiries"]),
  z.templateLiteral([z.enum(["joined", "inbox"]), ":", z.string()]),
  subjectSchema,
]);
export type Topic = z.infer<typeof topicSchema>;

/** What happened to a project, in one step of its `change_seq`. */
const projectStepSchema = z.object({
  kind: z.enum(PROJECT_CHANGE_KINDS),
  taskId: z.optional(z.uuid()),
  /** The project's `change_seq` after it; null when the project is gone. */
  seq: z.nullish(z.int()),
});
export type ProjectStep = z.infer<typeof projectStepSchema>;
type NewStep = Omit<ProjectStep, "seq">;

/** The payload of the channel, for senders and for the listener. Ids and kinds only: receivers read the rows (realtime.md). */
export const notificationSchema = z.object({
  subject: subjectSchema,
  /** Topics to wake up besides the subject's own. */
  topics: z.array(topicSchema),
  /** Of a project. */
  step: z.optional(projectStepSchema),
});
export type Notification = z.infer<typeof notificationSchema>;

/** PostgreSQL refuses payloads of 8,000 bytes; 120 topics of 46 bytes stay well below. */
const TOPICS_PER_NOTIFICATION = 120;

/**
 * Notifies of a change of a project if and when the transaction commits: call it once per step of `change_seq`, after it.
 * `newcomers` are people who may see it only since this change; its present watchers need not be named.
 */
export async function notifyProject(
  tx: Db | Tx,
  { projectId, step, newcomers = [] }: { projectId: string; step: NewStep; newcomers?: string[] },
): Promise<void> {
  const joined = newcomers.map((userId): Topic => `joined:${userId}`);
  const seq = sql`(select ${projects.changeSeq} from ${projects} where ${eq(projects.id, projectId)})`;
  for (const payload of payloadsOf({ subject: `project:${projectId}`, topics: ["projects", ...joined], step }))
    await tx.execute(sql`select ${numberedNotification(sql`${payload}`, seq)}`);
}

/** The payload of a project's present watchers, for a statement that sends it itself by `numberedNotification`. */
export function projectPayload({ projectId, step }: { projectId: string; step: NewStep }): string {
  return payloadOf({ subject: `project:${projectId}`, topics: ["projects"], step });
}

/** Sends a project's payload with the `change_seq` of its step, as part of another statement. */
export function numberedNotification(payload: SQLWrapper, seq: SQLWrapper): SQL {
  return pgNotify(sql`jsonb_set(${payload}::jsonb, '{step,seq}', coalesce(to_jsonb(${seq}), 'null'))`);
}

/** Sends a payload as part of another statement. */
function pgNotify(payload: SQLWrapper): SQL {
  return sql`pg_notify(${CHANNEL}, ${payload}::text)`;
}

/** Notifies those who have a conversation open, and both inboxes, as part of the statement that changes it. */
export function conversationNotification(changed: {
  id: AnyColumn;
  lowerUserId: AnyColumn;
  higherUserId: AnyColumn;
}): SQL {
  // The ids come from the row, where PostgreSQL puts them in. UUIDs need no escaping.
  const payload = payloadOf({ subject: "conversation:%s", topics: ["inbox:%s", "inbox:%s"] });
  return pgNotify(sql`format(${payload}::text, ${changed.id}, ${changed.lowerUserId}, ${changed.higherUserId})`);
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

async function notify(tx: Db | Tx, notification: Notification): Promise<void> {
  for (const payload of payloadsOf(notification)) await tx.execute(sql`select pg_notify(${CHANNEL}, ${payload})`);
}

function payloadsOf({ topics, ...notification }: Notification): string[] {
  const starts = Array.from({ length: Math.ceil(topics.length / TOPICS_PER_NOTIFICATION) }, (_, at) => at);
  return starts.map((at) =>
    payloadOf({
      ...notification,
      topics: topics.slice(at * TOPICS_PER_NOTIFICATION, (at + 1) * TOPICS_PER_NOTIFICATION),
    }),
  );
}

function payloadOf(notification: Notification): string {
  return JSON.stringify(notificationSchema.parse(notification));
}
