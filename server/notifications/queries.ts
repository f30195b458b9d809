import type { NotificationKind } from "@db/event-kinds";
import { NOTIFICATION_KINDS } from "@db/event-kinds";
import { and, asc, desc, eq, gt, inArray, isNull, or, type SQL, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Db, Tx } from "../../db/client";
import { countRows, holds, isAfter, isoInstant, jsonObject, microsecondsOf, whenPresent } from "../../db/expressions";
import { inquiries, notificationPreferences, notifications, projects, requests, tasks, users } from "../../db/schema";
import { defaultPreference, type NotificationPreferences } from "../contract/notifications";
import type { Notification, NotificationPage, NotificationSubject } from "../contract/views";
import type { Actor } from "../core/context";
import { decodeCursor, encodeCursor, type PageCursor } from "../core/cursor";
import { personJson, shownName } from "../users/queries";
import { inInboxOf, isOfFirm, managesProject, seesProject } from "./policy";

const PAGE_SIZE = 50;

const actors = alias(users, "actors");
const persons = alias(users, "persons");

const notificationColumns = {
  id: notifications.id,
  kind: notifications.kind,
  details: notifications.details,
  createdAt: isoInstant(notifications.createdAt),
  readAt: isoInstant(notifications.readAt),
  projectId: notifications.projectId,
  taskId: notifications.taskId,
  commentId: notifications.commentId,
  conversationId: notifications.conversationId,
  inquiryId: notifications.inquiryId,
  signOffId: notifications.signOffId,
  personId: notifications.personId,
  requestId: notifications.requestId,
  title: sql<string>`coalesce(${requests.title}, ${tasks.title}, ${inquiries.name}, ${shownName(persons)}, ${projects.title}, '')`,
  taskNumber: sql<number | null>`${tasks.number}`,
  project: whenPresent(projects.id, jsonObject({ id: projects.id, key: projects.key, title: projects.title })),
  actor: whenPresent(actors.id, personJson(actors)),
};

type Row = { [Key in keyof typeof notificationColumns]: unknown } & Omit<Notification, "subject"> &
  Record<
    "projectId" | "taskId" | "commentId" | "conversationId" | "inquiryId" | "signOffId" | "personId" | "requestId",
    string | null
  >;

/** Notifications with all that a view of them says; the recipient is `users`. */
export function selectNotifications(db: Db | Tx, where: SQL | undefined) {
  return db
    .select({
      ...notificationColumns,
      cause: notifications.cause,
      userId: users.id,
      accountType: users.accountType,
      microseconds: microsecondsOf(notifications.createdAt),
    })
    .from(notifications)
    .innerJoin(users, eq(users.id, notifications.userId))
    .leftJoin(projects, eq(projects.id, notifications.projectId))
    .leftJoin(tasks, eq(tasks.id, notifications.taskId))
    .leftJoin(inquiries, eq(inquiries.id, notifications.inquiryId))
    .leftJoin(requests, eq(requests.id, notifications.requestId))
    .leftJoin(persons, eq(persons.id, notifications.personId))
    .leftJoin(actors, eq(actors.id, notifications.actorId))
    .where(where);
}

/** A row as people see it. */
export function showNotification(row: Row): Notification {
  const { id, kind, details, createdAt, readAt, title, taskNumber, project, actor } = row;
  const { projectId, taskId, commentId, conversationId, inquiryId, signOffId, personId, requestId } = row;
  const ids = { projectId, taskId, commentId, conversationId, inquiryId, signOffId, userId: personId, requestId };
  const subject: NotificationSubject = {};
  for (const key of SUBJECT_KEYS) {
    const value = ids[key];
    if (value !== null) subject[key] = value;
  }
  return { id, kind, subject, title, taskNumber, project, actor, details, createdAt, readAt };
}

const SUBJECT_KEYS = [
  "projectId",
  "taskId",
  "commentId",
  "conversationId",
  "inquiryId",
  "signOffId",
  "userId",
  "requestId",
] as const;

/** The actor's inbox, newest first, 50 a page, without what the actor may not see any more. */
export async function listNotifications(
  db: Db,
  {
    actor,
    unreadOnly = false,
    cursor,
  }: { actor: Actor; unreadOnly?: boolean | undefined; cursor?: string | null | undefined },
): Promise<NotificationPage> {
  const after = decodeCursor(cursor);
  const [rows, unread] = await Promise.all([
    selectNotifications(
      db,
      and(
        inInboxOf(actor.id),
        unreadOnly ? isNull(notifications.readAt) : undefined,
        after ? isAfter(after, { instant: notifications.createdAt, id: notifications.id }) : undefined,
      ),
    )
      .orderBy(desc(notifications.createdAt), desc(notifications.id))
      .limit(PAGE_SIZE + 1),
    countUnread(db, actor),
  ]);
  const page = rows.slice(0, PAGE_SIZE);
  const last = page.at(-1);
  return {
    items: page.map(showNotification),
    nextCursor: rows.length > PAGE_SIZE && last ? encodeCursor(last) : null,
    unread,
  };
}

