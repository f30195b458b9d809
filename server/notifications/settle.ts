import type { RequestStatus } from "@db/client-enums";
import { and, eq, inArray, isNotNull, isNull, like, lt, or, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { isAnyOf } from "../../db/expressions";
import {
  follows,
  notificationPreferences,
  notifications,
  projects,
  pushSubscriptions,
  unsubscribeKeys,
} from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { STATUS_REMINDER } from "../contract/messages/status-updates";
import type { Actor } from "../core/context";
import { notifyInbox } from "../realtime/notify";
import { lockedIds } from "./queries";

/** Marks some of the actor's notifications as read, or all that the inbox has; their mails are dropped. Other tabs follow. */
export async function markNotificationsRead(
  db: Db,
  { which, by }: { which: { ids: string[] } | { all: true }; by: Actor },
): Promise<void> {
  const some = "ids" in which ? inArray(notifications.id, which.ids) : eq(notifications.inApp, true);
  await db.transaction((tx) => settleNotifications(tx, and(eq(notifications.userId, by.id), some)));
}

/** It was decided about the account. */
export async function settleSignUp(tx: Tx, { userId }: { userId: string }): Promise<void> {
  await settleNotifications(tx, eq(notifications.cause, signUpCause(userId)));
}

/** It was answered or closed. */
export async function settleInquiry(tx: Tx, { inquiryId }: { inquiryId: string }): Promise<void> {
  await settleNotifications(tx, eq(notifications.cause, inquiryCause(inquiryId)));
}

/** It was decided about the sign-off, or it was withdrawn: who was asked has nothing to do. */
export async function settleSignOff(tx: Tx, { signOffId }: { signOffId: string }): Promise<void> {
  await settleNotifications(tx, eq(notifications.cause, signOffCause(signOffId)));
}

/** The person has read these comments where they stand. */
export async function settleComments(
  tx: Tx,
  { userId, commentIds }: { userId: string; commentIds: SQLWrapper },
): Promise<void> {
  await settleNotifications(tx, and(eq(notifications.userId, userId), inArray(notifications.commentId, commentIds)));
}

/** It was decided, or waits for the client: for the firm it is done. */
export async function settleRequest(tx: Tx, { requestId }: { requestId: string }): Promise<void> {
  await settleNotifications(tx, and(eq(notifications.requestId, requestId), eq(notifications.kind, "request")));
}

/** Who answers has read the questions about the request. */
export async function settleQuestions(
  tx: Tx,
  { requestId, userId }: { requestId: string; userId: string },
): Promise<void> {
  const { kind, details } = notifications;
  const isQuestion = and(eq(kind, "request-decided"), eq(details, "asked" satisfies RequestStatus));
  await settleNotifications(
    tx,
    and(eq(notifications.userId, userId), eq(notifications.requestId, requestId), isQuestion),
  );
}

/** What has changed of a task; only what is named has. */
interface TaskStep {
  taskId: string;
  isDone?: boolean;
  /** Its new due day, null for none. */
  dueDate?: string | null | undefined;
  /** Who was taken off it. */
  removed?: readonly string[];
}

/**
 * What a change of a task may have made untrue, for everybody; no statement where that is nothing. It stays overdue while its day is no
 * later; of a later day the morning's job tells anew.
 */
export async function settleTask(tx: Tx, { taskId, isDone, dueDate, removed = [] }: TaskStep): Promise<void> {
  const { kind, userId } = notifications;
  const untrue = or(
    isDone ? inArray(kind, ["due-soon", "overdue"]) : undefined,
    dueDate === undefined ? undefined : isUntrueOf(dueDate),
    removed.length > 0 ? and(eq(kind, "assigned"), inArray(userId, [...removed])) : undefined,
  );
  if (untrue) await settleNotifications(tx, and(eq(notifications.taskId, taskId), untrue));
}

/** What has changed of a project; only what is named has. */
interface ProjectStep {
  projectId: string;
  /** It was completed, put on hold or cancelled. */
  isStopped?: boolean;
  /** Its new due day, null for none. */
  dueDate?: string | null | undefined;
  /** Its sign-offs that were taken back. */
  withdrawn?: readonly string[];
  /** Who is no longer part of it. */
  left?: readonly string[];
  /** Who has lost its tasks, all of them. */
  unassigned?: readonly string[];
}

/**
 * What an edit of a project may have made untrue, for everybody; no statement where that is nothing, and one for all of it: the rows
 * are locked in one order.
 */
export async function settleProject(
  tx: Tx,
  { projectId, isStopped, dueDate, withdrawn = [], left = [], unassigned = [] }: ProjectStep,
): Promise<void> {
  const { kind, taskId, userId, cause } = notifications;
  const isOf = (people: readonly string[]) => and(eq(kind, "assigned"), inArray(userId, [...people]));
  const untrue = or(
    isStopped ? inArray(kind, ["due-soon", "overdue"]) : undefined,
    dueDate === undefined ? undefined : and(isNull(taskId), isUntrueOf(dueDate)),
    withdrawn.length > 0 ? inArray(cause, withdrawn.map(signOffCause)) : undefined,
    left.length > 0 ? and(isNull(taskId), isOf(left)) : undefined,
    unassigned.length > 0 ? and(isNotNull(taskId), isOf(unassigned)) : undefined,
  );
  if (untrue) await settleNotifications(tx, and(eq(notifications.projectId, projectId), untrue));
}

function isUntrueOf(dueDate: string | null): SQL | undefined {
  const { kind, details } = notifications;
  const isLater = dueDate === null ? undefined : lt(details, dueDate);
  return or(and(eq(kind, "due-soon"), sql`${details} is distinct from ${dueDate}`), and(eq(kind, "overdue"), isLater));
}

/** It has been read again. */
export async function settleRepository(tx: Tx, { repositoryId }: { repositoryId: string }): Promise<void> {
  const { cause, projectId } = notifications;
  const linked = tx.select({ id: projects.id }).from(projects).where(eq(projects.repositoryId, repositoryId));
  const isTrouble = like(cause, `${repositoryCause(repositoryId)}%`);
  await settleNotifications(tx, and(inArray(projectId, linked), isTrouble));
}

/** A new status update is there: its managers need not be reminded of one any more. */
export async function settleReminders(tx: Tx, { projectId }: { projectId: string }): Promise<void> {
  const { kind, details } = notifications;
  const isReminder = and(eq(kind, "status-update"), eq(details, STATUS_REMINDER));
  await settleNotifications(tx, and(eq(notifications.projectId, projectId), isReminder));
}

/**
 * Takes what goes or is hidden with a project, a task or a comment; the inboxes that show it are read anew. Call it after that one's own
 * lock, before it is deleted.
 */
export async function releaseNotificationsOf(
  tx: Tx,
  of: { projectId: string } | { taskId: string } | { commentId: string },
): Promise<void> {
  const { id, userId, inApp, projectId, taskId, commentId } = notifications;
  const isOf =
    "projectId" in of
      ? eq(projectId, of.projectId)
      : "taskId" in of
        ? eq(taskId, of.taskId)
        : eq(commentId, of.commentId);
  const taken = await tx
    .select({ userId, inApp })
    .from(notifications)
    .where(isAnyOf(id, lockedIds(tx, isOf)));
  await notifyInbox(tx, { userIds: taken.filter((row) => row.inApp).map((row) => row.userId) });
}

/** What a person was notified of, what they follow and what they have chosen goes with them. */
export async function eraseNotifications(tx: Tx, { userId }: { userId: string }): Promise<void> {
  await lockedIds(tx, eq(notifications.userId, userId));
  for (const table of [notifications, notificationPreferences, follows, pushSubscriptions, unsubscribeKeys])
    await tx.delete(table).where(eq(table.userId, userId));
}

/** What is unread of these is read from now on; tabs of whose it was follow. */
async function settleNotifications(tx: Tx, which: SQL | undefined): Promise<void> {
  const unread = lockedIds(tx, and(which, isNull(notifications.readAt)));
  const read = await tx
    .update(notifications)
    .set(columnsOf(notifications, { readAt: sql`now()`, mailDueAt: null, pushDueAt: null }))
    .where(isAnyOf(notifications.id, unread))
    .returning({ userId: notifications.userId });
  await notifyInbox(tx, { userIds: read.map(({ userId }) => userId) });
}

/** The cause of the notification that somebody waits for approval. */
export const signUpCause = (userId: string) => `sign-up:${userId}`;

/** The cause of the notification of an inquiry. */
export const inquiryCause = (inquiryId: string) => `inquiry:${inquiryId}`;

/** The cause of the notification that somebody is asked for a sign-off. */
export const signOffCause = (signOffId: string) => `sign-off:${signOffId}`;

/** What the cause of the notification that a repository can't be read begins with. */
export const repositoryCause = (repositoryId: string) => `repository:${repositoryId}:`;
