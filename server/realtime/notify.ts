import type { Visibility } from "@db/enums";
import { type AnyColumn, eq, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import * as z from "zod/mini";
import { emitterOf } from "../../db/after-commit";
import type { Db, Tx } from "../../db/client";
import { projects } from "../../db/schema";
import { PROJECT_CHANGE_KINDS } from "../contract/projects";

/** The one channel of the product in PostgreSQL; without a bus every process listens on it. */
export const CHANNEL = "sangam";

/**
 * What changed: a project (its people and tasks included), an account (its status, type or sessions), a conversation (its
 * messages, read marks or what messages became), who covers one (by the conversation's id), a discussion (its comments, and the files beside them; by the id of its task, or else of its project), a repository (its commits
 * or sync state), an inquiry, a request, the audit log, the labels, the mail queue, the queue of repositories to read, the backup that was asked for, what
 * managers may want to look at, or the notifications of people, whom the topics name; and what no row records: `presence:<userId>` somebody turned present or
 * away, `typing:<conversationId>:<userId>` somebody types.
 */
const subjectSchema = z.union([
  z.templateLiteral([
    z.enum([
      "project",
      "account",
      "conversation",
      "cover",
      "discussion",
      "repository",
      "inquiry",
      "request",
      "presence",
      "typing",
    ]),
    ":",
    z.string(),
  ]),
  z.enum(["audit", "labels", "mail", "readings", "backups", "notifications", "findings"]),
]);
export type Subject = z.infer<typeof subjectSchema>;

/**
 * What a watcher joins: one subject, all of a kind, what a person has just become part of, a person's conversations or
 * notifications, or what clients see of a discussion.
 */
const topicSchema = z.union([
  z.enum(["projects", "accounts", "repositories", "inquiries", "requests"]),
  z.templateLiteral([z.enum(["joined", "inbox", "notified", "client-discussion"]), ":", z.string()]),
  subjectSchema,
]);
export type Topic = z.infer<typeof topicSchema>;

/** What happened to a project, in one step of its `change_seq`. */
const projectStepSchema = z.object({
  kind: z.enum(PROJECT_CHANGE_KINDS),
  taskId: z.optional(z.uuid()),
  /** The project's `change_seq` after it; null when the project is gone. */
  seq: z.nullish(z.int()),
  /** Clients are not woken up to anything by it. It may have moved no `change_seq`. */
  teamOnly: z.optional(z.literal(true)),
});
export type ProjectStep = z.infer<typeof projectStepSchema>;
type NewStep = Omit<ProjectStep, "seq">;

/** The payload of the channel. Ids and kinds only: receivers read the rows (realtime.md). */
const sentSchema = z.object({
  subject: subjectSchema,
  /** Topics to wake up besides the subject's own. */
  topics: z.array(topicSchema),
  /** Of a project. */
  step: z.optional(projectStepSchema),
});
export type Notification = z.infer<typeof sentSchema>;

/**
 * A payload as it is received: a process of a newer version may send topics and kinds of steps that this one does not know. Its
 * watchers are woken up all the same, and read everything where the step is missing.
 */
export const notificationSchema = z.object({
  ...sentSchema.shape,
  topics: z.pipe(
    z.array(z.string()),
    z.transform((topics): Topic[] => topics.flatMap((topic) => topicSchema.safeParse(topic).data ?? [])),
  ),
  step: z.catch(sentSchema.shape.step, undefined),
});

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
  for (const payload of payloadsOf({ subject: `project:${projectId}`, topics: ["projects", ...joined], step })) {
    const notified = numberedNotification(tx, { payload: sql`${payload}`, seq });
    await tx.select({ notified }).from(sql`(select) as "one row"`);
  }
}

/** The payload of a project's present watchers, for a statement that sends it itself by `numberedNotification`. */
export function projectPayload({ projectId, step }: { projectId: string; step: NewStep }): string {
  return payloadOf({ subject: `project:${projectId}`, topics: ["projects"], step });
}

/** Sends a project's payload with the `change_seq` of its step, as a column that another statement of `tx` selects. */
export function numberedNotification(tx: Db | Tx, { payload, seq }: { payload: SQLWrapper; seq: SQLWrapper }): SQL {
  return sent(tx, sql`jsonb_set(${payload}::jsonb, '{step,seq}', coalesce(to_jsonb(${seq}), 'null'))`);
}

/**
 * Sends a payload at the commit, as a column that another statement of `tx` selects through drizzle: PostgreSQL sends it itself,
 * or with a bus returns it, and it is published once the commit is done. No transaction then waits for that of another.
 */
