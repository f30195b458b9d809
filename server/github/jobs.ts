import type { Db } from "../../db/client";
import { repositories } from "../../db/schema";
import type { Logger } from "../core/logger";
import type { Vault } from "../core/vault";
import { findBacklog } from "../jobs/lease";
import { recurringJob } from "../jobs/recurring";
import type { JobKind } from "../jobs/runner";
import type { GitHubClient, Reading } from "./client";
import type { FetchedCommit } from "./commits";
import { linkStoredProjects, saveReading } from "./mutations";
import { isStored } from "./queries";
import {
  claimRepository,
  deleteUnlinked,
  extendLease,
  isSyncable,
  postponeOthers,
  releaseRun,
  type SyncRun,
} from "./sync-runs";
import { findGrant, findTokenStatus, recordTokenResult, type StoredGrant } from "./token";

/** Also bounds how late a requested refresh starts once its minute is over. */
const POLL_MS = 5_000;
const MAINTENANCE_SECONDS = 3_600;
/** 2,000 commits: enough to reach stored ones unless the branch is another one. A third of GitHub's hourly limit without a token. */
const MAX_PAGES = 20;

interface SyncServices {
  db: Db;
  logger: Logger;
  vault: Vault;
  github: Pick<GitHubClient, "listCommits">;
}

/** Syncs repositories with GitHub, four at a time in each process, and maintains what is stored about them. */
export function repositoryKinds(services: SyncServices) {
  const { db } = services;
  const sync: JobKind<SyncRun> = {
    name: "repository-sync",
    concurrency: 4,
    topic: "readings",
    pollMs: POLL_MS,
    claim: () => claimRepository(db),
    run: (run, signal) => syncRepository(services, { run, signal }),
    async retryLater(run) {
      await releaseRun(db, run);
      return true;
    },
    describe: ({ id }) => ({ repositoryId: id }),
    backlog: () => findBacklog(db, { table: repositories, where: isSyncable }),
  };
  const maintenance = recurringJob(db, {
    name: "repository-maintenance",
    everySeconds: MAINTENANCE_SECONDS,
    atStart: true,
    work: () => Promise.all([linkStoredProjects(db), deleteUnlinked(db), checkStoredToken(services)]),
  });
  return [sync, maintenance];
}

/** Encrypts a stored token with the current key, or logs what to do when no key decrypts it. */
async function checkStoredToken({ db, vault, logger }: SyncServices): Promise<void> {
  await findGrant(db, vault);
  const { lastResult } = await findTokenStatus(db);
  if (lastResult !== "unreadable") return;
  logger.warn("repository token", {
    problem: "TOKEN_ENCRYPTION_KEY does not decrypt it",
    remedy: "give its former value in TOKEN_ENCRYPTION_KEY_OLD, or let an admin enter the token again in Settings",
  });
}

async function syncRepository(
  { db, github, logger, vault }: SyncServices,
  { run, signal }: { run: SyncRun; signal: AbortSignal },
): Promise<void> {
  const startedAt = performance.now();
  const token = await findGrant(db, vault);
  const grant = token?.owners.includes(run.owner) ? token : null;
  // Without the token, "unchanged" would not say which of the stored commits everybody may see.
  const etag = run.readWithToken && !grant ? null : run.etag;
  const reading = await readHistory({ db, github, run }, { etag, grant, signal });
  if (signal.aborted) return releaseRun(db, run);
  if (grant) await recordTokenUse(db, { reading, grant });
  // Before this run ends: nobody may claim another one of the same limit in between.
  await applyRateLimit(db, { reading, withToken: grant !== null, owners: token?.owners ?? [] });
  const isSaved = await saveReading(db, { run, reading, grant });
  logger[reading.outcome === "problem" ? "warn" : "debug"]("repository read", {
    repositoryId: run.id,
    outcome: isSaved ? reading.outcome : "too late",
    ...(reading.outcome === "problem" && reading.problem),
    milliseconds: Math.round(performance.now() - startedAt),
  });
}

interface Reader extends Pick<SyncServices, "db" | "github"> {
  run: SyncRun;
}

type Asked = Pick<Parameters<GitHubClient["listCommits"]>[0], "etag" | "grant" | "signal">;

/**
 * Reads the new commits of a repository page by page, newest first, down to the first stored one, and returns them as if they
 * were one page. The first sync reads the newest 100 commits. If a page fails, the whole reading fails and the next run starts
 * again. Reads 20 pages at most.
 */
async function readHistory(reader: Reader, asked: Asked): Promise<Reading> {
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
  if (await isStored(db, { repository: run, sha: oldest.sha })) return false;
  return extendLease(db, run);
}

/** Drops duplicates: a push between two calls moves commits to the next page. */
function once(commits: readonly FetchedCommit[]): FetchedCommit[] {
  return [...new Map(commits.map((commit) => [commit.sha, commit])).values()];
}

/** Records whether GitHub accepted the token. */
async function recordTokenUse(db: Db, { reading, grant }: { reading: Reading; grant: StoredGrant }): Promise<void> {
  const isRejected = reading.outcome === "problem" && reading.problem.status === 401;
  if (isRejected || reading.outcome !== "problem") {
    await recordTokenResult(db, { setAt: grant.setAt, result: isRejected ? "refused" : "accepted" });
  }
}

/** Postpones the repositories that share a rate limit that is used up. */
async function applyRateLimit(
  db: Db,
  { reading, withToken, owners }: { reading: Reading; withToken: boolean; owners: readonly string[] },
): Promise<void> {
  const { retryAt } = reading;
  const isLimited = reading.outcome === "problem" ? reading.problem.kind === "rate-limit" : retryAt !== null;
  if (retryAt && isLimited) await postponeOthers(db, { owners, withToken, until: retryAt });
}