/** How many unread notifications the actor's inbox shows. */
export async function countUnread(db: Db, { id }: Pick<Actor, "id">): Promise<number> {
  const [row] = await db
    .select({ unread: countRows() })
    .from(notifications)
    .innerJoin(users, eq(users.id, notifications.userId))
    .leftJoin(projects, eq(projects.id, notifications.projectId))
    .where(and(inInboxOf(id), isNull(notifications.readAt)));
  return row?.unread ?? 0;
}

/** At most so many events after a gap: the list is read again anyway. */
const MAX_NEW = 20;
/** Before every row: where an empty inbox is read on from. */
const BEGINNING: PageCursor = { microseconds: 0, id: "00000000-0000-0000-0000-000000000000" };

/**
 * What has come into a person's inbox after a row of it, oldest first and of many the newest, and how many are unread; without a row
 * where to read on from.
 */
export async function findNewNotifications(
  db: Db,
  { userId, after }: { userId: string; after: PageCursor | null },
): Promise<{ arrived: Notification[]; newest: PageCursor; unread: number }> {
  const isNewer = after ? gt(sql`(${notifications.createdAt}, ${notifications.id})`, instantOf(after)) : undefined;
  const rows = await selectNotifications(db, and(inInboxOf(userId), isNewer))
    .orderBy(desc(notifications.createdAt), desc(notifications.id))
    .limit(after ? MAX_NEW : 1);
  const unread = await countUnread(db, { id: userId });
  const newest = rows[0];
  return {
    arrived: after ? rows.map(showNotification).reverse() : [],
    newest: newest ? { microseconds: newest.microseconds, id: newest.id } : (after ?? BEGINNING),
    unread,
  };
}

function instantOf({ microseconds, id }: PageCursor): SQL {
  return sql`(timestamptz 'epoch' + ${microseconds}::bigint * interval '1 microsecond', ${id}::uuid)`;
}

/**
 * Who of the firm is to hear of what a project needs: its active managers and those of the `others` who are active and still see it,
 * or all active admins where there are none of these.
 */
export async function listResponsible(
  tx: Tx,
  { projectId, others = [] }: { projectId: string; others?: readonly string[] },
): Promise<string[]> {
  const isOther = and(inArray(users.id, [...others]), isOfFirm(), seesProject());
  const found = await tx
    .select({ id: users.id, isResponsible: sql<boolean>`${or(managesProject(), isOther)}` })
    .from(users)
    .innerJoin(projects, eq(projects.id, projectId))
    .where(and(holds(users.accountStatus, "active"), or(managesProject(), isOther, holds(users.accountType, "admin"))));
  const responsible = found.filter(({ isResponsible }) => isResponsible);
  return (responsible.length > 0 ? responsible : found).map(({ id }) => id);
}

/**
 * The ids of some notifications, locked until the commit one after the other by id: whoever changes or deletes several goes through
 * here first, so that two wait for each other and never both.
 */
export function lockedIds(tx: Tx, where: SQL | undefined) {
  const { id } = notifications;
  return tx.select({ id }).from(notifications).where(where).orderBy(asc(id)).for("no key update");
}

/** What a person has chosen for each kind; the defaults where that is nothing. */
export async function findPreferences(db: Db | Tx, { userId }: { userId: string }): Promise<NotificationPreferences> {
  const { kind, inApp, mail } = notificationPreferences;
  const chosen = await db
    .select({ kind, inApp, mail })
    .from(notificationPreferences)
    .where(eq(notificationPreferences.userId, userId));
  const choiceOf = (one: NotificationKind) => {
    const choice = chosen.find((row) => row.kind === one);
    return choice ? { inApp: choice.inApp, mail: choice.mail } : defaultPreference(one);
  };
  return byKind(choiceOf);
}

function byKind<Value>(chosen: (kind: NotificationKind) => Value): Record<NotificationKind, Value>;
function byKind(chosen: (kind: NotificationKind) => unknown): Record<string, unknown> {
  return Object.fromEntries(NOTIFICATION_KINDS.map((kind) => [kind, chosen(kind)]));
}