function sent(tx: Db | Tx, payload: SQLWrapper): SQL {
  const emit = emitterOf(tx);
  return emit === null ? sql`pg_notify(${CHANNEL}, ${payload}::text)` : sql`${payload}::text`.mapWith(emit);
}

/** Notifies those who have a conversation open, both inboxes and that of who covers it, as a column of the statement of `tx` that changes it. */
export function conversationNotification(
  tx: Db | Tx,
  {
    id,
    lowerUserId,
    higherUserId,
    coverUserId,
  }: Record<"id" | "lowerUserId" | "higherUserId" | "coverUserId", AnyColumn>,
): SQL {
  // The ids come from the row, where PostgreSQL puts them in. UUIDs need no escaping.
  const subject = "conversation:%s";
  const toBoth = payloadOf({ subject, topics: ["inbox:%s", "inbox:%s"] });
  const toCoverToo = payloadOf({ subject, topics: ["inbox:%s", "inbox:%s", "inbox:%s"] });
  return sent(
    tx,
    sql`case when ${coverUserId} is null then format(${toBoth}::text, ${id}, ${lowerUserId}, ${higherUserId})
      else format(${toCoverToo}::text, ${id}, ${lowerUserId}, ${higherUserId}, ${coverUserId}) end`,
  );
}

/** Notifies those who have a conversation open, and the inboxes of all whom it concerns, that somebody covers it or no longer does. */
export function notifyCover(
  tx: Db | Tx,
  { conversationId, userIds }: { conversationId: string; userIds: readonly string[] },
) {
  const inboxes = userIds.map((userId): Topic => `inbox:${userId}`);
  return notify(tx, { subject: `cover:${conversationId}`, topics: [`conversation:${conversationId}`, ...inboxes] });
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

/** Notifies that a request is new or has changed. */
export function notifyRequest(tx: Db | Tx, { requestId }: { requestId: string }) {
  return notify(tx, { subject: `request:${requestId}`, topics: ["requests"] });
}

/** Notifies those who have a discussion open of a comment or a file beside it: clients only of what they see. */
export function notifyDiscussion(
  tx: Db | Tx,
  { projectId, taskId, visibility }: { projectId: string; taskId: string | null; visibility: Visibility },
) {
  const id = taskId ?? projectId;
  return notify(tx, {
    subject: `discussion:${id}`,
    topics: visibility === "client" ? [`client-discussion:${id}`] : [],
  });
}

/** Notifies people, if any, that their notifications have changed: new ones, or some were read, or are gone or hidden. */
export async function notifyInbox(tx: Db | Tx, { userIds }: { userIds: readonly string[] }): Promise<void> {
  const topics = [...new Set(userIds)].map((userId): Topic => `notified:${userId}`);
  if (topics.length > 0) await notify(tx, { subject: "notifications", topics });
}

/** Notifies of new audit entries. */
export function notifyAudit(tx: Db | Tx) {
  return notify(tx, { subject: "audit", topics: ["audit"] });
}

/** Notifies that a label was made, has changed or is gone. */
export function notifyLabels(tx: Db | Tx) {
  return notify(tx, { subject: "labels", topics: ["labels"] });
}

/** Notifies that a live link answers again, or does no longer. */
export function notifyFindings(tx: Db | Tx) {
  return notify(tx, { subject: "findings", topics: ["findings"] });
}

/** Notifies of a queued mail. */
export function notifyMail(tx: Db | Tx) {
  return notify(tx, { subject: "mail", topics: ["mail"] });
}

/** Notifies that a backup was asked for. */
export function notifyBackup(tx: Db | Tx) {
  return notify(tx, { subject: "backups", topics: ["backups"] });
}

/** Sends payloads, each below 8,000 bytes, to every process in order, by PostgreSQL. */
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
  const emit = emitterOf(tx);
  for (const payload of payloadsOf(notification)) {
    if (emit === null) await tx.execute(sql`select pg_notify(${CHANNEL}, ${payload})`);
    else emit(payload);
  }
}

/** One at least: the watchers of the subject itself are no topic. */
function payloadsOf({ topics, ...notification }: Notification): string[] {
  const count = Math.max(1, Math.ceil(topics.length / TOPICS_PER_NOTIFICATION));
  return Array.from({ length: count }, (_, at) => {
    const part = topics.slice(at * TOPICS_PER_NOTIFICATION, (at + 1) * TOPICS_PER_NOTIFICATION);
    return payloadOf({ ...notification, topics: part });
  });
}

function payloadOf(notification: Notification): string {
  return JSON.stringify(sentSchema.parse(notification));
}
