import { and, eq, isNull, lte, or, type SQL, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Db } from "../../db/client";
import { countRows, instantAfter } from "../../db/expressions";

/** A table whose rows are jobs: an id and `leaseColumns` of db/schema/columns.ts. */
export type LeaseTable = PgTable & Record<"id" | "dueAt" | "leaseId" | "leasedUntil", PgColumn>;

/** The row that this process holds. The lease id is new with each claim, so that a late holder cannot write to the row. */
export interface Lease<Id extends string | number> {
  id: Id;
  leaseId: string;
}

/** How many jobs wait to be claimed, and for how long the oldest of them has been due; 0 without one. */
export interface Backlog {
  waiting: number;
  lagSeconds: number;
}

/** Due, and held by no process. */
export function isDue(table: LeaseTable): SQL | undefined {
  return and(lte(table.dueAt, sql`now()`), isFree(table));
}

/** Held by no process: never claimed, released, or its lease has run out because the process was killed. */
export function isFree({ leasedUntil }: LeaseTable): SQL | undefined {
  return or(isNull(leasedUntil), lte(leasedUntil, sql`now()`));
}

/**
 * The id of the next due row, locked, for the `where` of the update that claims it: `eq(table.id, nextDue(…))`. One value, not a
 * list for `in`: a plan that evaluates the list for each row would claim several. `where` narrows it; ordered by `orderBy`.
 */
export function nextDue(
  db: Db,
  {
    table,
    where,
    orderBy = [table.dueAt],
  }: { table: LeaseTable; where?: SQL | undefined; orderBy?: (PgColumn | SQL)[] },
): SQL {
  const next = db
    .select({ id: table.id })
    .from(table)
    .where(and(isDue(table), where))
    .orderBy(...orderBy)
    .limit(1)
    .for("update", { skipLocked: true });
  return sql`(${next})`;
}

/** The columns of a claim. Should the process be killed, the row is due again once the lease has run out. */
export function leaseFor(seconds: number) {
  const end = instantAfter(sql`now()`, seconds);
  return { leaseId: sql`gen_random_uuid()`, leasedUntil: end, dueAt: end };
}

/** The columns of a release; set `dueAt` beside them. */
export const RELEASED = { leaseId: null, leasedUntil: null };

/** The row of a lease, unless another process has claimed it since. */
export function isHeld(table: LeaseTable, { id, leaseId }: Lease<string | number>): SQL | undefined {
  return and(eq(table.id, id), eq(table.leaseId, leaseId));
}

/** Does work of unknown length, and extends its lease meanwhile, so often that a failure or two are no harm. */
export async function whileRenewing<Result>(
  work: () => Promise<Result>,
  { renew, everyMs }: { renew: () => Promise<unknown>; everyMs: number },
): Promise<Result> {
  const renewing = setInterval(() => void renew().catch(() => {}), everyMs);
  return work().finally(() => clearInterval(renewing));
}

/** Seconds to wait after so many failures in a row: `baseSeconds`, doubled with each further one, at most `maxSeconds`. */
export function backoff(
  failures: PgColumn | SQL,
  { baseSeconds, maxSeconds }: { baseSeconds: number; maxSeconds: number },
): SQL<number> {
  // The exponent is bounded, since the power of a large one overflows.
  return sql<number>`least(${maxSeconds}::float, ${baseSeconds}::float * power(2, least(greatest(${failures} - 1, 0), 20)))`;
}

/** The backlog of a table's rows, or of those that fulfil `where`. */
export async function findBacklog(
  db: Db,
  { table, where }: { table: LeaseTable; where?: SQL | undefined },
): Promise<Backlog> {
  const [row] = await db
    .select({
      waiting: countRows(),
      lagSeconds: sql<number>`coalesce(extract(epoch from now() - min(${table.dueAt})), 0)::float`,
    })
    .from(table)
    .where(and(isDue(table), where));
  return row ?? { waiting: 0, lagSeconds: 0 };
}
