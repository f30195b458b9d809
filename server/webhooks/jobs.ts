import { createHmac } from "node:crypto";
import { and, asc, between, eq, gt, gte, inArray, isNull, sql } from "drizzle-orm";
import { alias } from "drizzle-orm/pg-core";
import type { Db } from "../../db/client";
import { countRows, instantAfter } from "../../db/expressions";
import { webhookDeliveries, webhooks } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { type Outgoing, OutgoingError } from "../core/outgoing";
import type { Vault } from "../core/vault";
import { backoff, findBacklog, isHeld, type Lease, leaseFor, nextDue, RELEASED } from "../jobs/lease";
import type { JobKind } from "../jobs/runner";
import { boundTo } from "./subjects";

const TIMEOUT_MS = 10_000;
const LEASE_SECONDS = 60;
const POLL_MS = 2_000;
const CONCURRENCY = 4;
/** Deliveries under way, of one webhook, beside which others' come first. */
const BUSY_FROM = 2;
const BACKOFF = { baseSeconds: 30, maxSeconds: 6 * 3_600 };
const GIVE_UP_DAYS = 3;

/** A webhook did not take a delivery: its own fault, and none of ours. */
class DeliveryError extends Error {
  override readonly name = "DeliveryError";
}

interface Delivery extends Lease<string> {
  webhookId: string;
  attempts: number;
}

const isOpen = and(isNull(webhookDeliveries.deliveredAt), isNull(webhookDeliveries.gaveUpAt));

/** Sends what is queued for webhooks; again after a while, at most for three days, where the answer is not 2xx. */
export function webhookKind(db: Db, { vault, outgoing }: { vault: Vault; outgoing: Outgoing }): JobKind<Delivery> {
  return {
    name: "webhooks",
    concurrency: CONCURRENCY,
    topic: null,
    pollMs: POLL_MS,
    claim: () => claimNext(db),
    run: (job, signal) => deliver({ db, vault, outgoing, signal }, job),
    retryLater: (job) => postpone(db, job),
    release: (job) => release(db, job),
    isOwnFault: (error) => error instanceof DeliveryError,
    describe: ({ id, webhookId, attempts }) => ({ delivery: id, webhook: webhookId, attempts }),
    backlog: () => findBacklog(db, { table: webhookDeliveries, where: isOpen }),
  };
}

/**
 * Webhooks with few deliveries under way come first, and then first attempts: an address that answers no more, or has much to receive,
 * holds up no other one for long.
 */
async function claimNext(db: Db): Promise<Delivery | null> {
  const { id, webhookId, attempts, dueAt } = webhookDeliveries;
  const underWay = alias(webhookDeliveries, "under_way");
  const busy = db
    .select({ webhookId: underWay.webhookId })
    .from(underWay)
    .where(
      and(
        gt(underWay.leasedUntil, sql`now()`),
        // As due as its lease lasts: a range of the index of those that wait, in place of all that are open.
        between(underWay.dueAt, sql`now()`, instantAfter(sql`now()`, LEASE_SECONDS)),
        isNull(underWay.deliveredAt),
        isNull(underWay.gaveUpAt),
      ),
    )
    .groupBy(underWay.webhookId)
    .having(gte(countRows(), BUSY_FROM));
  const orderBy = [inArray(webhookId, busy), asc(attempts), asc(dueAt)];
  const [job] = await db
    .update(webhookDeliveries)
    .set(columnsOf(webhookDeliveries, { ...leaseFor(LEASE_SECONDS), attempts: sql`${attempts} + 1` }))
    .where(eq(id, nextDue(db, { table: webhookDeliveries, where: isOpen, orderBy })))
    .returning({ id, webhookId, attempts, leaseId: sql<string>`${webhookDeliveries.leaseId}` });
  return job ?? null;
}

