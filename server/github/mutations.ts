import { and, asc, desc, eq, inArray, isNotNull, isNull, not, or, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { holds } from "../../db/expressions";
import { commitMentions, commits, projects, repositories } from "../../db/schema";
import { columnsOf, rowsOf } from "../../db/writes";
import { parseRepo } from "../contract/repo-name";
import { isHeld } from "../jobs/lease";
import { notifyOfRepository } from "../notifications/mutations";
import { settleRepository } from "../notifications/settle";
import { linkRepository } from "../projects/repository";
import { notifyProject, notifyRepository } from "../realtime/notify";
import type { Reading } from "./client";
import type { FetchedCommit } from "./commits";
import { parseMentions } from "./mentions";
import { finishedColumns, repeatRun, type SyncRun } from "./sync-runs";
import { isStillGranted, type StoredGrant } from "./token";

/** Keeps a statement below PostgreSQL's limit of parameters. */
const ROWS_PER_INSERT = 500;

/** Another process has claimed the repository: the result of this run is discarded. */
class LeaseLostError extends Error {}

type Right = Pick<StoredGrant, "setAt"> | null;

/**
 * Saves the result of a sync run and notifies watchers, in one transaction: new commits, the tasks that they mention, or what
 * went wrong. `grant` is the token that the run used. False when nothing was saved: another run has begun, or the token was
 * removed, replaced or withdrawn from the owner, in which case the repository is due again at once.
 */
export async function saveReading(
  db: Db,
  { run, reading, grant }: { run: SyncRun; reading: Reading; grant: Right },
): Promise<boolean> {
  try {
    return await db.transaction(async (tx) => {
      if (grant && !(await isStillGranted(tx, { owner: run.owner, grant }))) {
        await repeatRun(tx, run);
        return false;
      }
      // Locks projects before the repository, in the same order as an edit of a link, to avoid deadlocks.
      const isOpenNow = run.readWithToken && !grant;
      const change =
        reading.outcome === "commits"
          ? await storeHistory(tx, { repositoryId: run.id, page: reading, isOpenNow })
          : NO_CHANGE;
      await bumpMentionedProjects(tx, run, change);
      const isMended = run.problem !== null && reading.outcome !== "problem";
      // What notifies of a problem refers to them, and goes with them.
      if (isMended || reading.outcome === "problem") await holdProjects(tx, run.id);
      const [saved] = await tx
        .update(repositories)
        .set(
          columnsOf(repositories, {
            ...columnsAfter(reading, { withToken: grant !== null }),
            changeSeq: sql`${repositories.changeSeq} + ${changes(reading, change)}`,
          }),
        )
        .where(isHeld(repositories, run))
        .returning({
          repositoryId: repositories.id,
          problem: repositories.problem,
          failures: repositories.failures,
          changeSeq: repositories.changeSeq,
        });
      if (!saved) throw new LeaseLostError();
      const { repositoryId, problem, failures, changeSeq } = saved;
      // A page that is opened meanwhile would read everything again for nothing.
      if (changeSeq !== run.changeSeq) await notifyRepository(tx, { repositoryId });
      if (problem !== null) await notifyOfRepository(tx, { repositoryId, problem, failures });
      if (isMended) await settleRepository(tx, { repositoryId });
      return true;
    });
  } catch (error) {
    if (error instanceof LeaseLostError) return false;
    throw error;
  }
}

/** Keeps the projects of a repository from being deleted until the transaction ends. */
async function holdProjects(tx: Tx, repositoryId: string): Promise<void> {
  const { id } = projects;
  await tx.select({ id }).from(projects).where(eq(projects.repositoryId, repositoryId)).orderBy(id).for("key share");
}

function columnsAfter(reading: Reading, { withToken }: { withToken: boolean }) {
  const { retryAt } = reading;
  if (reading.outcome === "problem") {
    const { kind, status } = reading.problem;
    const failures = sql<number>`${repositories.failures} + 1`;
    return {
      problem: kind,
      problemStatus: status,
      failures,
      ...finishedColumns({ failures, isPassing: kind === "other", retryAt }),
    };
  }
  return {
    lastSuccessAt: sql`now()`,
    problem: null,
    problemStatus: null,
    failures: 0,
    ...(reading.outcome === "commits" && { etag: reading.etag }),
    readWithToken: withToken,
    withheld: false,
    ...finishedColumns({ failures: sql<number>`0`, isPassing: false, retryAt }),
  };
}

const NO_CHANGE: HistoryChange = { added: [], gone: [] };

/** 1 when watchers are to be notified: other commits, a changed problem, or a pending request. */
function changes(reading: Reading, { added, gone }: HistoryChange): SQL {
  if (added.length + gone.length > 0) return sql`1`;
  const problem = reading.outcome === "problem" ? reading.problem : { kind: null, status: null };
  const isOther = sql`(${repositories.problem}::text, ${repositories.problemStatus}) is distinct from (${problem.kind}::text, ${problem.status}::int)`;
  return sql`(${isOther} or ${repositories.withheld} or ${repositories.wantedAt} is not null)::int`;
}

/**
 * Notifies watchers of projects whose tasks the commits mention, since commits are shown on those tasks: the team alone where clients
 * do not see them, without a trace in the project.
 */
async function bumpMentionedProjects(
  tx: Tx,
  { id: repositoryId }: SyncRun,
  { added, gone }: HistoryChange,
): Promise<void> {
  const mentions = [...added, ...gone].flatMap((message) => parseMentions(message));
  const keys = [...new Set(mentions.map(({ projectKey }) => projectKey))];
  if (keys.length === 0) return;
  const isMentioned = and(eq(projects.repositoryId, repositoryId), inArray(projects.key, keys));
  // In one order everywhere, so that no two wait for each other.
  const shown = tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(isMentioned, holds(projects.commitMode, "titles")))
    .orderBy(asc(projects.id))
    .for("no key update");
  const changed = await tx
    .update(projects)
    .set({ changeSeq: sql`${projects.changeSeq} + 1` })
    .where(inArray(projects.id, shown))
    .returning({ id: projects.id });
  for (const { id } of changed) await notifyProject(tx, { projectId: id, step: { kind: "resync" } });
  // The row's version is part of what a client is answered, and its number of what one is sent.
  const unseen = await tx
    .select({ id: projects.id })
    .from(projects)
    .where(and(isMentioned, not(holds(projects.commitMode, "titles"))));
  for (const { id } of unseen) await notifyProject(tx, { projectId: id, step: { kind: "resync", teamOnly: true } });
}

