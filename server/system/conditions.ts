import { hostname } from "node:os";
import type { Db } from "../../db/client";
import { findBackupStatus } from "../backups/queries";
import { type DiskSpace, fullestOf, MIN_FREE_PERCENT } from "../core/disk";
import type { Logger } from "../core/logger";
import { findTokenStatus } from "../github/token";
import { recurringJob } from "../jobs/recurring";
import type { JobKind } from "../jobs/runner";
import { noteObservation, type Observation } from "./mutations";
import { type JobState, listJobStates, listProcesses } from "./queries";

const CHECK_EVERY_SECONDS = 60;
/** After a stop of days everything is due at once; by then it has been taken up. */
const FIRST_CHECK_AFTER_MS = 120_000;
/** For so long nothing may have been done of a kind of job that has work. */
export const STANDSTILL_MS = 15 * 60_000;
/** A disk near the limit would be almost full and well again all the time. */
const WELL_FREE_PERCENT = MIN_FREE_PERCENT + 2;

/** The kind of job that sends mail. */
export const MAIL_JOBS = "job:mail";

export interface Watched {
  db: Db;
  logger: Logger;
  /** Measures the disks of this machine that must not fill. */
  measureDisks: () => Promise<DiskSpace[]>;
  kinds: readonly Pick<JobKind, "name" | "backlog">[];
  /** Whether nightly backups are wanted. */
  hasNightlyBackups: boolean;
  /** E-mails of admins who are not written to. */
  closedTo: readonly string[];
}

/** Checks once a minute, one process for all, what nobody would look at before it is too late, and mails the admins. */
export function conditionKind(watched: Watched) {
  return recurringJob(watched.db, {
    name: "conditions",
    everySeconds: CHECK_EVERY_SECONDS,
    startAfterMs: FIRST_CHECK_AFTER_MS,
    work: () => checkConditions(watched, { now: new Date() }),
  });
}

/** One check. What cannot be observed is left as it was known. */
export async function checkConditions(watched: Watched, { now }: { now: Date }): Promise<void> {
  for (const observation of await observe(watched, { now, jobs: await listJobStates(watched.db, watched.kinds) })) {
    const news = await noteObservation(watched.db, observation, { now, closedTo: watched.closedTo });
    const fields = { condition: observation.id, ...observation.details };
    if (news === "trouble") watched.logger.error("condition: trouble", fields);
    if (news === "well") watched.logger.info("condition: well again", fields);
  }
}

/** What is seen now of each condition, without any consequence. `jobs` are those of the watched kinds. */
export async function observe(
  watched: Watched,
  { now, jobs }: { now: Date; jobs: readonly JobState[] },
): Promise<Observation[]> {
  const others = await Promise.all([observeDisks(watched), observeToken(watched), observeBackups(watched)]);
  return [...others, ...jobs.map((job) => observeJobs(job, now))];
}

/** This machine's disks as they are, and the fullest of each other machine as its servers last reported. */
async function observeDisks({ db, measureDisks }: Watched): Promise<Observation> {
  const others = (await listProcesses(db)).filter(({ host }) => host !== hostname());
  const reported = others.flatMap(({ host, activity }) => (activity?.disk ? [{ host, ...activity.disk }] : []));
  const own = (await measureDisks()).map((disk) => ({ host: hostname(), ...disk }));
  const fullest = fullestOf([...own, ...reported]);
  if (!fullest) return { id: "disk", state: "unclear" };
  const { path, host, freeBytes, freePercent } = fullest;
  const state = freePercent < MIN_FREE_PERCENT ? "trouble" : freePercent < WELL_FREE_PERCENT ? "unclear" : "well";
  const details = { path, freePercent: Math.floor(freePercent), freeBytes, ...(others.length > 0 && { host }) };
  return { id: "disk", state, details };
}

async function observeToken({ db }: Watched): Promise<Observation> {
  const { lastResult } = await findTokenStatus(db);
  if (lastResult === null || lastResult === "accepted") return { id: "repository-token", state: "well" };
  return { id: "repository-token", state: "trouble", details: { result: lastResult } };
}

/** Without nightly backups nothing is missed, and nobody is waiting for one. */
async function observeBackups({ db, hasNightlyBackups }: Watched): Promise<Observation> {
  const { isOverdue, lastNightly } = await findBackupStatus(db);
  const error = lastNightly?.error ?? null;
  if (!hasNightlyBackups || (!isOverdue && error === null)) return { id: "backup", state: "well" };
  return { id: "backup", state: "trouble", details: error === null ? { overdue: 1 } : { error } };
}

/** A kind stands still when due work is not taken up, and when nothing has succeeded since a first failure. */
function observeJobs({ name, lagSeconds, failingSince, lastError }: JobState, now: Date): Observation {
  const failsForMs = failingSince ? now.valueOf() - failingSince.valueOf() : 0;
  const id = `job:${name}`;
  if (Math.max(lagSeconds * 1_000, failsForMs) < STANDSTILL_MS) return { id, state: "well" };
  const details = failsForMs >= STANDSTILL_MS && lastError ? { error: lastError } : {};
  return { id, state: "trouble", details, stopsMail: id === MAIL_JOBS };
}
