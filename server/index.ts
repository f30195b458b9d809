import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { constants } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { getRequestListener } from "@hono/node-server";
import { type Connection, createDb } from "../db/client";
import { startEmbedded } from "../db/embedded/start";
import { migrate } from "../db/migrate";
import { DEMO_ACCOUNTS } from "../db/seed";
import { createApp } from "./app";
import { runAdminCommand } from "./auth/admin-command";
import { hashPassword } from "./auth/passwords";
import { unnamedProxyNotice } from "./core/client-address";
import { drain } from "./core/drain";
import { type Env, readEnv } from "./core/env";
import { keepBuild, keptBuildsIn } from "./core/kept-builds";
import { createLogger, describeError, type Logger } from "./core/logger";
import { answerMalformed, KEEP_ALIVE_MS } from "./core/request-limits";
import { findRoot } from "./core/root-folder";
import { startWatchdog } from "./core/watchdog";
import { loadMailer } from "./mail/client";
import { loadPush } from "./notifications/push";
import { backUpBeforeMigration } from "./operations/backup/nightly";
import { backupSource, isCommand, readOperation, runOperation } from "./operations/commands";
import {
  demoEmails,
  listen,
  loadTracing,
  makeDataDir,
  prepareDatabase,
  printWaysIn,
  readSecrets,
  StartError,
  startFailure,
  unreachable,
} from "./start-up";

/** Ctrl-C under npm sends the signal twice; a second one cuts the stop short only after this time. */
const REPEATED_SIGNAL_MS = 5_000;
/** Past the time in which a server that is told to stop still accepts. */
const STOP_DEADLINE_MS = 20_000;

const closers: (() => Promise<void> | void)[] = [];
let stopping = false;
let stopDeadlineMs = STOP_DEADLINE_MS;
/** Breaks off what a command does. */
const interruption = new AbortController();
/** What it has half done an operation takes back, and then it ends the process. */
let isOperating = false;

process.on("SIGINT", onSignal);
process.on("SIGTERM", onSignal);
main().catch((error: unknown) => stop({ exitCode: 1, sentence: startFailure(error) }));

async function main(): Promise<void> {
  const root = findRoot();
  const settings = readEnv(root);
  const doctorArgs = argsAfter("--doctor");
  if (doctorArgs) {
    const { runDoctorCommand } = await import("./operations/doctor/command");
    const isWell = await runDoctorCommand({ args: doctorArgs, root, settings, ...doctorMeans() });
    return stop({ exitCode: isWell ? 0 : 1 });
  }
  const { env, problems } = settings;
  if (problems !== undefined) throw new StartError(problems.join("\n"));
  const logger = createLogger({ level: env.logLevel });
  process.on("unhandledRejection", (error) => logger.error("unhandled rejection", describeError(error)));
  process.on("uncaughtException", (error) => {
    logger.error("uncaught exception", describeError(error));
    void stop({
      exitCode: 1,
      sentence: "The server stops because of an unexpected error; the log has where it happened.",
    });
  });
  const notice = unnamedProxyNotice(env);
  if (notice !== null) logger.warn("unnamed proxy", { notice });
  makeDataDir(env);
  const connection = await openDatabase(env, logger);
  const migrateIt = () => migrateDatabase({ env, root, connection, logger });
  const operation = readOperation(process.argv);
  if (operation) {
    isOperating = true;
    const surroundings = {
      ...{ env, root, connection, migrate: migrateIt, readSecrets: () => readSecrets(env) },
      signal: interruption.signal,
    };
    const { ok, sentence } = await runOperation(operation, surroundings).catch((error: unknown) => {
      throw unreachable(error) ?? error;
    });
    return stop({ exitCode: ok ? 0 : (interruptedCode ?? 1), sentence });
  }
  await migrateIt();
  if (process.argv.includes("--migrate-only")) {
    process.stdout.write("migrated\n");
    return stop({ exitCode: 0 });
  }
  const secrets = readSecrets(env);
  const tracing = await loadTracing({ env, root, logger });
  if (tracing) closers.push(tracing.close);
  const startStatement = tracing?.startStatement;
  const { db, sql, close, ...pool } = createDb(connection, { startStatement });
  const sessionReads = createDb(connection, { max: 1, startStatement });
  const overdueMs = () => Math.max(pool.overdueMs(), sessionReads.overdueMs());
  closers.push(sessionReads.close);
  closers.push(close);
  const adminArgs = argsAfter("--admin");
  if (adminArgs) {
    const { ok, sentence } = await runAdminCommand({ args: adminArgs, password: env.adminPassword, db, hashPassword });
    return stop({ exitCode: ok ? 0 : 1, sentence });
  }
  const { hasAdmin, timeZone } = await prepareDatabase({ env, secrets, connection, logger });
  const app = await createApp({
    env: { ...env, timeZone },
    secrets,
    db,
    sessionDb: sessionReads.db,
    sql,
    overdueMs,
    tracing,
    readPools: () => [pool.readState(), sessionReads.readState()],
    connection,
    logger,
    root,
    build: readBuild(),
    closedTo: env.demo ? [] : demoEmails,
  });
  const server = createServer(getRequestListener(app.fetch, { hostname: env.host, errorHandler: answerMalformed }));
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  closers.push(() => app.close());
  stopDeadlineMs += env.drainSeconds * 1_000;
  closers.push(() =>
    drain(server, {
      announce: app.announceStop,
      acceptMs: env.drainSeconds * 1_000,
      isProxied: env.trustedProxies.length > 0,
      endStreams: app.endStreams,
    }),
  );
  app.attach(server);
  const watchdog = startWatchdog({
    overdueMs,
    logger,
    onStuck: () =>
      void stop({ exitCode: 1, sentence: "The server stops: calls of the database no longer come to an end." }),
  });
  closers.push(() => watchdog.close());
  if (app.fetchMetrics && env.metrics.port !== null) {
    const own = createServer(getRequestListener(app.fetchMetrics));
    closers.push(() => void own.close());
    await listen(own, { host: env.host, port: env.metrics.port, setting: "METRICS_PORT" });
  }
  await listen(server, { host: env.host, port: env.port, setting: "PORT" });
  // Not with the first mail: an upgrade in place may have replaced their files by then.
  void Promise.allSettled([loadMailer(), loadPush()]);
  // Nothing waits for it.
  void keepBuild({ dist: join(root, "dist"), kept: keptBuildsIn(env.dataDir) }, { logger });
  printWaysIn(env, { hasAdmin });
  for (const { accountType, email, password } of env.demo ? DEMO_ACCOUNTS : []) {
    process.stdout.write(`demo ${accountType} ${email} ${password}\n`);
  }
  process.stdout.write(`ready http://${env.host.includes(":") ? `[${env.host}]` : env.host}:${env.port}\n`);
}

