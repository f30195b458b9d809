import { and, eq, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { instantAfter } from "../../db/expressions";
import { recurringJobs } from "../../db/schema";
import { backoff, findBacklog, isDue, isFree, isHeld, type Lease, leaseFor, RELEASED } from "./lease";
import type { JobKind } from "./runner";

const LEASE_SECONDS = 300;
const FIRST_RETRY_SECONDS = 10;
/** Of the interval between two runs: how late a due run may start. */
const POLLS_PER_INTERVAL = 10;
const MAX_POLL_MS = 60_000;

/**
 * Work at an interval, once for all processes together. A failed run is repeated after 10 s, doubled with each failure, at
 * most the interval. With `atStart` each process also runs it once when it starts.
 */
export function recurringJob(
  db: Db,
  {
    name,
    everySeconds,
    startAfterMs = 0,
    atStart = false,
    work,
  }: { name: string; everySeconds: number; startAfterMs?: number; atStart?: boolean; work: () => Promise<unknown> },
): JobKind<Lease<string>> {
  const isThis = eq(recurringJobs.id, name);
  let isFirst = true;
  return {
    name,
    concurrency: 1,
    topic: null,
    pollMs: Math.min((everySeconds * 1_000) / POLLS_PER_INTERVAL, MAX_POLL_MS),
    startAfterMs,
    async claim() {
      if (isFirst) await db.insert(recurringJobs).values({ id: name }).onConflictDoNothing();
      const isRunnable = isFirst && atStart ? isFree(recurringJobs) : isDue(recurringJobs);
      const [held] = await db
        .update(recurringJobs)
        .set(leaseFor(LEASE_SECONDS))
        .where(and(isThis, isRunnable))
        .returning({ id: recurringJobs.id, leaseId: sql<string>`${recurringJobs.leaseId}` });
      isFirst &&= atStart && !held;
      return held ?? null;
    },
    async run(job) {
      await work();
      await db
        .update(recurringJobs)
        .set({ ...RELEASED, failures: 0, dueAt: instantAfter(sql`now()`, everySeconds) })
        .where(isHeld(recurringJobs, job));
    },
    async retryLater(job) {
      const pause = backoff(sql`${recurringJobs.failures} + 1`, {
        baseSeconds: Math.min(FIRST_RETRY_SECONDS, everySeconds),
        maxSeconds: everySeconds,
      });
      await db
        .update(recurringJobs)
        .set({ ...RELEASED, failures: sql`${recurringJobs.failures} + 1`, dueAt: instantAfter(sql`now()`, pause) })
        .where(isHeld(recurringJobs, job));
      return true;
    },
    describe: () => ({}),
    backlog: () => findBacklog(db, { table: recurringJobs, where: isThis }),
  };
}
