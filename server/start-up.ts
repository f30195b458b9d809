import { accessSync, constants, existsSync, mkdirSync, readdirSync } from "node:fs";
import type { Server } from "node:http";
import { dirname } from "node:path";
import { type Connection, createDb, type Db, STARTUP_OPTIONS, UnpatchedDriverError } from "../db/client";
import type { DemoContent } from "../db/demo-files";
import { EmbeddedError } from "../db/embedded/start";
import { LockedDatabaseError, NewerSchemaError, OldPostgresError, oneAtATime, readVersion } from "../db/migrate";
import { MigrationRefusedError } from "../db/migration-refusals";
import { DEMO_ACCOUNTS, seedDemo } from "../db/seed";
import { ensureFirstAdmin, FIRST_ADMIN_HINT } from "./auth/first-admin";
import { endSessionsOf } from "./auth/mutations";
import { hashPassword } from "./auth/passwords";
import { hasActiveAdmin } from "./auth/queries";
import { DEMO_ANYWHERE_WARNING, type Env } from "./core/env";
import { describeError, type Logger } from "./core/logger";
import { KeptSecretError, loadSecrets, type Secrets, vaultOf } from "./core/secrets";
import { NoAnswerError } from "./core/terminal";
import type { Tracing } from "./core/tracing";
import { putContents } from "./files/intake";
import { describeStoreFault, findStoreFault, markStore } from "./files/ownership";
import { createFileStore, uploadFolderOf } from "./files/stores";
import { MigrationBackupError } from "./operations/backup/nightly";
import { settleTimeZones } from "./organisation/mutations";
import { resealAll } from "./sealed-columns";
import { noteSecrets } from "./system/mutations";

/** Ends the start with a sentence for the person at the terminal. */
export class StartError extends Error {}

/** Of the demo accounts, which are closed outside the demo. */
export const demoEmails = DEMO_ACCOUNTS.map(({ email }) => email);

/** Makes the data folder, or checks that it can be used. Throws StartError. */
export function makeDataDir({ dataDir }: Env): void {
  try {
    // As root: PostgreSQL's own user has to pass through, but needs to list nothing.
    makeFolder(dataDir, process.getuid?.() === 0 ? 0o711 : 0o700);
    accessSync(dataDir, constants.R_OK | constants.W_OK | constants.X_OK);
    readdirSync(dataDir);
  } catch (error) {
    throw unusable(dataDir, error);
  }
}

function unusable(dataDir: string, error: unknown): StartError {
  return new StartError(
    `The data folder ${dataDir} cannot be used (${codeOf(error)}). ` +
      "Make it a folder that this user can read and write, or set DATA_DIR to another one.",
  );
}

/** `loadSecrets`, with words for files that belong to another user. */
export function readSecrets(env: Env): Secrets {
  try {
    return loadSecrets(env);
  } catch (error) {
    throw error instanceof KeptSecretError ? error : unusable(env.dataDir, error);
  }
}

