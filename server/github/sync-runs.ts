import { DEMO_OWNER } from "@db/enums";
import { and, asc, eq, exists, gt, inArray, isNull, lte, ne, not, or, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { instantAfter, latest } from "../../db/expressions";
import { projects, repositories } from "../../db/schema";
import type { RefreshAnswer } from "../contract/views";
import type { Actor } from "../core/context";
import { visibleTo } from "../projects/policy";
import { SECONDS_BETWEEN_READINGS, wantedDueAt } from "../projects/repository";
import { notifyReading } from "../realtime/notify";

/** Far longer than a reading may take; a process that dies in it holds the repository no longer. */
const LEASE_SECONDS = 60;
const BACKGROUND_SECONDS = 15 * 60;
/** Of what failed: doubled with each failure in a row. */
const MAX_PAUSE_SECONDS = 6 * 3600;
/** A push may be told soon after a reading, but a storm of them is one. */
const SECONDS_BETWEEN_PUSHES = 5;
/** After these nobody links to it any more, and what was stored of it goes. */
const UNLINKED_RETENTION_HOURS = 24;

/** A repository that this process, and no other, may read now. */
export interface SyncRun {
  id: string;
  owner: string;
  name: string;
  etag: string | null;
  /** Null before its first reading. */
  lastSuccessAt: Date | null;
  /** Whether what is stored of it was. */
  readWithToken: boolean;
  leaseId: string;
}

/** The demo's repositories are made up: GitHub knows none of them, or somebody else's. */
const isReal = ne(repositories.owner, DEMO_OWNER);
const isLinked = exists(sql`(select 1 from ${projects} where ${eq(projects.repositoryId, repositories.id)})`);

/**
 * Claims the repository that has been due for the longest, so that there is one run for each, whichever process is first.
 * Null when none is due. It is due again when the lease ends, should the process die.
 */
export async function claimRepository(db: Db): Promise<SyncRun | null> {
  const now = sql`now()`;
  const next = db
    .select({ id: repositories.id })
    .from(repositories)
    .where(
      and(
        lte(repositories.dueAt, now),
        isReal,
        or(isNull(repositories.leasedUntil), lte(repositories.leasedUntil, now)),
        or(isNull(repositories.blockedUntil), lte(repositories.blockedUntil, now)),
        isLinked,
      ),
    )
    .orderBy(asc(repositories.dueAt))
    .limit(1)
    .for("update", { skipLocked: true });
  const leaseEnd = instantAfter(now, LEASE_SECONDS);
  const [run] = await db
    .update(repositories)
    .set({ leaseId: sql`gen_random_uuid()`, leasedUntil: leaseEnd, dueAt: leaseEnd, lastAttemptAt: now })
    // As one value: of a list, a plan that looks twice would claim two.
    .where(eq(repositories.id, sql`(${next})`))
    .returning({
      id: repositories.id,
      owner: repositories.owner,
      name: repositories.name,
      etag: repositories.etag,
      lastSuccessAt: repositories.lastSuccessAt,
      readWithToken: repositories.readWithToken,
      leaseId: sql<string>`${repositories.leaseId}`,
    });
  return run ?? null;
}

/** Holds the repository for longer: a history of many pages takes its time. False when somebody else has claimed it. */
export async function extendLease(db: Db, run: SyncRun): Promise<boolean> {
  const leaseEnd = instantAfter(sql`now()`, LEASE_SECONDS);
  const [held] = await db
    .update(repositories)
    .set({ leasedUntil: leaseEnd, dueAt: latest(repositories.dueAt, leaseEnd) })
    .where(isOwn(run))
    .returning({ id: repositories.id });
  return held !== undefined;
}

/** Gives a run up that was broken off, without a word about the repository: it is due a minute after it began. */
export async function abandonRun(db: Db, run: SyncRun): Promise<void> {
  await db.update(repositories).set(NO_LEASE).where(isOwn(run));
}

/** Ends a run whose answer is not to be used: the repository is due again at once. */
export async function repeatRun(tx: Tx, run: SyncRun): Promise<void> {
  await tx
    .update(repositories)
    .set({ ...NO_LEASE, dueAt: sql`now()` })
    .where(isOwn(run));
  await notifyReading(tx);
}

/** The run's own row, as long as nobody else has claimed it since. */
export function isOwn({ id, leaseId }: SyncRun): SQL | undefined {
  return and(eq(repositories.id, id), eq(repositories.leaseId, leaseId));
}

const NO_LEASE = { leaseId: null, leasedUntil: null };

/**
 * The columns at the end of a run: whoever asked before it began is answered; who asked during it is not, and waits for
 * the next one. `failures` counts those in a row, this one included; each doubles the pause.
 */
export function finishedColumns({
  failures,
  isPassing,
  retryAt,
}: {
  failures: SQL<number>;
  /** A failure that may be over in a minute. */
  isPassing: boolean;
  retryAt: Date | null;
}) {
  const shortest = isPassing ? SECONDS_BETWEEN_READINGS : BACKGROUND_SECONDS;
  const askedMeanwhile = sql`${repositories.wantedAt} > ${repositories.lastAttemptAt}`;
  const pause = sql<number>`least(${MAX_PAUSE_SECONDS}::float, ${shortest}::float * power(2, least(greatest(${failures} - 1, 0), 12)))`;
  const blockedUntil = retryAt ? byDatabaseClock(retryAt) : sql<null>`null::timestamptz`;
  // Up to a quarter later, so that they do not all fly at one moment.
  const next = instantAfter(sql`now()`, sql<number>`(${pause} * (1 + random() / 4))`);
  return {
    ...NO_LEASE,
    wantedAt: sql<Date | null>`case when ${askedMeanwhile} then ${repositories.wantedAt} end`,
    blockedUntil,
    dueAt: latest(sql`case when ${askedMeanwhile} then ${repositories.dueAt} else ${next} end`, blockedUntil),
  };
}

/** An instant of this process's clock as the database's clock, which rules all else, will show it. */
function byDatabaseClock(instant: Date): SQL<Date> {
  return instantAfter(sql`now()`, (instant.valueOf() - Date.now()) / 1000);
}

/**
 * Asks for the repositories of the projects that the actor may see, or of one project. What was read within the last minute
 * waits for it to pass: a hundred refreshes make one call a repository and minute.
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
    const rows = await want(tx, inArray(repositories.id, linked), { dueAt: wantedDueAt(SECONDS_BETWEEN_READINGS) });
    const now = rows.filter(({ isDue }) => isDue).length;
    return { now, later: rows.length - now };
  });
}

/** Asks for a repository of which GitHub has told a push. Of one that no project links to nothing happens. */
export async function requestSyncAfterPush(db: Db, { owner, name }: { owner: string; name: string }): Promise<void> {
  const isPushed = and(
    eq(repositories.owner, owner.toLowerCase()),
    eq(repositories.name, name.toLowerCase()),
    isLinked,
  );
  await db.transaction((tx) => want(tx, isPushed, { dueAt: wantedDueAt(SECONDS_BETWEEN_PUSHES) }));
}

/** Asks at once for the repositories of these owners, for which another token holds from now on: yesterday's answers say nothing. */
export async function requestSyncOfOwners(tx: Tx, owners: readonly string[]): Promise<void> {
  if (owners.length === 0) return;
  const isFree = or(isNull(repositories.leasedUntil), lte(repositories.leasedUntil, sql`now()`));
  const dueAt = sql<Date>`case when ${isFree} then now() else ${repositories.leasedUntil} end`;
  await want(tx, and(inArray(repositories.owner, [...owners]), isLinked), { dueAt, blockedUntil: null, failures: 0 });
}

type Wanted = { dueAt: SQL<Date>; blockedUntil?: null; failures?: number };

async function want(tx: Tx, which: SQL | undefined, changed: Wanted): Promise<{ isDue: boolean }[]> {
  // In one order, so that no two who ask for many wait for each other.
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
    .set({ wantedAt: sql`clock_timestamp()`, ...changed })
    .where(inArray(repositories.id, ids))
    .returning({ isDue: sql<boolean>`${repositories.dueAt} <= now()` });
  await notifyReading(tx);
  return rows;
}

/**
 * When a limit is used up, all who share it wait: the repositories that are read with the same token, or all that are read
 * without. Who has been asked for all the same gets one try.
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

/** Forgets repositories to which no project has linked for a day, with their commits. */
export async function deleteUnlinked(db: Db): Promise<void> {
  const unlinked = db
    .select({ id: repositories.id })
    .from(repositories)
    .where(and(not(isLinked), gt(sql`now()`, instantAfter(repositories.linkedAt, UNLINKED_RETENTION_HOURS * 3600))))
    .orderBy(asc(repositories.id))
    .for("update", { skipLocked: true });
  await db.delete(repositories).where(inArray(repositories.id, unlinked));
}
