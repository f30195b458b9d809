import { and, asc, eq, getTableColumns, gt, inArray, isNull, lte, ne, sql } from "drizzle-orm";
import pLimit from "p-limit";
import type { Db } from "../../db/client";
import { notifications, pushKeys, pushSubscriptions, sessions } from "../../db/schema";
import { columnsOf, unlessGone } from "../../db/writes";
import { describeNotification, thingAddress, thingOf, titleOf } from "../contract/messages/notifications";
import type { PushSubscription } from "../contract/notifications";
import type { Logger } from "../core/logger";
import { sessionEnded } from "../core/procedures";
import { type SealedColumn, SecretToken, type Vault } from "../core/vault";
import { SHELLS } from "./mails";
import { mayStillSee } from "./policy";
import { lockedIds, selectNotifications, showNotification } from "./queries";

const BOUND_TO = "web push";

/** The private key as `reseal` sees it. */
export const sealedPushKey: SealedColumn = {
  name: "key of Web Push",
  async list(db, { thanKeyId }) {
    const { sealedPrivateKey: sealed, keyId } = pushKeys;
    const rows = await db.select({ sealed, keyId }).from(pushKeys).where(ne(keyId, thanKeyId));
    return rows.map((row) => ({ ...row, bound: BOUND_TO }));
  },
  async replace(db, { from, to }) {
    await db
      .update(pushKeys)
      .set(columnsOf(pushKeys, { sealedPrivateKey: to.sealed, keyId: to.keyId }))
      .where(eq(pushKeys.sealedPrivateKey, from.sealed));
  },
};

interface PushServices {
  db: Db;
  vault: Vault;
}

/** The public half of the organisation's key pair, and whether the browser of this session takes pushes. */
export async function findPushKey(
  { db, vault }: PushServices,
  { sessionId }: { sessionId: string },
): Promise<{ publicKey: string; isSubscribed: boolean }> {
  const { publicKey } = await findKeyPair({ db, vault });
  const own = await db
    .select({ id: pushSubscriptions.id })
    .from(pushSubscriptions)
    .where(eq(pushSubscriptions.sessionId, sessionId))
    .limit(1);
  return { publicKey, isSubscribed: own.length > 0 };
}

/** Made when it is first asked for, and again when no key decrypts it: browsers then have to be turned on anew. */
async function findKeyPair({ db, vault }: PushServices): Promise<{ publicKey: string; privateKey: SecretToken }> {
  const [stored] = await db.select().from(pushKeys);
  const known = stored && vault.open({ sealed: stored.sealedPrivateKey, keyId: stored.keyId }, BOUND_TO);
  if (stored && known) return { publicKey: stored.publicKey, privateKey: known };
  const { publicKey, privateKey } = (await loadPush()).generateVAPIDKeys();
  const { sealed, keyId } = vault.seal(new SecretToken(privateKey), BOUND_TO);
  await db.transaction(async (tx) => {
    if (stored) await tx.delete(pushKeys).where(eq(pushKeys.sealedPrivateKey, stored.sealedPrivateKey));
    if (stored) await tx.delete(pushSubscriptions);
    await tx
      .insert(pushKeys)
      .values(columnsOf(pushKeys, { publicKey, sealedPrivateKey: sealed, keyId }))
      .onConflictDoNothing();
  });
  return findKeyPair({ db, vault });
}

/** What a subscription goes with. */
const SESSION_OF = "push_subscriptions_session_id_sessions_id_fk";

/**
 * Pushes go to this browser from now on, for as long as its session lasts. UNAUTHORIZED where that has ended meanwhile. A browser
 * has one subscription: an earlier one of the session goes.
 */
export async function subscribePush(
  db: Db,
  { subscription, userId, sessionId }: { subscription: PushSubscription; userId: string; sessionId: string },
): Promise<void> {
  const { endpoint, keys } = subscription;
  const columns = { userId, sessionId, endpoint, ...keys };
  const stored = await unlessGone(SESSION_OF, () =>
    db.transaction(async (tx) => {
      const { sessionId: session, endpoint: address } = pushSubscriptions;
      await tx.delete(pushSubscriptions).where(and(eq(session, sessionId), ne(address, endpoint)));
      return tx
        .insert(pushSubscriptions)
        .values(columnsOf(pushSubscriptions, columns))
        .onConflictDoUpdate({ target: address, set: columnsOf(pushSubscriptions, columns) });
    }),
  );
  if (!stored) throw sessionEnded();
}

/** No more pushes to this browser; one that is not the caller's is passed over. */
export async function unsubscribePush(
  db: Db,
  { endpoint, userId }: { endpoint: string; userId: string },
): Promise<void> {
  const { endpoint: address, userId: owner } = pushSubscriptions;
  await db.delete(pushSubscriptions).where(and(eq(address, endpoint), eq(owner, userId)));
}

/** Sends one push. Rejects with `statusCode` when the push service refuses it. */
export type PushSender = (
  subscription: PushSubscription,
  push: { payload: string; publicKey: string; privateKey: SecretToken },
) => Promise<void>;

/** After a day nobody wants to know any more. */
const TTL_SECONDS = 86_400;
const TIMEOUT_MS = 10_000;

