import { NOTIFICATION_KINDS, type NotificationKind } from "@db/event-kinds";
import { and, eq, inArray, isNotNull, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { excludedOf, isAnyOf } from "../../db/expressions";
import { follows, notificationPreferences, notifications, projects, tasks, unsubscribeKeys } from "../../db/schema";
import { columnsOf, rowsOf } from "../../db/writes";
import type { NotificationPreferences } from "../contract/notifications";
import { findPreferences, lockedIds } from "./queries";

/**
 * Stores what a person wants of some kinds; the others stay as they are. What waited for a mail of a kind that is off now is not
 * mailed later, when mails are wanted again.
 */
export async function setPreferences(
  db: Db | Tx,
  { preferences, userId }: { preferences: Partial<NotificationPreferences>; userId: string },
): Promise<void> {
  const rows = NOTIFICATION_KINDS.flatMap((kind) => {
    const chosen = preferences[kind];
    return chosen ? [{ userId, kind, ...chosen }] : [];
  });
  if (rows.length === 0) return;
  const { inApp, mail } = excludedOf(notificationPreferences);
  await db.transaction(async (tx) => {
    await tx
      .insert(notificationPreferences)
      .values(rowsOf(notificationPreferences, rows))
      .onConflictDoUpdate({
        target: [notificationPreferences.userId, notificationPreferences.kind],
        set: columnsOf(notificationPreferences, { inApp: sql`${inApp}`, mail: sql`${mail}` }),
      });
    const off = rows.filter(({ mail }) => mail === "off").map(({ kind }) => kind);
    if (off.length > 0) await dropMails(tx, { userId, kinds: off });
  });
}

/** What waits for a mail about these kinds to a person goes unmailed. */
async function dropMails(
  tx: Tx,
  { userId, kinds }: { userId: string; kinds: readonly NotificationKind[] },
): Promise<void> {
  const waits = and(eq(notifications.userId, userId), inArray(notifications.kind, [...kinds]));
  const { id, mailDueAt } = notifications;
  const waiting = lockedIds(tx, and(waits, isNotNull(mailDueAt)));
  await tx.update(notifications).set({ mailDueAt: null }).where(isAnyOf(id, waiting));
}

/**
 * Makes the actor follow a project or a task, or stop following it, whatever part the actor takes in it. False where it is gone: its
 * row is held from the look to the commit, the project's before the task's, as whoever deletes them takes them.
 */
export async function setFollowing(
  db: Db,
  {
    projectId,
    taskId,
    isFollowing,
    userId,
  }: { projectId: string; taskId: string | null; isFollowing: boolean; userId: string },
): Promise<boolean> {
  return db.transaction(async (tx) => {
    const inProject = await tx
      .select({ id: projects.id })
      .from(projects)
      .where(eq(projects.id, projectId))
      .for("key share");
    const ofTask =
      taskId === null
        ? inProject
        : await tx.select({ id: tasks.id }).from(tasks).where(eq(tasks.id, taskId)).for("key share");
    if (inProject.length === 0 || ofTask.length === 0) return false;
    await tx
      .insert(follows)
      .values(columnsOf(follows, { projectId, taskId, userId, isFollowing }))
      .onConflictDoUpdate({ target: [follows.projectId, follows.taskId, follows.userId], set: { isFollowing } });
    return true;
  });
}

/** What a mail's link to unsubscribe carries: the person's own key, and the kinds that the mail was about. */
export async function createUnsubscribeToken(
  db: Db,
  { userId, kinds }: { userId: string; kinds: readonly NotificationKind[] },
): Promise<string> {
  const [made] = await db
    .insert(unsubscribeKeys)
    .values({ userId })
    // Changes nothing, so that the present row is returned.
    .onConflictDoUpdate({ target: unsubscribeKeys.userId, set: { userId } })
    .returning({ key: unsubscribeKeys.key });
  return [made?.key, ...new Set(kinds)].join(".");
}

const TOKEN = /^([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})((?:\.[a-z-]{1,40}){1,30})$/;

/** Turns off the mails of the kinds that a token names, for its person; twice is once. False for a token that nobody was sent. */
export async function unsubscribe(db: Db, token: string): Promise<boolean> {
  const [, key, named = ""] = TOKEN.exec(token) ?? [];
  if (key === undefined) return false;
  return db.transaction(async (tx) => {
    const [person] = await tx
      .select({ userId: unsubscribeKeys.userId })
      .from(unsubscribeKeys)
      .where(eq(unsubscribeKeys.key, key));
    if (!person) return false;
    const present = await findPreferences(tx, person);
    const kinds = NOTIFICATION_KINDS.filter((kind) => named.split(".").includes(kind));
    const preferences: Partial<NotificationPreferences> = {};
    for (const kind of kinds) preferences[kind] = { ...present[kind], mail: "off" };
    await setPreferences(tx, { preferences, ...person });
    return kinds.length > 0;
  });
}
