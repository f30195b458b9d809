import { and, eq, isNotNull, or, type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../db/client";
import { commitMentions, commits } from "../../db/schema";
import type { FetchedCommit } from "./answers";
import { parseMentions } from "./mentions";

/** Keeps a statement below PostgreSQL's limit of parameters. */
const ROWS_PER_INSERT = 500;

/** Commits from the top of a repository's history, newest first; `isWhole` when there are no older ones. */
export interface HistoryPage {
  commits: FetchedCommit[];
  isWhole: boolean;
}

/** The messages of commits that were added and removed. */
export interface HistoryChange {
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
  const rows = [...bySha.values()].map((commit) => ({ repositoryId, ...commit }));
  for (let at = 0; at < rows.length; at += ROWS_PER_INSERT) {
    const inserted = await tx
      .insert(commits)
      .values(rows.slice(at, at + ROWS_PER_INSERT))
      .onConflictDoNothing({ target: [commits.repositoryId, commits.sha] })
      .returning({ id: commits.id, message: commits.message });
    const mentions = inserted.flatMap(({ id: commitId, message }) =>
      parseMentions(message).map((mention) => ({ commitId, repositoryId, ...mention })),
    );
    for (let from = 0; from < mentions.length; from += ROWS_PER_INSERT) {
      await tx.insert(commitMentions).values(mentions.slice(from, from + ROWS_PER_INSERT));
    }
    added.push(...inserted.map(({ message }) => message));
  }
  return added;
}

/** One parameter, however many texts. */
function textArray(texts: readonly string[]): SQL {
  return sql`array(select json_array_elements_text(${JSON.stringify(texts)}::json))`;
}
