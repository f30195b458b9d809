import { basename, dirname } from "node:path";
import type { Db } from "../../db/client";
import { findAskedBackup, findBackupStatus, isNightlyInProgress } from "../backups/queries";
import type { JobStatus, LastBackup, ServerProcess, SystemStatus, SystemWarning } from "../contract/system";
import type { Env } from "../core/env";
import { sum, summarize } from "../core/procedure-times";
import type { JobKind } from "../jobs/runner";
import { findMailOutcomes, findMailQueue } from "../mail/queries";
import { MAIL_JOBS, observe, type Watched } from "./conditions";
import type { Processes } from "./processes";
import { findDatabaseFacts, type JobState, listJobStates, type ReportedProcess } from "./queries";
import { describeDatabase, describeSettings, describeSilence, describeTrouble, describeVersions } from "./warnings";

const MAX_PROCEDURES = 15;

export interface StatusOptions {
  db: Db;
  env: Pick<Env, "smtpUrl" | "mailFrom" | "backup" | "pubsubUrl">;
  /** What is checked once a minute, and looked at afresh here. */
  watched: Watched;
  /** All kinds of jobs. */
  kinds: readonly Pick<JobKind, "name" | "backlog">[];
  processes: Processes;
  /** Whether notifications arrive. */
  isListening: () => Promise<boolean>;
}

/** The state of the servers, their database and their work. Rejects when the database does not answer. */
export async function readStatus(options: StatusOptions): Promise<SystemStatus> {
  const { db, env, watched, kinds } = options;
  const [processes, database, backups, mail, outcomes, jobs, isListening] = await Promise.all([
    options.processes.list(),
    findDatabaseFacts(db),
    readBackups(db, env),
    findMailQueue(db),
    findMailOutcomes(db),
    listJobStates(db, kinds),
    options.isListening(),
  ]);
  const servers = processes.map(serverOf);
  const { version, node, startedAt } = options.processes.self;
  const isWatched = ({ name }: JobState) => watched.kinds.some((kind) => kind.name === name);
  const observations = await observe(watched, { now: new Date(), jobs: jobs.filter(isWatched) });
  const settings = describeSettings(env);
  const { aheadMs: _, ...databaseFacts } = database;
  return {
    ...{ version, node, startedAt },
    processes: servers,
    database: databaseFacts,
    backups,
    mail: {
      ...mail,
      ...outcomes,
      lastError: jobs.find(({ name }) => `job:${name}` === MAIL_JOBS)?.lastError ?? null,
      isConfigured: env.smtpUrl !== null,
      from: env.mailFrom,
    },
    jobs: jobs.map(jobOf),
    streams: {
      sockets: sum(servers.map(({ sockets }) => sockets)),
      eventStreams: sum(servers.map(({ eventStreams }) => eventStreams)),
    },
    procedures: summarize(processes.flatMap(({ activity }) => activity?.procedures ?? [])).slice(0, MAX_PROCEDURES),
    warnings: [
      ...observations.filter(({ state }) => state === "trouble").map((one) => describeTrouble(withoutFolders(one))),
      ...Object.values(describeDatabase(database)).filter((warning) => warning !== null),
      ...(isListening ? [] : [describeSilence(env)]),
      ...describeVersions(servers),
      ...settings.mail,
      ...settings.backups,
    ] satisfies SystemWarning[],
  };
}

async function readBackups(db: Db, { backup }: Pick<Env, "backup">): Promise<SystemStatus["backups"]> {
  const [status, asked, isNightlyRunning] = await Promise.all([
    findBackupStatus(db),
    findAskedBackup(db),
    isNightlyInProgress(db),
  ]);
  const isNightly = backup.dir !== null;
  return {
    last: status.last && lastOf(status.last),
    nextAt: isNightly ? status.nextAt : null,
    running: asked ?? (isNightlyRunning ? { since: null } : null),
    isNightly,
    holdSecrets: backup.passphrase !== null,
  };
}

function lastOf({
  file,
  isVerified,
  error,
  ...last
}: NonNullable<Awaited<ReturnType<typeof findBackupStatus>>["last"]>): LastBackup {
  return {
    ...last,
    ok: error === null,
    file: basename(file),
    verified: isVerified,
    error: error?.replaceAll(dirname(file), basename(dirname(file))) ?? null,
  };
}

function jobOf({ name, failingSince, ...job }: JobState): JobStatus {
  return { kind: name, ...job, failingSince: failingSince?.toISOString() ?? null };
}

function serverOf({ activity, ...server }: ReportedProcess): ServerProcess {
  const { memoryBytes = 0, sockets = 0, eventStreams = 0 } = activity ?? {};
  return { ...server, memoryBytes, sockets, eventStreams };
}

/** Where folders are on the machine is nothing for a page. */
function withoutFolders<Condition extends { details?: Record<string, string | number> }>(condition: Condition) {
  const { path, error, ...details } = condition.details ?? {};
  return {
    ...condition,
    details: {
      ...details,
      ...(path !== undefined && { path: basename(String(path)) }),
      ...(error !== undefined && { error: String(error).replace(/\/\S*\/([^/\s]+)/g, "$1") }),
    },
  };
}
