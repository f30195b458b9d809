import type { AccountType } from "@db/enums";
import { NOTIFICATION_MAILS } from "@db/event-kinds";
import { and, asc, eq, inArray, isNull, lte, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { isAnyOf, quoted } from "../../db/expressions";
import {
  notificationPreferences,
  notifications,
  projects,
  requestReplies,
  requests,
  statusUpdates,
  users,
} from "../../db/schema";
import { describeNotification, groupBy, thingAddress, thingOf, titleOf } from "../contract/messages/notifications";
import { MAILED_AT_ONCE } from "../contract/notifications";
import type { Notification } from "../contract/views";
import type { MailComposer } from "../mail/jobs";
import { queueNotificationMails } from "../mail/mutations";
import { composeMail, DIGEST_TEMPLATE, NOTIFICATION_TEMPLATE } from "../mail/templates";
import { createUnsubscribeToken } from "./choices";
import { STATUS_UPDATE_CAUSE } from "./mutations";
import { mayStillSee } from "./policy";
import { findPreferences, selectNotifications, showNotification } from "./queries";

/** So many at a time; the rest waits for the next call. */
const MAX_BATCH = 1_000;

/** A longer text is cut in a mail: the page has the whole. */
const MAX_SHOWN = 600;

const REQUEST = "request:";
const REPLY = "request-reply:";
const DECISION = "request-decided:";

/** What a notification is mailed by: the person's choice for its kind, as it is now. */
const mailMode = sql`coalesce(${notificationPreferences.mail}::text,
  case when ${inArray(notifications.kind, [...MAILED_AT_ONCE])} then ${quoted(NOTIFICATION_MAILS, "at-once")} else ${quoted(NOTIFICATION_MAILS, "daily")} end)`;

type Mode = "at-once" | "daily";

/**
 * Queues the mails of notifications that nobody has read: `at-once` those that were held long enough, one for each person and
 * thing, with what else waits about it; `daily` all that wait, one for each person. Safe to run in several processes. Answers
 * whether more may wait than one call takes.
 */
export async function queueDueMails(db: Db, { mode }: { mode: Mode }): Promise<{ hasMore: boolean }> {
  return db.transaction(async (tx) => {
    const { waiting, hasMore } = await claimWaiting(tx, mode);
    const groups = groupBy(waiting, ({ userId, requestId, signOffId, taskId, inquiryId, personId, projectId }) =>
      mode === "daily"
        ? userId
        : [userId, requestId ?? signOffId ?? taskId ?? inquiryId ?? personId ?? projectId].join(" "),
    );
    const ready = groups.filter((group) => mode === "daily" || group.some(({ isDue }) => isDue));
    const ids = ready.flat().map(({ id }) => id);
    if (ids.length === 0) return { hasMore };
    await tx
      .update(notifications)
      .set({ mailDueAt: null })
      .where(isAnyOf(notifications.id, idRows(ids)));
    const template = mode === "daily" ? DIGEST_TEMPLATE : NOTIFICATION_TEMPLATE;
    await queueNotificationMails(
      tx,
      ready.map((group) => ({ template, recipient: group[0].userId, notificationIds: group.map(({ id }) => id) })),
    );
    return { hasMore };
  });
}

/**
 * Queues the digests of everybody for whom something waits: what is left over would wait for the next morning. Throws when the signal
 * aborts before that, so that the job is not done and another server goes on with it.
 */
export async function queueDigests(db: Db, { signal }: { signal?: AbortSignal } = {}): Promise<void> {
  let hasMore = true;
  while (hasMore) {
    signal?.throwIfAborted();
    ({ hasMore } = await queueDueMails(db, { mode: "daily" }));
  }
}

/** Locks what waits for a mail: what is due first, or for digests person by person. */
async function claimWaiting(tx: Tx, mode: Mode) {
  const found = await tx
    .select({
      id: notifications.id,
      userId: notifications.userId,
      taskId: notifications.taskId,
      inquiryId: notifications.inquiryId,
      signOffId: notifications.signOffId,
      requestId: notifications.requestId,
      personId: notifications.personId,
      projectId: notifications.projectId,
      isDue: sql<boolean>`${lte(notifications.mailDueAt, sql`now()`)}`,
    })
    .from(notifications)
    .innerJoin(users, eq(users.id, notifications.userId))
    .leftJoin(projects, eq(projects.id, notifications.projectId))
    .leftJoin(notificationPreferences, preferenceOf())
    .where(
      and(
        sql`${notifications.mailDueAt} is not null`,
        isNull(notifications.readAt),
        sql`${mailMode} = ${mode}`,
        mayStillSee(),
      ),
    )
    .orderBy(
      ...(mode === "daily" ? [asc(notifications.userId)] : []),
      asc(notifications.mailDueAt),
      asc(notifications.id),
    )
    .limit(MAX_BATCH)
    .for("update", { of: notifications, skipLocked: true });
  const hasMore = found.length === MAX_BATCH;
  if (mode === "at-once" || !hasMore) return { waiting: found, hasMore };
  // The last person's may go on beyond the limit: they get one digest, from the next call. Not so whoever has more than fit into one.
  const whole = found.filter(({ userId }) => userId !== found.at(-1)?.userId);
  return { waiting: whole.length > 0 ? whole : found, hasMore };
}

function preferenceOf(): SQL | undefined {
  return and(
    eq(notificationPreferences.userId, notifications.userId),
    eq(notificationPreferences.kind, notifications.kind),
  );
}

function idRows(ids: readonly string[]): SQL {
  return sql`select json_array_elements_text(${JSON.stringify(ids)}::json)::uuid`;
}

/** The start page of each type of account. */
export const SHELLS: Record<AccountType, string> = { admin: "/admin", client: "/client", user: "/dashboard" };

/** Composes the mails about notifications; null when all of them have been read, turned off, or may not be seen any more. */
export function createNotificationMails({ db, publicUrl }: { db: Db; publicUrl: string }): MailComposer {
  return async ({ template, recipient, notificationIds }) => {
    const found = await findMailed(db, { userId: recipient, ids: notificationIds ?? [] });
    const [first] = found.items;
    if (!found.person || !first) return null;
    const { email, name, accountType } = found.person;
    const shellUrl = `${publicUrl}${SHELLS[accountType]}`;
    const isDigest = template === DIGEST_TEMPLATE;
    const things = groupBy(found.items, ({ subject }) => thingOf(subject));
    const kinds = found.items.map(({ kind }) => kind);
    const token = await createUnsubscribeToken(db, { userId: recipient, kinds });
    const count = `${found.items.length} ${found.items.length === 1 ? "notification" : "notifications"}`;
    const mail = composeMail({
      subject: isDigest
        ? `Your day on Sangam: ${count}`
        : `${titleOf(first)}: ${describeNotification(found.items.at(-1) ?? first)}`,
      greeting: `Hello ${name},`,
      paragraphs: [isDigest ? "This is new for you and still unread:" : "This is new for you:"],
      list: things.map((group) => ({
        title: titleOf(last(group)),
        url: `${publicUrl}${thingAddress(last(group), SHELLS[accountType])}`,
        lines: [...new Set(group.flatMap((one) => [describeNotification(one), ...(found.textOf.get(one.id) ?? [])]))],
      })),
      action: { label: "Open inbox", url: `${shellUrl}/inbox` },
      footnote: `Choose in Settings which emails you get, and when: ${shellUrl}/settings`,
      unsubscribeUrl: `${publicUrl}/api/unsubscribe?token=${token}`,
    });
    return { to: email, ...mail };
  };
}

/** What is still unread of these and still to be mailed, oldest first, and whose it is. */
async function findMailed(db: Db, { userId, ids }: { userId: string; ids: readonly string[] }) {
  const { email, name, accountType } = users;
  const [person] = await db.select({ email, name, accountType }).from(users).where(eq(users.id, userId));
  const unread = await selectNotifications(
    db,
    and(
      isAnyOf(notifications.id, idRows(ids)),
      eq(notifications.userId, userId),
      isNull(notifications.readAt),
      mayStillSee(),
    ),
  ).orderBy(asc(notifications.createdAt), asc(notifications.id));
  // A mail may have waited for days since it was queued.
  const preferences = await findPreferences(db, { userId });
  const rows = unread.filter(({ kind }) => preferences[kind].mail !== "off");
  return { person, items: rows.map(showNotification), textOf: await findMailedTexts(db, rows) };
}

/** A notification, as its text is found. */
interface Caused {
  id: string;
  cause: string;
}

/**
 * The lines of what some notifications are about, by the notification: status updates, requests, questions and answers about them,
 * and why one was declined. Whoever reads the mail need not sign in to know.
 */
async function findMailedTexts(db: Db, rows: readonly Caused[]): Promise<ReadonlyMap<string, string[]>> {
  const found = await Promise.all([
    textsOf(rows, STATUS_UPDATE_CAUSE, (ids) => {
      const { id, text } = statusUpdates;
      return db.select({ id, text }).from(statusUpdates).where(isAnyOf(id, ids));
    }),
    textsOf(rows, REQUEST, (ids) => {
      const { id, text } = requests;
      return db.select({ id, text }).from(requests).where(isAnyOf(id, ids));
    }),
    textsOf(rows, REPLY, (ids) => {
      const { id, text } = requestReplies;
      return db.select({ id, text }).from(requestReplies).where(isAnyOf(id, ids));
    }),
    textsOf(rows, DECISION, (ids) => {
      const { id, reason } = requests;
      return db.select({ id, text: reason }).from(requests).where(isAnyOf(id, ids));
    }),
  ]);
  return new Map(found.flat());
}

type Named = { id: string; text: string | null };

/** What `read` finds by the ids that follow `prefix` in the causes. */
async function textsOf(
  rows: readonly Caused[],
  prefix: string,
  read: (ids: SQL) => PromiseLike<Named[]>,
): Promise<[id: string, lines: string[]][]> {
  const about = rows.flatMap(({ id, cause }) =>
    cause.startsWith(prefix) ? [{ id, of: cause.slice(prefix.length) }] : [],
  );
  if (about.length === 0) return [];
  const ids = JSON.stringify(about.map(({ of }) => of));
  const found = await read(sql`select json_array_elements_text(${ids}::json)::uuid`);
  const textOf = new Map(found.map(({ id, text }) => [id, text ?? ""]));
  return about.map(({ id, of }) => [
    id,
    cut(textOf.get(of) ?? "")
      .split("\n")
      .filter(Boolean),
  ]);
}

function cut(text: string): string {
  const letters = [...text];
  return letters.length > MAX_SHOWN ? `${letters.slice(0, MAX_SHOWN).join("").trimEnd()}…` : text;
}

function last(group: [Notification, ...Notification[]]): Notification {
  return group.at(-1) ?? group[0];
}
