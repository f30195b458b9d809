import { and, desc, eq, inArray, isNotNull, isNull, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { projects, repositories } from "../../db/schema";
import { parseRepo } from "../contract/repo-name";
import { linkRepository } from "../projects/repository";
import { notifyProject, notifyRepository } from "../realtime/notify";
import type { Reading } from "./client";
import { type HistoryChange, storeHistory } from "./history";
import { parseMentions } from "./mentions";
import { finishedColumns, isOwn, repeatRun, type SyncRun } from "./sync-runs";
import { isStillGranted, type StoredGrant } from "./token";

/** Somebody else has claimed the repository meanwhile: what this run has brought is thrown away. */
class LeaseLostError extends Error {}

type Right = Pick<StoredGrant, "setAt"> | null;

/**
 * Writes down what a run has brought, and tells those who watch: new commits, the tasks that they name, or what went wrong.
 * One transaction. `grant` is the token that it was asked with. False when nothing
 * was written: another run has begun, or the token was removed, replaced or withdrawn from the owner, and the repository is
 * then read anew at once.
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
      // Projects before the repository, like an edit of a link: nobody waits for each other.
      const isOpenNow = run.readWithToken && !grant;
      const change =
        reading.outcome === "commits"
          ? await storeHistory(tx, { repositoryId: run.id, page: reading, isOpenNow })
          : NO_CHANGE;
      await bumpMentionedProjects(tx, run, change);
      const [saved] = await tx
        .update(repositories)
        .set({
          ...columnsAfter(reading, { withToken: grant !== null }),
          changeSeq: sql`${repositories.changeSeq} + ${changes(reading, change)}`,
        })
        .where(isOwn(run))
        .returning({ id: repositories.id });
      if (!saved) throw new LeaseLostError();
      await notifyRepository(tx, { repositoryId: run.id });
      return true;
    });
  } catch (error) {
    if (error instanceof LeaseLostError) return false;
    throw error;
  }
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

/** 1 when watchers should hear of it: other commits, another problem or none any more, or an answer for whoever has asked. */
function changes(reading: Reading, { added, gone }: HistoryChange): SQL {
  if (added.length + gone.length > 0) return sql`1`;
  const problem = reading.outcome === "problem" ? reading.problem : { kind: null, status: null };
  const isOther = sql`(${repositories.problem}::text, ${repositories.problemStatus}) is distinct from (${problem.kind}::text, ${problem.status}::int)`;
  return sql`(${isOther} or ${repositories.withheld} or ${repositories.wantedAt} is not null)::int`;
}

/** A commit shows on the tasks that it names, so that their projects have changed for whoever has them open. */
async function bumpMentionedProjects(
  tx: Tx,
  { id: repositoryId }: SyncRun,
  { added, gone }: HistoryChange,
): Promise<void> {
  const named = [...added, ...gone].flatMap((message) => parseMentions(message));
  const keys = [...new Set(named.map(({ projectKey }) => projectKey))];
  if (keys.length === 0) return;
  const changed = await tx
    .update(projects)
    .set({ changeSeq: sql`${projects.changeSeq} + 1` })
    .where(and(eq(projects.repositoryId, repositoryId), inArray(projects.key, keys)))
    .returning({ id: projects.id });
  for (const { id } of changed) await notifyProject(tx, { projectId: id, step: { kind: "resync" } });
}

/**
 * Links projects whose row came with a link past the forms: from before links were kept as such, or from outside. Those whose
 * link names no repository stay as they are.
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
