import { and, eq, type SQL, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { instantAfter } from "../../db/expressions";
import { recurringJobs } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { backoff, findBacklog, isDue, isFree, isHeld, type Lease, leaseFor, RELEASED } from "./lease";
import type { JobKind } from "./runner";

const LEASE_SECONDS = 300;
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
  const release = (job: Lease<string>, next: { failures: number | SQL; pause: number | SQL<number> }) =>
    db
      .update(recurringJobs)
      .set(
        columnsOf(recurringJobs, { ...RELEASED, failures: next.failures, dueAt: instantAfter(sql`now()`, next.pause) }),
      )
      .where(isHeld(recurringJobs, job));
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
        .set(columnsOf(recurringJobs, leaseFor(LEASE_SECONDS)))
        .where(and(isThis, isRunnable))
        .returning({ id: recurringJobs.id, leaseId: sql<string>`${recurringJobs.leaseId}` });
      isFirst &&= atStart && !held;
      return held ?? null;
    },
    async run(job) {
      await work();
      await release(job, { failures: 0, pause: everySeconds });
    },
    async retryLater(job) {
      const failures = sql`${recurringJobs.failures} + 1`;
      await release(job, { failures, pause: backoff(failures, { baseSeconds: 10, maxSeconds: everySeconds }) });
      return true;
    },
    describe: () => ({}),
    backlog: () => findBacklog(db, { table: recurringJobs, where: isThis }),
  };
}
