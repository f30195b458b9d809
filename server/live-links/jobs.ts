import { and, eq, not, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { instantAfter } from "../../db/expressions";
import { liveLinkChecks, liveLinks } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { DEAD_AFTER_CHECKS } from "../contract/findings";
import { type Outgoing, OutgoingError } from "../core/outgoing";
import { backoff, findBacklog, isHeld, type Lease, leaseFor, nextDue, RELEASED } from "../jobs/lease";
import { recurringJob } from "../jobs/recurring";
import type { JobKind } from "../jobs/runner";
import { notifyFindings } from "../realtime/notify";
import { deleteLiveLinks, followLiveLinks, isReserved } from "./mutations";

const TIMEOUT_MS = 10_000;
const MAX_REDIRECTS = 5;
const LEASE_SECONDS = 60;
const MAX_POLL_MS = 5_000;
const CONCURRENCY = 4;
const UPKEEP_SECONDS = 3_600;
/** Of the time between two checks: how soon it is asked again that gave no answer. */
const FIRST_RETRY = 1 / 20;
/** Somebody is there, who wants to know who asks, or is asked too often. */
const ANSWERS: ReadonlySet<number> = new Set([401, 403, 429]);

interface LiveLinkOptions {
  outgoing: Outgoing;
  /** Between two checks of a link; 0 for none at all. */
  everySeconds: number;
}

/** A link that this process, and no other, asks now; `isUp` and `failures` as they were before. */
interface Check extends Lease<string> {
  url: string;
  isUp: boolean | null;
  failures: number;
}

type Found = Pick<typeof liveLinkChecks.$inferInsert, "isUp" | "status" | "error">;

/** Asks the live links of running projects whether they answer. Which links there are is looked up once an hour besides. */
export function liveLinkKinds(db: Db, { outgoing, everySeconds }: LiveLinkOptions) {
  const upkeep = recurringJob(db, {
    name: "live-link-upkeep",
    everySeconds: UPKEEP_SECONDS,
    atStart: true,
    work: () => (everySeconds === 0 ? deleteLiveLinks(db) : followLiveLinks(db)),
  });
  return everySeconds === 0 ? [upkeep] : [liveLinkKind(db, { outgoing, everySeconds }), upkeep];
}

/** One check of each link that is due. That a link gives no answer is no failure of the job. */
export function liveLinkKind(db: Db, { outgoing, everySeconds }: LiveLinkOptions): JobKind<Check> {
  return {
    name: "live-links",
    concurrency: CONCURRENCY,
    topic: null,
    pollMs: Math.min(MAX_POLL_MS, everySeconds * 100),
    claim: () => claimNext(db),
    async run(check, signal) {
      const found = await ask(outgoing, { url: check.url, signal });
      // The answer of a server that stops says nothing: another one asks again.
      if (signal.aborted) await release(db, check, sql`now()`);
      else await save(db, { check, found, everySeconds });
    },
    async retryLater(check) {
      await release(db, check, instantAfter(sql`now()`, everySeconds));
      return true;
    },
    describe: ({ id }) => ({ projectId: id }),
    backlog: () => findBacklog(db, { table: liveLinks, where: not(isReserved) }),
  };
}

async function claimNext(db: Db): Promise<Check | null> {
  const { id, url, failures, lastCheckedAt, upSince, isRefused } = liveLinks;
  const isKnown = sql`${lastCheckedAt} is not null and not ${isRefused}`;
  const [check] = await db
    .update(liveLinks)
    .set(columnsOf(liveLinks, leaseFor(LEASE_SECONDS)))
    .where(eq(id, nextDue(db, { table: liveLinks, where: not(isReserved) })))
    .returning({
      ...{ id, url, failures },
      isUp: sql<boolean | null>`case when ${isKnown} then ${upSince} is not null end`,
      leaseId: sql<string>`${liveLinks.leaseId}`,
    });
  return check ?? null;
}

/** What the first lines of an answer say; "refused" for an address that may not be asked. */
async function ask(
  outgoing: Outgoing,
  { url, signal }: { url: string; signal: AbortSignal },
): Promise<Found | "refused"> {
  const bounds = { timeoutMs: TIMEOUT_MS, maxBytes: 0, maxRedirects: MAX_REDIRECTS };
  try {
    // Many servers do not answer HEAD.
    const { status } = await outgoing.send(url, { method: "GET", ...bounds, signal });
    return { isUp: status < 400 || ANSWERS.has(status), status, error: null };
  } catch (error) {
    if (!(error instanceof OutgoingError)) throw error;
    return error.reason === "refused" ? "refused" : { isUp: false, status: null, error: error.reason };
  }
}

/** Stores what was found, unless the link is another one by now or another process asks it. Tells those who watch when it turns. */
async function save(
  db: Db,
  { check, found, everySeconds }: { check: Check; found: Found | "refused"; everySeconds: number },
): Promise<void> {
  const isUp = found === "refused" ? null : found.isUp;
  const failures = isUp === false ? check.failures + 1 : 0;
  const pause = isUp === false ? retryPause(failures, everySeconds) : sql<number>`${everySeconds}::float`;
  const now = sql`now()`;
  await db.transaction(async (tx) => {
    const [saved] = await tx
      .update(liveLinks)
      .set(
        columnsOf(liveLinks, {
          ...RELEASED,
          // Up to a quarter later, so that links do not all become due at once.
          dueAt: instantAfter(now, sql<number>`${pause} * (1 + random() / 4)`),
          lastCheckedAt: now,
          upSince: isUp ? sql`coalesce(${liveLinks.upSince}, now())` : null,
          failingSince: isUp === false ? sql`coalesce(${liveLinks.failingSince}, now())` : null,
          failures,
          isRefused: found === "refused",
        }),
      )
      .where(and(isHeld(liveLinks, check), eq(liveLinks.url, check.url)))
      .returning({ projectId: liveLinks.id });
    if (!saved) return;
    if (found !== "refused")
      await tx.insert(liveLinkChecks).values(columnsOf(liveLinkChecks, { ...saved, ...found, at: now }));
    const turned = isUp !== check.isUp || failures === DEAD_AFTER_CHECKS;
    if (turned) await notifyFindings(tx);
  });
}

function retryPause(failures: number, everySeconds: number): SQL<number> {
  return backoff(sql`${failures}::int`, { baseSeconds: everySeconds * FIRST_RETRY, maxSeconds: everySeconds });
}

async function release(db: Db, check: Check, dueAt: SQL): Promise<void> {
  await db
    .update(liveLinks)
    .set(columnsOf(liveLinks, { ...RELEASED, dueAt }))
    .where(isHeld(liveLinks, check));
}