function doctorMeans() {
  return {
    open(env: Env) {
      makeDataDir(env);
      return openDatabase(env, createLogger({ level: "silent" }));
    },
    readSecrets,
    explain: (error: unknown) => startFailure(unreachable(error) ?? error),
    print: (line: string) => void process.stdout.write(`${line}\n`),
  };
}

/** What follows a mark on the command line; null without it. */
function argsAfter(mark: string): string[] | null {
  const at = process.argv.indexOf(mark);
  return at < 0 ? null : process.argv.slice(at + 1);
}

/** What the build has written beside the bundle; nothing when the source runs. */
function readBuild(): string | undefined {
  const stamp = join(dirname(fileURLToPath(import.meta.url)), ".build-stamp");
  return existsSync(stamp) ? readFileSync(stamp, "utf8") : undefined;
}

async function openDatabase(env: Env, logger: Logger): Promise<Connection> {
  if (env.databaseUrl !== null) return { url: env.databaseUrl };
  const log = (line: string) => logger.warn("postgres", { line });
  const cluster = await startEmbedded({ dataDir: env.dataDir, log });
  closers.push(() => cluster.stop());
  void cluster.exited.then((sentence) => stop({ exitCode: 1, sentence }));
  if (!cluster.where.startsWith(env.dataDir)) process.stdout.write(`database files in ${cluster.where}\n`);
  return cluster.connection;
}

/** Brings the database to the present schema; the embedded one, which nobody else looks after, is backed up before. */
async function migrateDatabase({
  env,
  root,
  connection,
  logger,
}: {
  env: Env;
  root: string;
  connection: Connection;
  logger: Logger;
}): Promise<void> {
  const backUp = async () => {
    const source = backupSource({ env, root, connection, secrets: readSecrets(env) });
    const { signal } = interruption;
    const file = await backUpBeforeMigration({ ...source, signal }, { keep: env.backup.keep });
    logger.info("backed up before a migration", { file });
  };
  const onNewer = () =>
    logger.warn("newer schema", {
      notice: "A newer version has added to the database; this one runs on it all the same.",
    });
  await migrate(connection, { root, onNewer, ...(env.databaseUrl === null && { beforeChange: backUp }) }).catch(
    (error: unknown) => {
      throw unreachable(error) ?? error;
    },
  );
}

let signalledAt = 0;
/** That of a command which a signal has ended, as shells have it. */
let interruptedCode: number | null = null;

/** A server is meant to be stopped, also while it starts; a command has not done what it was for. */
function onSignal(signal: NodeJS.Signals): void {
  if (signalledAt > 0 && Date.now() - signalledAt > REPEATED_SIGNAL_MS) process.exit(1);
  if (signalledAt === 0) signalledAt = Date.now();
  interruption.abort();
  if (!isCommand(process.argv)) return void stop({ exitCode: 0 });
  const exitCode = 128 + constants.signals[signal];
  interruptedCode = exitCode;
  if (isOperating) setTimeout(() => process.exit(exitCode), stopDeadlineMs).unref();
  else void stop({ exitCode, sentence: "Interrupted." });
}

/** Says why, if there is something to say, closes everything in the reverse order of opening and ends the process. */
async function stop({ exitCode, sentence }: { exitCode: number; sentence?: string }): Promise<void> {
  if (stopping) return;
  stopping = true;
  if (sentence !== undefined) process.stderr.write(`${sentence}\n`);
  setTimeout(() => process.exit(1), stopDeadlineMs).unref();
  for (const close of closers.reverse()) {
    // What is already gone cannot be closed, which is no reason to leave the rest open.
    await Promise.resolve(close()).catch(() => {});
  }
  process.exit(exitCode);
}
