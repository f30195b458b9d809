import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { instantAfter } from "../../db/expressions";
import { recurringJobs } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { backoff, findBacklog, isDue, isFree, isHeld, type Lease, leaseFor, RELEASED, whileRenewing } from "./lease";
import type { JobKind } from "./runner";

const LEASE_SECONDS = 300;
const RETRY_SECONDS = 10;
const MAX_RETRY_SECONDS = 86_400;
/** Of the interval between two runs: how late a due run may start. */
const POLLS_PER_INTERVAL = 10;
const MAX_POLL_MS = 60_000;

interface Recurring {
  name: string;
  /** Between two runs; a function is asked after each run. */
  everySeconds: number | (() => Promise<SQL<number>>);
  startAfterMs?: number;
  /** The very first run waits for its time too; else it begins at the start. */
  waitsFirst?: boolean;
  atStart?: boolean;
  /** After a first failure; doubled with each further one, at most the interval, or a day. */
  retrySeconds?: number;
  /** How long one run may take, or be silent that renews its lease: after that another process may begin it anew. */
  leaseSeconds?: number;
  /** How often a run renews its lease; never by default. */
  renewMs?: number;
  /** `signal` aborts when the process stops. */
  work: (signal: AbortSignal) => Promise<unknown>;
}

/** Work at an interval, once for all processes together. With `atStart` each process also runs it once when it starts. */
export function recurringJob(
  db: Db,
  {
    name,
    everySeconds,
    startAfterMs = 0,
    waitsFirst = false,
    atStart = false,
    retrySeconds = RETRY_SECONDS,
    leaseSeconds = LEASE_SECONDS,
    renewMs,
    work,
  }: Recurring,
): JobKind<Lease<string>> {
  const maxSeconds = typeof everySeconds === "number" ? everySeconds : MAX_RETRY_SECONDS;
  const isThis = eq(recurringJobs.id, name);
  const end = (job: Lease<string>, next: { failures?: number | SQL; pause: number | SQL<number> }) =>
    db
      .update(recurringJobs)
      .set(
        columnsOf(recurringJobs, { ...RELEASED, failures: next.failures, dueAt: instantAfter(sql`now()`, next.pause) }),
      )
      .where(isHeld(recurringJobs, job));
  const renew = (job: Lease<string>) => {
    const leasedUntil = instantAfter(sql`now()`, leaseSeconds);
    return db.update(recurringJobs).set({ leasedUntil, dueAt: leasedUntil }).where(isHeld(recurringJobs, job));
  };
  const pause = async () => (typeof everySeconds === "number" ? everySeconds : await everySeconds());
  let isFirst = true;
  return {
    name,
    concurrency: 1,
    topic: null,
    pollMs: Math.min((maxSeconds * 1_000) / POLLS_PER_INTERVAL, MAX_POLL_MS),
    startAfterMs,
    async claim() {
      if (isFirst) {
        const dueAt = waitsFirst ? instantAfter(sql`now()`, await pause()) : sql<Date>`now()`;
        await db.insert(recurringJobs).values({ id: name, dueAt }).onConflictDoNothing();
      }
      const isRunnable = isFirst && atStart ? isFree(recurringJobs) : isDue(recurringJobs);
      const [held] = await db
        .update(recurringJobs)
        .set(columnsOf(recurringJobs, leaseFor(leaseSeconds)))
        .where(and(isThis, isRunnable))
        .returning({ id: recurringJobs.id, leaseId: sql<string>`${recurringJobs.leaseId}` });
      isFirst &&= atStart && !held;
      return held ?? null;
    },
    async run(job, signal) {
      if (renewMs === undefined) await work(signal);
      else await whileRenewing(() => work(signal), { renew: () => renew(job), everyMs: renewMs });
      await end(job, { failures: 0, pause: await pause() });
    },
    async retryLater(job) {
      const failures = sql`${recurringJobs.failures} + 1`;
      await end(job, { failures, pause: backoff(failures, { baseSeconds: retrySeconds, maxSeconds }) });
      return true;
    },
    async release(job) {
      await end(job, { pause: 0 });
    },
    describe: () => ({}),
    backlog: () => findBacklog(db, { table: recurringJobs, where: isThis }),
  };
}
