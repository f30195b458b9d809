import { DEMO_OWNER, type RepositoryProblemKind } from "@db/enums";
import { and, asc, eq, exists, gt, inArray, isNull, lte, ne, not, or, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { instantAfter, latest } from "../../db/expressions";
import { projects, repositories } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import type { RefreshAnswer } from "../contract/views";
import type { Actor } from "../core/context";
import { backoff, isHeld, type Lease, leaseFor, nextDue, RELEASED } from "../jobs/lease";
import { visibleTo } from "../projects/policy";
import { SECONDS_BETWEEN_READINGS, wantedDueAt } from "../projects/repository";
import { notifyReading } from "../realtime/notify";

/** Far longer than reading a page may take. */
const LEASE_SECONDS = 60;
const BACKGROUND_SECONDS = 15 * 60;
/** Between sync runs that fail one after the other. */
const MAX_PAUSE_SECONDS = 6 * 3600;
/** A push may follow a sync run closely, but many pushes need one run. */
const SECONDS_BETWEEN_PUSHES = 5;
/** How long a repository is kept that no project links to. */
const UNLINKED_RETENTION_HOURS = 24;

/** A repository that this process, and no other, may read now. */
export interface SyncRun extends Lease<string> {
  owner: string;
  name: string;
  etag: string | null;
  /** Null before its first reading. */
  lastSuccessAt: Date | null;
  /** What went wrong at its last reading; null where nothing did. */
  problem: RepositoryProblemKind | null;
  /** Whether the stored commits were read with the token. */
  readWithToken: boolean;
  /** Of the repository, when the run began. */
  changeSeq: number;
}

/** The demo's repositories do not exist on GitHub, or belong to somebody else. */
const isReal = ne(repositories.owner, DEMO_OWNER);
const isLinked = exists(sql`(select 1 from ${projects} where ${eq(projects.repositoryId, repositories.id)})`);

/** Of repositories that are due: those that may be read. */
export const isSyncable = and(
  isReal,
  isLinked,
  or(isNull(repositories.blockedUntil), lte(repositories.blockedUntil, sql`now()`)),
);

/** Starts a sync run of the repository that has been due the longest; null when none is due. */
export async function claimRepository(db: Db): Promise<SyncRun | null> {
  const [run] = await db
    .update(repositories)
    .set(columnsOf(repositories, { ...leaseFor(LEASE_SECONDS), lastAttemptAt: sql`now()` }))
    .where(eq(repositories.id, nextDue(db, { table: repositories, where: isSyncable })))
    .returning({
      id: repositories.id,
      owner: repositories.owner,
      name: repositories.name,
      etag: repositories.etag,
      lastSuccessAt: repositories.lastSuccessAt,
      problem: repositories.problem,
      readWithToken: repositories.readWithToken,
      changeSeq: repositories.changeSeq,
      leaseId: sql<string>`${repositories.leaseId}`,
    });
  return run ?? null;
}

/** Extends the lease, for a history of many pages. False when another process has claimed the repository. */
export async function extendLease(db: Db, run: SyncRun): Promise<boolean> {
  const leaseEnd = instantAfter(sql`now()`, LEASE_SECONDS);
  const [held] = await db
    .update(repositories)
    .set({ leasedUntil: leaseEnd, dueAt: latest(repositories.dueAt, leaseEnd) })
    .where(isHeld(repositories, run))
    .returning({ id: repositories.id });
  return held !== undefined;
}

/** Ends a run without a result: the repository is due again a minute after the run began. */
export async function releaseRun(db: Db, run: SyncRun): Promise<void> {
  await db.update(repositories).set(columnsOf(repositories, RELEASED)).where(isHeld(repositories, run));
}

/** Ends a run whose result may not be used: the repository is due again at once. */
export async function repeatRun(tx: Tx, run: SyncRun): Promise<void> {
  await tx
    .update(repositories)
    .set(columnsOf(repositories, { ...RELEASED, dueAt: sql`now()` }))
    .where(isHeld(repositories, run));
  await notifyReading(tx);
}

/**
 * The columns of a finished run. It answers requests from before its start; later ones wait for the next run. `failures` are
 * those in a row, including this one.
 */
export function finishedColumns({
  failures,
  isPassing,
  retryAt,
}: {
  failures: SQL<number>;
  /** The failure may be over in a minute. */
  isPassing: boolean;
  retryAt: Date | null;
}) {
  const shortest = isPassing ? SECONDS_BETWEEN_READINGS : BACKGROUND_SECONDS;
  const askedMeanwhile = sql`${repositories.wantedAt} > ${repositories.lastAttemptAt}`;
  const pause = backoff(failures, { baseSeconds: shortest, maxSeconds: MAX_PAUSE_SECONDS });
  const blockedUntil = retryAt ? byDatabaseClock(retryAt) : sql<null>`null::timestamptz`;
  // Up to a quarter later, so that repositories do not all become due at once.
  const next = instantAfter(sql`now()`, sql<number>`(${pause} * (1 + random() / 4))`);
  return {
    ...RELEASED,
    wantedAt: sql<Date | null>`case when ${askedMeanwhile} then ${repositories.wantedAt} end`,
    blockedUntil,
    dueAt: latest(sql`case when ${askedMeanwhile} then ${repositories.dueAt} else ${next} end`, blockedUntil),
  };
}

/** Converts an instant of this process's clock to the database's clock. */
function byDatabaseClock(instant: Date): SQL<Date> {
  return instantAfter(sql`now()`, (instant.valueOf() - Date.now()) / 1000);
}

/**
 * Requests a sync of the repositories of all projects that the actor may see, or of one project. A repository that was read
 * less than a minute ago is read when the minute is over, so that a hundred requests cost one call per repository and minute.
 */
export async function requestSync(
  db: Db,
  { actor, projectId }: { actor: Actor; projectId?: string | undefined },
): Promise<RefreshAnswer> {
  const linked = db
    .select({ id: projects.repositoryId })
    .from(projects)
    .where(and(visibleTo(actor), projectId ? eq(projects.id, projectId) : undefined));
  return db.transaction(async (tx) => {
    const rows = await requestWhere(tx, inArray(repositories.id, linked), {
      dueAt: wantedDueAt(SECONDS_BETWEEN_READINGS),
    });
    const now = rows.filter(({ isDue }) => isDue).length;
    return { now, later: rows.length - now };
  });
}

/** Requests a sync after a push; does nothing for a repository that no project links to. */
export async function requestSyncAfterPush(db: Db, { owner, name }: { owner: string; name: string }): Promise<void> {
  const isPushed = and(
    eq(repositories.owner, owner.toLowerCase()),
    eq(repositories.name, name.toLowerCase()),
    isLinked,
  );
  await db.transaction((tx) => requestWhere(tx, isPushed, { dueAt: wantedDueAt(SECONDS_BETWEEN_PUSHES) }));
}

/** Requests a sync of the repositories of these owners at once, since the token that may be used for them has changed. */
export async function requestSyncOfOwners(tx: Tx, owners: readonly string[]): Promise<void> {
  if (owners.length === 0) return;
  await requestWhere(tx, and(inArray(repositories.owner, [...owners]), isLinked), {
    // Also of one that is being read: nobody else claims it meanwhile, and it is due as soon as that run ends.
    dueAt: sql<Date>`now()`,
    blockedUntil: null,
    failures: 0,
  });
}

type Wanted = { dueAt: SQL<Date>; blockedUntil?: null; failures?: number };

async function requestWhere(tx: Tx, which: SQL | undefined, changed: Wanted): Promise<{ isDue: boolean }[]> {
  // Locked in one order, so that two requests for many rows cannot deadlock.
  const inOrder = tx
    .select({ id: repositories.id })
    .from(repositories)
    .where(and(which, isReal))
    .orderBy(asc(repositories.id))
    .for("update");
  const ids = (await inOrder).map(({ id }) => id);
  if (ids.length === 0) return [];
  const rows = await tx
    .update(repositories)
    .set(columnsOf(repositories, { wantedAt: sql`clock_timestamp()`, ...changed }))
    .where(inArray(repositories.id, ids))
    .returning({ isDue: sql<boolean>`${repositories.dueAt} <= now()` });
  await notifyReading(tx);
  return rows;
}

/**
 * Postpones the repositories that share a used-up rate limit: those read with the same token, or all those read without one.
 * Repositories with a pending request keep their time, for one attempt.
 */
export async function postponeOthers(
  db: Db,
  { owners, withToken, until }: { owners: readonly string[]; withToken: boolean; until: Date },
): Promise<void> {
  const isTokens = owners.length > 0 ? inArray(repositories.owner, [...owners]) : sql`false`;
  await db
    .update(repositories)
    .set({ dueAt: latest(repositories.dueAt, byDatabaseClock(until)) })
    .where(
      inArray(
        repositories.id,
        db
          .select({ id: repositories.id })
          .from(repositories)
          .where(and(withToken ? isTokens : sql`not (${isTokens})`, isNull(repositories.wantedAt)))
          .orderBy(asc(repositories.id))
          .for("update"),
      ),
    );
}

/** Deletes repositories that no project has linked to for a day, with their commits. */
export async function deleteUnlinked(db: Db): Promise<void> {
  const unlinked = db
    .select({ id: repositories.id })
    .from(repositories)
    .where(and(not(isLinked), gt(sql`now()`, instantAfter(repositories.linkedAt, UNLINKED_RETENTION_HOURS * 3600))))
    .orderBy(asc(repositories.id))
    .for("update", { skipLocked: true });
  await db.delete(repositories).where(inArray(repositories.id, unlinked));
}
