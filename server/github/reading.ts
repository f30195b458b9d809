import type { Db } from "../../db/client";
import type { FetchedCommit } from "./answers";
import type { GitHubClient, Reading } from "./client";
import { isStoredIn } from "./queries";
import { extendLease, type SyncRun } from "./sync-runs";

/** 2,000 commits: enough to reach stored ones unless the branch is another one. A third of GitHub's hourly limit without a token. */
const MAX_PAGES = 20;

interface Reader {
  db: Db;
  github: Pick<GitHubClient, "listCommits">;
  run: SyncRun;
}

type Asked = Pick<Parameters<GitHubClient["listCommits"]>[0], "etag" | "grant" | "signal">;

/**
 * Reads the new commits of a repository page by page, newest first, down to the first stored one, and returns them as if they
 * were one page. The first sync reads the newest 100 commits. If a page fails, the whole reading fails and the next run starts
 * again. Reads 20 pages at most.
 */
export async function readHistory(reader: Reader, asked: Asked): Promise<Reading> {
  const { github, run } = reader;
  const first = await github.listCommits({ ...run, ...asked });
  if (first.outcome !== "commits" || run.lastSuccessAt === null) return first;
  let last = first;
  const commits = [...first.commits];
  for (let page = 2; page <= MAX_PAGES && (await goesOn(reader, { last, asked })); page += 1) {
    // A call beyond the rate limit would be rejected and counted against us.
    if (last.retryAt)
      return { outcome: "problem", problem: { kind: "rate-limit", status: 200 }, retryAt: last.retryAt };
    const next = await github.listCommits({ ...run, ...asked, etag: null, page });
    if (next.outcome === "problem") return next;
    if (next.outcome === "unchanged") return first;
    commits.push(...next.commits);
    last = next;
  }
  return { ...last, commits: once(commits), etag: first.etag };
}

/** Whether there may be new commits on the next page: the oldest one is not stored, and this is not the last page. */
async function goesOn(
  { db, run }: Reader,
  { last, asked }: { last: Extract<Reading, { outcome: "commits" }>; asked: Asked },
): Promise<boolean> {
  const oldest = last.commits.at(-1);
  if (last.isWhole || !oldest || asked.signal?.aborted) return false;
  if (await isStoredIn(db, { repositoryId: run.id, sha: oldest.sha })) return false;
  return extendLease(db, run);
}

/** Drops duplicates: a push between two calls moves commits to the next page. */
function once(commits: readonly FetchedCommit[]): FetchedCommit[] {
  return [...new Map(commits.map((commit) => [commit.sha, commit])).values()];
}
