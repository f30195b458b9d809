import { and, eq, isNotNull, or, type SQL, sql } from "drizzle-orm";
import type { Tx } from "../../db/client";
import { commitMentions, commits } from "../../db/schema";
import type { FetchedCommit } from "./answers";
import { parseMentions } from "./mentions";

/** Below the number of parameters that one statement may have. */
const ROWS_PER_INSERT = 500;

/** A page of a repository's history, newest first, and whether there is nothing below it. */
export interface HistoryPage {
  commits: FetchedCommit[];
  isWhole: boolean;
}

/** The messages of the commits that came, and of those that went. */
export interface HistoryChange {
  added: string[];
  gone: string[];
}

/**
 * Brings what is stored of a repository up to a page of its history: new commits come, oldest first; those that a forced push
 * took back, or another default branch does not have, go. What lies below the page stays, as far as the page goes on from
 * the one before: with `isOpenNow`, when what was for the token's eyes is read without it, nothing else stays.
 */
export async function storeHistory(
  tx: Tx,
  { repositoryId, page, isOpenNow }: { repositoryId: string; page: HistoryPage; isOpenNow: boolean },
): Promise<HistoryChange> {
  // One answer may hold a commit twice, of which a statement could store neither.
  const bySha = new Map(page.commits.toReversed().map((commit) => [commit.sha, commit]));
  const shas = [...bySha.keys()].reverse();
  const gone = await deleteGone(tx, { repositoryId, shas, isWhole: page.isWhole, isOpenNow });
  const added = await insertCommits(tx, { repositoryId, bySha });
  const all = textArray(shas);
  // 0 is the newest; null what lies below.
  await tx
    .update(commits)
    .set({ place: sql`array_position(${all}, ${commits.sha}) - 1` })
    .where(
      and(eq(commits.repositoryId, repositoryId), or(isNotNull(commits.place), sql`${commits.sha} = any(${all})`)),
    );
  return { added, gone };
}

/**
 * Of the commits that stood on the page before, those are gone that stood above one that is still on it: what is pushed out
 * by newer ones leaves at the lower end.
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
    const [kept] = await tx
      .select({ lowest: sql<number | null>`max(${commits.place})` })
      .from(commits)
      .where(and(isOfRepository, isOnPage));
    const lowest = kept?.lowest ?? null;
    // Nothing in common: another history, or the whole of a long one. Nobody can tell, so what was no secret stays.
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

/** As one parameter, however many. */
function textArray(texts: readonly string[]): SQL {
  return sql`array(select json_array_elements_text(${JSON.stringify(texts)}::json))`;
}