/** Not mkdir's `recursive`, which never returns for a folder below /proc (Node 20). */
function makeFolder(path: string, mode: number): void {
  if (existsSync(path)) return;
  makeFolder(dirname(path), mode);
  try {
    mkdirSync(path, { mode });
  } catch (error) {
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

/**
 * What must be in the database before anybody is served, by one server at a time and without the deadlines of calls. Returns
 * whether anybody could let others in, and the server's time zone as the database calls it.
 */
export async function prepareDatabase({
  env,
  secrets,
  connection,
  logger,
}: {
  env: Env;
  secrets: Secrets;
  connection: Connection;
  logger: Logger;
}): Promise<{ hasAdmin: boolean; timeZone: string }> {
  const { db, close } = createDb(connection, { ...STARTUP_OPTIONS, max: 4 });
  const work = async () => {
    const store = createFileStore(env);
    const fault = await findStoreFault(db, store);
    if (fault !== null) throw new StartError(describeStoreFault(fault, store));
    const storeContents = async (contents: readonly DemoContent[]) => {
      await markStore(db, store);
      await putContents(store, { folder: uploadFolderOf(env), contents });
    };
    if (env.demo) await seedDemo({ db, hashPassword, storeContents });
    else await endSessionsOf(db, { emails: demoEmails });
    if (env.admin) {
      const outcome = await ensureFirstAdmin({ db, admin: env.admin, hashPassword, demoEmails });
      logger.info("first admin", { outcome });
    }
    await takeSecrets(db, { secrets, logger });
    const hasAdmin = await hasActiveAdmin(db, { except: env.demo ? [] : demoEmails });
    return { hasAdmin, timeZone: await takeTimeZone(db, { env, logger }) };
  };
  return oneAtATime({ connection }, work).finally(close);
}

async function takeTimeZone(db: Db, { env, logger }: { env: Env; logger: Logger }): Promise<string> {
  const present = await settleTimeZones(db, env);
  if (present !== null) return present;
  logger.warn("unknown time zone", {
    timeZone: env.timeZone,
    remedy: "the database lacks it and UTC holds: give TIME_ZONE a name such as Asia/Kolkata",
  });
  return "UTC";
}

/** What a former key sealed is sealed anew, so that the key can go. */
async function takeSecrets(db: Db, { secrets, logger }: { secrets: Secrets; logger: Logger }): Promise<void> {
  await noteSecrets(db, secrets);
  const { resealed, unreadable } = await resealAll(db, vaultOf(secrets));
  if (resealed > 0) logger.info("sealed with the present TOKEN_ENCRYPTION_KEY", { count: resealed });
  for (const column of unreadable) {
    logger.warn("sealed with an unknown key", {
      column,
      remedy: "give the former value of TOKEN_ENCRYPTION_KEY in TOKEN_ENCRYPTION_KEY_OLD",
    });
  }
}

/** At every start with an open demo a warning, whatever the log's level; without anyone who could let others in, the way to make one. */
export function printWaysIn(env: Env, { hasAdmin }: { hasAdmin: boolean }): void {
  if (env.demoAnywhere) process.stderr.write(DEMO_ANYWHERE_WARNING);
  if (!hasAdmin) process.stdout.write(FIRST_ADMIN_HINT);
}

/** Their messages are for the person at the terminal. */
const SPEAKING_ERRORS = [
  MigrationBackupError,
  StartError,
  EmbeddedError,
  KeptSecretError,
  NewerSchemaError,
  OldPostgresError,
  LockedDatabaseError,
  MigrationRefusedError,
  NoAnswerError,
  UnpatchedDriverError,
];

/** What to say about a start that failed. */
export function startFailure(error: unknown): string {
  if (SPEAKING_ERRORS.some((kind) => error instanceof kind) && error instanceof Error) return error.message;
  // Messages of database errors repeat parameters, which may be secrets.
  return `The server could not start: ${JSON.stringify(describeError(error))}`;
}

/** The sentence for a database that does not let us in; null when the trouble is another one. */
export function unreachable(error: unknown): StartError | null {
  const code = codeOf(error);
  const call = error instanceof Error && "syscall" in error ? error.syscall : null;
  // postgres.js's own names, and PostgreSQL's for "no connection to be had": not the end of a statement that took too long.
  const isRefusal = /^(CONNECT\w+|(08|28|3D)...|53300|57P0.)$/.test(code);
  if (!isRefusal && call !== "connect" && call !== "getaddrinfo") return null;
  return new StartError(
    `The database does not let the server in (${code}). Check that PostgreSQL runs and that DATABASE_URL has the right ` +
      "host, port, user, password and database.",
  );
}

/** The code of an error, "" without one. */
function codeOf(error: unknown): string {
  return error instanceof Error && "code" in error ? String(error.code) : "";
}

/** Null unless a setting names where traces go: the library is then not loaded at all. */
export async function loadTracing({
  env: { tracing },
  root,
  logger,
}: {
  env: Pick<Env, "tracing">;
  root: string;
  logger: Logger;
}): Promise<Tracing | null> {
  if (tracing === null) return null;
  const { startTracing } = await import("./core/tracing");
  return startTracing({ version: readVersion(root), protocol: tracing.protocol, logger });
}

/** Listens, or rejects with what to do about the setting that says where. */
export function listen(
  server: Server,
  { host, port, setting }: { host: string; port: number; setting: "PORT" | "METRICS_PORT" },
): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", (error) => {
      const sentences: Record<string, string> = {
        EADDRINUSE: `Port ${port} of ${host} is in use: stop what listens there, or set ${setting} to another number.`,
        EACCES: `Port ${port} may not be used by this user: set ${setting} to a number above 1023.`,
        EADDRNOTAVAIL: `This machine has no address ${host}: set HOST to one that it has, such as 127.0.0.1.`,
        ENOTFOUND: `This machine has no address ${host}: set HOST to one that it has, such as 127.0.0.1.`,
      };
      const sentence = sentences[codeOf(error)];
      reject(sentence === undefined ? error : new StartError(sentence));
    });
    server.listen(port, host, resolve);
  });
}