/** Commits from the top of a repository's history, newest first; `isWhole` when there are no older ones. */
interface HistoryPage {
  commits: FetchedCommit[];
  isWhole: boolean;
}

/** The messages of commits that were added and removed. */
interface HistoryChange {
  added: string[];
  gone: string[];
}

/**
 * Updates the stored commits to a page of the repository's history: inserts new ones, oldest first, and deletes those that a
 * forced push or another default branch removed. Older commits stay if the page continues what is stored. With `isOpenNow`,
 * when a repository that was read with the token is now read without it, commits that are not on the page are deleted.
 */
export async function storeHistory(
  tx: Tx,
  { repositoryId, page, isOpenNow }: { repositoryId: string; page: HistoryPage; isOpenNow: boolean },
): Promise<HistoryChange> {
  // A response may list a commit twice, which `on conflict` within one statement rejects.
  const bySha = new Map(page.commits.toReversed().map((commit) => [commit.sha, commit]));
  const shas = [...bySha.keys()].reverse();
  const gone = await deleteGone(tx, { repositoryId, shas, isWhole: page.isWhole, isOpenNow });
  const added = await insertCommits(tx, { repositoryId, bySha });
  const all = textArray(shas);
  // 0 is the newest; null is below the page.
  await tx
    .update(commits)
    .set({ place: sql`array_position(${all}, ${commits.sha}) - 1` })
    .where(
      and(eq(commits.repositoryId, repositoryId), or(isNotNull(commits.place), sql`${commits.sha} = any(${all})`)),
    );
  return { added, gone };
}

/**
 * Deletes commits that were on the previous page above one that is still on it. Commits that newer ones pushed off the page
 * leave at its lower end and stay.
 */