/** Sends through the browser makers' push services. `contact` is whom they may write to. */
export function createPushSender({ contact }: { contact: string }): PushSender {
  return async (subscription, { payload, publicKey, privateKey }) => {
    const vapidDetails = { subject: contact, publicKey, privateKey: privateKey.reveal() };
    const options = { vapidDetails, TTL: TTL_SECONDS, timeout: TIMEOUT_MS };
    await (await loadPush()).sendNotification(subscription, payload, options);
  };
}

/** Apart from the rest: a server that starts has no push to send yet. index.ts calls it once it listens. */
export async function loadPush() {
  return (await import("web-push")).default;
}

const MAX_BATCH = 200;
/** Notifications at a time. Should no service answer, a batch still ends within the job's lease. */
const CONCURRENCY = 8;
/** What a push service answers for a browser that takes none any more. */
const GONE = new Set([404, 410]);

/**
 * Pushes what nobody has read yet, once. What a push service does not take is not tried again: the inbox has it. What is not begun
 * when the signal aborts is due again at once. Safe to run in several processes.
 */
export async function sendDuePushes({
  db,
  vault,
  logger,
  send,
  signal,
  timeoutMs = TIMEOUT_MS,
}: PushServices & {
  logger: Logger;
  send: PushSender;
  signal: AbortSignal;
  timeoutMs?: number;
}): Promise<void> {
  const due = await claimDue(db);
  if (due.length === 0) return;
  const unsent = new Set(due.map(({ notification }) => notification.id));
  try {
    const keyPair = await findKeyPair({ db, vault });
    const targets = await listTargets(db, [...new Set(due.map(({ userId }) => userId))]);
    const pushOne = async ({ userId, accountType, notification }: Due) => {
      if (signal.aborted) return;
      unsent.delete(notification.id);
      const payload = JSON.stringify({
        title: titleOf(notification),
        body: describeNotification(notification),
        url: thingAddress(notification, SHELLS[accountType]),
        tag: thingOf(notification.subject),
      });
      const pushTo = async ({ id, endpoint, p256dh, auth }: Target) => {
        const sending = send({ endpoint, keys: { p256dh, auth } }, { payload, ...keyPair });
        await inTime(sending, timeoutMs).catch((error: unknown) => noteRefusal({ db, logger, id }, error));
      };
      await Promise.all(targets.filter((target) => target.userId === userId).map(pushTo));
    };
    const limit = pLimit(CONCURRENCY);
    // Whatever goes wrong with one, the others end before the job does.
    const pushed = await Promise.allSettled(due.map((one) => limit(pushOne, one)));
    const failed = pushed.find((one) => one.status === "rejected");
    if (failed) throw failed.reason;
  } finally {
    await makeDue(db, [...unsent]);
  }
}

/** A sender may never settle: web-push does not where the other side disconnects after the headers. */
async function inTime(sending: Promise<void>, timeoutMs: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error("no answer in time")), timeoutMs);
  });
  await Promise.race([sending, late]).finally(() => clearTimeout(timer));
}

async function noteRefusal({ db, logger, id }: { db: Db; logger: Logger; id: string }, error: unknown): Promise<void> {
  const status = error instanceof Error ? Reflect.get(error, "statusCode") : null;
  if (GONE.has(Number(status))) await db.delete(pushSubscriptions).where(eq(pushSubscriptions.id, id));
  else logger.warn("push", { subscriptionId: id, status: Number(status) || 0 });
}

type Target = Awaited<ReturnType<typeof listTargets>>[number];

/** The browsers of these people whose sessions last: the row of one that has run out stays until it is swept. */
function listTargets(db: Db, userIds: string[]) {
  return db
    .select(getTableColumns(pushSubscriptions))
    .from(pushSubscriptions)
    .innerJoin(sessions, eq(sessions.id, pushSubscriptions.sessionId))
    .where(and(inArray(pushSubscriptions.userId, userIds), gt(sessions.expiresAt, sql`now()`)));
}

type Due = Awaited<ReturnType<typeof claimDue>>[number];

async function makeDue(db: Db, ids: string[]): Promise<void> {
  if (ids.length === 0) return;
  const { id } = notifications;
  await db.transaction((tx) =>
    tx
      .update(notifications)
      .set(columnsOf(notifications, { pushDueAt: sql`now()` }))
      .where(inArray(id, lockedIds(tx, inArray(id, ids)))),
  );
}

/** Takes what is due, so that no other process sends it too. */
async function claimDue(db: Db) {
  return db.transaction(async (tx) => {
    const isDue = and(lte(notifications.pushDueAt, sql`now()`), isNull(notifications.readAt));
    const claimed = tx
      .select({ id: notifications.id })
      .from(notifications)
      .where(isDue)
      .orderBy(asc(notifications.pushDueAt))
      .limit(MAX_BATCH)
      .for("update", { skipLocked: true });
    const ids = await tx
      .update(notifications)
      .set(columnsOf(notifications, { pushDueAt: null }))
      .where(inArray(notifications.id, claimed))
      .returning({ id: notifications.id });
    if (ids.length === 0) return [];
    const claimedIds = ids.map(({ id }) => id);
    const rows = await selectNotifications(tx, and(inArray(notifications.id, claimedIds), mayStillSee()));
    return rows.map(({ userId, accountType, ...row }) => ({
      userId,
      accountType,
      notification: showNotification(row),
    }));
  });
}