async function deliver(
  { db, vault, outgoing, signal }: { db: Db; vault: Vault; outgoing: Outgoing; signal: AbortSignal },
  job: Delivery,
): Promise<void> {
  const [row] = await db
    .select({
      url: webhooks.url,
      body: webhookDeliveries.body,
      sealed: webhooks.sealedSecret,
      keyId: webhooks.keyId,
    })
    .from(webhookDeliveries)
    .innerJoin(webhooks, eq(webhooks.id, webhookDeliveries.webhookId))
    .where(isHeld(webhookDeliveries, job));
  // The webhook was deleted, and the delivery with it.
  if (!row) return;
  const { url, body, ...sealed } = row;
  const secret = vault.open(sealed, boundTo(job.webhookId));
  if (!secret) return fail(db, job, { status: null, error: "The secret can't be decrypted." });
  const signature = createHmac("sha256", secret.reveal()).update(body).digest("hex");
  const headers = {
    "content-type": "application/json",
    "x-sangam-delivery": job.id,
    "x-sangam-signature": `sha256=${signature}`,
  };
  const request = { method: "POST" as const, headers, body, timeoutMs: TIMEOUT_MS, maxBytes: 0, requireHttps: true };
  let status: number;
  try {
    ({ status } = await outgoing.send(url, { ...request, signal }));
  } catch (error) {
    // The answer of a server that stops says nothing: another one sends it again.
    signal.throwIfAborted();
    if (!(error instanceof OutgoingError)) throw error;
    return fail(db, job, { status: null, error: REASONS[error.reason] });
  }
  if (status < 200 || status > 299) return fail(db, job, { status, error: "The answer is not 2xx." });
  const now = sql`now()`;
  const outcome = { lastStatus: status, lastError: null, lastAttemptAt: now, deliveredAt: now };
  await db
    .update(webhookDeliveries)
    .set(columnsOf(webhookDeliveries, { ...RELEASED, ...outcome }))
    .where(isHeld(webhookDeliveries, job));
}

const REASONS: Record<OutgoingError["reason"], string> = {
  refused: "The address is not a public https address.",
  "unknown-host": "The host can't be found.",
  unreachable: "The host can't be reached.",
  ended: "There was no answer in time.",
  redirects: "The address redirects.",
};

/** Notes why it failed, and fails. One that is held no more, as its webhook was deleted meanwhile, is not sent again: it just ends. */
async function fail(
  db: Db,
  job: Delivery,
  { status: lastStatus, error: lastError }: { status: number | null; error: string },
): Promise<void> {
  const [held] = await db
    .update(webhookDeliveries)
    .set(columnsOf(webhookDeliveries, { lastStatus, lastError, lastAttemptAt: sql`now()` }))
    .where(isHeld(webhookDeliveries, job))
    .returning({ id: webhookDeliveries.id });
  if (held) throw new DeliveryError(lastStatus === null ? lastError : `HTTP ${lastStatus}`);
}

async function postpone(db: Db, job: Delivery): Promise<boolean> {
  const { attempts, createdAt, gaveUpAt } = webhookDeliveries;
  const isOver = sql`${createdAt} <= now() - make_interval(days => ${GIVE_UP_DAYS})`;
  const [released] = await db
    .update(webhookDeliveries)
    .set(
      columnsOf(webhookDeliveries, {
        ...RELEASED,
        dueAt: instantAfter(sql`now()`, backoff(attempts, BACKOFF)),
        gaveUpAt: sql`case when ${isOver} then now() end`,
      }),
    )
    .where(isHeld(webhookDeliveries, job))
    .returning({ gaveUpAt });
  return released?.gaveUpAt === null;
}

async function release(db: Db, job: Delivery): Promise<void> {
  const attempts = sql`${webhookDeliveries.attempts} - 1`;
  await db
    .update(webhookDeliveries)
    .set(columnsOf(webhookDeliveries, { ...RELEASED, dueAt: sql`now()`, attempts }))
    .where(isHeld(webhookDeliveries, job));
}
