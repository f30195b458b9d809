import type { Db } from "../../db/client";
import type { FetchedCommit } from "./answers";
import type { GitHubClient, Reading } from "./client";
import { isStoredIn } from "./queries";
import { extendLease, type SyncRun } from "./sync-runs";

/** 2,000 commits: what was read before is reached by then, or the branch is another one. A third of what GitHub allows without a token. */
const MAX_PAGES = 20;

interface Reader {
  db: Db;
  github: Pick<GitHubClient, "listCommits">;
  run: SyncRun;
}

type Asked = Pick<Parameters<GitHubClient["listCommits"]>[0], "etag" | "grant" | "signal">;

/**
 * What is new in a repository, page by page, down to what is stored of it: a single reading, newest first, as if GitHub had
 * answered with one page. The first reading of a repository is its newest 100 commits. A page that fails fails all of it:
 * nothing is stored, and the next reading begins at the top. Never more than 20 pages, the newest.
 */
export async function readHistory(reader: Reader, asked: Asked): Promise<Reading> {
  const { github, run } = reader;
  const first = await github.listCommits({ ...run, ...asked });
  if (first.outcome !== "commits" || run.lastSuccessAt === null) return first;
  let last = first;
  const commits = [...first.commits];
  for (let page = 2; page <= MAX_PAGES && (await goesOn(reader, { last, asked })); page += 1) {
    // What is used up already would be refused, and count against us.
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

/** Whether there may be new commits below a page: its last one is not stored, and it is not the last page. */
async function goesOn(
  { db, run }: Reader,
  { last, asked }: { last: Extract<Reading, { outcome: "commits" }>; asked: Asked },
): Promise<boolean> {
  const oldest = last.commits.at(-1);
  if (last.isWhole || !oldest || asked.signal?.aborted) return false;
  if (await isStoredIn(db, { repositoryId: run.id, sha: oldest.sha })) return false;
  return extendLease(db, run);
}

/** A push between two pages moves commits on to the next one. */
function once(commits: readonly FetchedCommit[]): FetchedCommit[] {
  return [...new Map(commits.map((commit) => [commit.sha, commit])).values()];
}