async function deleteGone(
  tx: Tx,
  {
    repositoryId,
    shas,
    isWhole,
    isOpenNow,
  }: { repositoryId: string; shas: string[]; isWhole: boolean; isOpenNow: boolean },
): Promise<string[]> {
  const isOfRepository = eq(commits.repositoryId, repositoryId);
  const isOnPage = sql`${commits.sha} = any(${textArray(shas)})`;
  let isGone: SQL | undefined;
  if (!isWhole) {
    const [onPage] = await tx
      .select({ lowest: sql<number | null>`max(${commits.place})` })
      .from(commits)
      .where(and(isOfRepository, isOnPage));
    const lowest = onPage?.lowest ?? null;
    // No common commit: either another history or very many new commits. Keep what was public.
    if (lowest === null && !isOpenNow) return [];
    if (lowest !== null) isGone = sql`${commits.place} < ${lowest}`;
  }
  const rows = await tx
    .delete(commits)
    .where(and(isOfRepository, sql`not ${isOnPage}`, isGone))
    .returning({ message: commits.message });
  return rows.map(({ message }) => message);
}

async function insertCommits(
  tx: Tx,
  { repositoryId, bySha }: { repositoryId: string; bySha: ReadonlyMap<string, FetchedCommit> },
): Promise<string[]> {
  const added: string[] = [];
  const [repository] = await tx
    .select({ lastSuccessAt: repositories.lastSuccessAt })
    .from(repositories)
    .where(eq(repositories.id, repositoryId));
  const oldestFirst = [...bySha.values()];
  const isOnPage = sql`${commits.sha} = any(${textArray([...bySha.keys()])})`;
  const stored = await tx
    .select({ sha: commits.sha })
    .from(commits)
    .where(and(eq(commits.repositoryId, repositoryId), isOnPage));
  const known = new Set(stored.map(({ sha }) => sha));
  // What a repository had before anybody followed it is no news, nor is what lies below all that is known of it: its history has
  // become shorter. Of a page without a known commit all is new.
  const isFollowed = repository !== undefined && repository.lastSuccessAt !== null;
  const lowestKnown = oldestFirst.findIndex(({ sha }) => known.has(sha));
  const rows = oldestFirst.map((commit, at) => ({
    repositoryId,
    ...commit,
    arrivedAt: isFollowed && at >= lowestKnown ? sql`now()` : commit.authoredAt,
  }));
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
    const inserted = await tx
      .insert(commits)
      .values(rowsOf(commits, rows.slice(at, at + ROWS_PER_INSERT)))
      .onConflictDoNothing({ target: [commits.repositoryId, commits.sha] })
      .returning({ id: commits.id, message: commits.message });
    const mentions = inserted.flatMap(({ id: commitId, message }) =>
      parseMentions(message).map((mention) => ({ commitId, repositoryId, ...mention })),
    );
    for (let from = 0; from < mentions.length; from += ROWS_PER_INSERT) {
      await tx.insert(commitMentions).values(rowsOf(commitMentions, mentions.slice(from, from + ROWS_PER_INSERT)));
    }
    added.push(...inserted.map(({ message }) => message));
  }
  return added;
}

/** One parameter, however many texts. */
function textArray(texts: readonly string[]): SQL {
  return sql`array(select json_array_elements_text(${JSON.stringify(texts)}::json))`;
}

/**
 * Links projects to repositories where a row has a GitHub link only: from before repositories had a table, or written directly
 * to the database. Projects whose link is not a repository stay as they are.
 */
export async function linkStoredProjects(db: Db): Promise<void> {
  const unlinked = await db
    .select({ id: projects.id, githubRepo: projects.githubRepo })
    .from(projects)
    .where(and(isNotNull(projects.githubRepo), isNull(projects.repositoryId)))
    .orderBy(desc(projects.createdAt));
  for (const { id, githubRepo } of unlinked) {
    if (!githubRepo || !parseRepo(githubRepo)) continue;
    await db.transaction(async (tx) => {
      const isSame = and(eq(projects.id, id), eq(projects.githubRepo, githubRepo), isNull(projects.repositoryId));
      const [present] = await tx.select({ id: projects.id }).from(projects).where(isSame).for("no key update");
      if (!present) return;
      const repositoryId = await linkRepository(tx, githubRepo);
      await tx.update(projects).set({ repositoryId }).where(isSame);
    });
  }
}
