import { mkdirSync, realpathSync } from "node:fs";
import { resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type Connection, connect, STARTUP_OPTIONS } from "../client";
import { EmbeddedError } from "./binaries";
import { launch, type RunningServer } from "./launch";
import { type ClusterLocation, chooseLocation } from "./location";
import { readNote, writeNote } from "./note";
import { isSameProcess, type Postmaster, readPostmaster, stillRuns } from "./postmaster";

export { EmbeddedError };

/** A PostgreSQL that serves one data folder. */
export type EmbeddedCluster = {
  /** The database `sangam`, through a Unix socket; nothing listens on a network port. */
  connection: Connection;
  /** False: another process of this machine started it for the same folder and takes it along when it ends. */
  owned: boolean;
  /** Where the cluster's files are: DATA_DIR/pg, or below /var/lib/sangam. */
  where: string;
  /** Resolves with a sentence when PostgreSQL has ended, asked for or not. Never rejects. */
  exited: Promise<string>;
  /** Ends an own PostgreSQL (at most 15 s); leaves an adopted one alone. */
  stop(): Promise<void>;
};

type EmbeddedOptions = {
  dataDir: string;
  /** Receives PostgreSQL's own complaints and the notes of a slow start. */
  log?: (line: string) => void;
  /** Further settings as name=value, for throw-away clusters. */
  flags?: readonly string[];
};

const DATABASE = "sangam";
const START_DEADLINE_MS = 120_000;
const ADOPTED_POLL_MS = 250;

/**
 * Starts the PostgreSQL that came with the packages on `dataDir`, or joins the one that another process has started
 * there. Makes the cluster and the database when missing and writes DATA_DIR/cluster.json. When this process ends in
 * whatever way (kill -9 included) an owned PostgreSQL ends too. Throws EmbeddedError with a sentence for people.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<EmbeddedCluster> {
  const log = options.log ?? (() => {});
  mkdirSync(options.dataDir, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  // Two spellings of one folder must find the same cluster.
  const dataDir = realpathSync(resolve(options.dataDir));
  const note = readNote(dataDir);
  const location = chooseLocation(dataDir, note);
  // Before there is a cluster: it reserves the location.
  if (note === null) writeNote(dataDir, { dataDir, where: location.pgDir });
  const { postmaster, own } = await startAndPrepare(location, { log, flags: options.flags ?? [] });
  const server = addressOf(postmaster);
  if (own !== null) {
    const { pid, socketDir, port } = postmaster;
    const address = { socketDir, port, username: DATABASE, database: DATABASE };
    writeNote(dataDir, { dataDir, where: location.pgDir, ...address, pid, ownerPid: process.pid });
  }
  return {
    connection: { ...server, database: DATABASE },
    owned: own !== null,
    where: location.pgDir,
    exited: own?.exited ?? adoptedEnd(postmaster),
    stop: () => own?.stop() ?? Promise.resolve(),
  };
}

type Running = { postmaster: Postmaster; own: RunningServer | null };

type StartOptions = { log: (line: string) => void; flags: readonly string[] };

async function startAndPrepare(location: ClusterLocation, options: StartOptions): Promise<Running> {
  const running = await startOrJoin(location, options);
  try {
    await createDatabase({ ...addressOf(running.postmaster), database: "postgres" });
    return running;
  } catch (error) {
    await running.own?.stop();
    // Joined in the instant in which its owner died: it stops now, and the next round starts a new one.
    if (running.own === null && (await endsSoon(running.postmaster))) return startAndPrepare(location, options);
    throw error;
  }
}

async function endsSoon(postmaster: Postmaster): Promise<boolean> {
  for (let round = 0; round < 100 && stillRuns(postmaster); round++) await sleep(50);
  return !stillRuns(postmaster);
}

function addressOf({ socketDir, port }: Postmaster) {
  return { host: socketDir, port, username: DATABASE };
}

/** Loops because the answer may change while it looks: a former owner's cluster is stopping, or a twin wins the start. */
async function startOrJoin(location: ClusterLocation, options: StartOptions): Promise<Running> {
  const deadline = Date.now() + START_DEADLINE_MS;
  let own: RunningServer | null = null;
  let failure = "";
  let hasWarned = false;
  while (Date.now() < deadline) {
    const { postmaster, stale } = readPostmaster(location.pgDir);
    if (postmaster !== null) {
      const mine = own !== null && own.pid === postmaster.pid;
      const kept = mine || postmaster.owner === null || isSameProcess(postmaster.owner);
      if (postmaster.ready && kept) return { postmaster, own: mine ? own : null };
      if (!hasWarned && deadline - Date.now() < START_DEADLINE_MS - 3_000) {
        hasWarned = true;
        options.log(`Waiting for the PostgreSQL of ${location.pgDir} (process ${postmaster.pid}).`);
      }
    } else if (own === null) {
      own = await launch(location, { ...options, removeStalePid: stale });
    }
    if (own?.failure() !== undefined) {
      failure = own?.failure() ?? "";
      own = null;
      // A twin that was quicker holds the lock; its postmaster.pid appears to us in the next round.
      if (!/lock file .* (already exists|is empty)/.test(failure)) break;
      await sleep(50);
    }
    await sleep(8);
  }
  await own?.stop();
  throw new EmbeddedError(
    failure === ""
      ? `The PostgreSQL of ${location.pgDir} did not become ready within ${START_DEADLINE_MS / 1000} s.`
      : `The PostgreSQL of ${location.pgDir} does not start: ${failure}`,
  );
}

async function createDatabase(connection: Connection): Promise<void> {
  const sql = connect(connection, STARTUP_OPTIONS);
  try {
    const [found] = await sql`select 1 from pg_database where datname = ${DATABASE}`;
    if (found === undefined) await sql.unsafe(`create database ${DATABASE}`);
  } catch (error) {
    // 42P04 and, when two creations overlap, 23505: a twin has made it.
    const code = error instanceof Error && "code" in error ? error.code : null;
    if (code !== "42P04" && code !== "23505") throw error;
  } finally {
    await sql.end({ timeout: 5 });
  }
}

function adoptedEnd(postmaster: Postmaster): Promise<string> {
  return new Promise((resolveEnd) => {
    const timer = setInterval(() => {
      if (stillRuns(postmaster)) return;
      clearInterval(timer);
      resolveEnd("The instance that started the database has stopped, and the database with it.");
    }, ADOPTED_POLL_MS);
    timer.unref();
  });
}
