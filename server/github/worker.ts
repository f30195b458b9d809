import type { Db } from "../../db/client";
import { describeError, type Logger } from "../core/logger";
import type { Vault } from "../core/vault";
import type { Feed, Subscription } from "../realtime/hub";
import type { GitHubClient, Reading } from "./client";
import { linkStoredProjects, saveReading } from "./mutations";
import { readHistory } from "./reading";
import { abandonRun, claimRepository, deleteUnlinked, postponeOthers } from "./sync-runs";
import { findGrant, findTokenStatus, recordTokenResult, type StoredGrant } from "./token";

/** Readings under way at once in one process. */
const CONCURRENCY = 4;
/** How late, at the most, a minute that somebody waits for is noticed to be over. */
const POLL_MS = 5_000;
const CLEANUP_MS = 3_600_000;

interface Reader {
  db: Db;
  feed: Feed;
  logger: Logger;
  vault: Vault;
  github: Pick<GitHubClient, "listCommits">;
}

/**
 * Reads what is due: after each commit that asks for a repository, and again every few seconds for what has become due by itself.
 * Four at a time; any number of processes share the work, each repository is in one hand.
 */
export function startRepositoryWorker(reader: Reader): { close(): Promise<void> } {
  const { db, feed, logger } = reader;
  const stop = new AbortController();
  const report = (error: unknown) => logger.warn("repositories", describeError(error));
  const tidy = () => Promise.all([linkStoredProjects(db), deleteUnlinked(db)]).catch(report);
  const tidier = setInterval(tidy, CLEANUP_MS);
  tidier.unref();
  const mailboxes = Array.from({ length: CONCURRENCY }, () => feed.open());
  const lane = async (mailbox: Subscription, isLookout: boolean) => {
    mailbox.join("readings");
    while (!stop.signal.aborted) {
      try {
        while (!stop.signal.aborted && (await readNext(reader, stop.signal)));
      } catch (error) {
        // The database is away: the next wake tries again.
        logger.warn("repository worker", describeError(error));
      }
      // The others follow when they are told, or when the safety timer wakes everybody.
      await mailbox.next(isLookout ? AbortSignal.timeout(POLL_MS) : undefined);
    }
  };
  const lanes = mailboxes.map((mailbox, at) => lane(mailbox, at === 0));
  const prepared = Promise.all([tidy(), checkStoredToken(reader).catch(report)]);
  return {
    /** Breaks off what is on its way. */
    async close() {
      clearInterval(tidier);
      stop.abort();
      for (const mailbox of mailboxes) mailbox.close();
      await Promise.all([...lanes, prepared]);
    },
  };
}

/** A stored token is encrypted with the present key from the start on, or its loss is told where the keys are kept. */
async function checkStoredToken({ db, vault, logger }: Reader): Promise<void> {
  await findGrant(db, vault);
  const { lastResult } = await findTokenStatus(db);
  if (lastResult !== "unreadable") return;
  logger.warn("repository token", {
    problem: "TOKEN_ENCRYPTION_KEY does not decrypt it",
    remedy: "give its former value in TOKEN_ENCRYPTION_KEY_OLD, or let an admin enter the token again in Settings",
  });
}

/** One repository; false when none is due. */
async function readNext(reader: Reader, signal: AbortSignal): Promise<boolean> {
  const run = await claimRepository(reader.db);
  if (!run) return false;
  const { db, github, logger, vault } = reader;
  const startedAt = performance.now();
  const token = await findGrant(db, vault);
  const grant = token?.owners.includes(run.owner) ? token : null;
  // "Unchanged" would not say which of what the token saw everybody may see.
  const etag = run.readWithToken && !grant ? null : run.etag;
  const reading = await readHistory({ db, github, run }, { etag, grant, signal });
  if (signal.aborted) {
    await abandonRun(db, run);
    return false;
  }
  if (grant) await recordTokenUse(db, { reading, grant });
  const isSaved = await saveReading(db, { run, reading, grant });
  logger[reading.outcome === "problem" ? "warn" : "debug"]("repository read", {
    repositoryId: run.id,
    outcome: isSaved ? reading.outcome : "too late",
    ...(reading.outcome === "problem" && reading.problem),
    milliseconds: Math.round(performance.now() - startedAt),
  });
  await applyRateLimit(db, { reading, withToken: grant !== null, owners: token?.owners ?? [] });
  return true;
}

/** What an answer says about the token that it was asked with. */
async function recordTokenUse(db: Db, { reading, grant }: { reading: Reading; grant: StoredGrant }): Promise<void> {
  const isRefused = reading.outcome === "problem" && reading.problem.status === 401;
  if (isRefused || reading.outcome !== "problem") {
    await recordTokenResult(db, { setAt: grant.setAt, result: isRefused ? "refused" : "accepted" });
  }
}

/** What an answer says about a limit that others share. */
async function applyRateLimit(
  db: Db,
  { reading, withToken, owners }: { reading: Reading; withToken: boolean; owners: readonly string[] },
): Promise<void> {
  const { retryAt } = reading;
  const isLimited = reading.outcome === "problem" ? reading.problem.kind === "rate-limit" : retryAt !== null;
  if (retryAt && isLimited) await postponeOthers(db, { owners, withToken, until: retryAt });
}
