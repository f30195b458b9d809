import { chmodSync, existsSync, mkdtempSync, readdirSync, rmSync, statfsSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { type Connection, connect } from "../../db/client";
import { startEmbedded } from "../../db/embedded/start";
import { migrate } from "../../db/migrate";

declare module "vitest" {
  interface ProvidedContext {
    /** The throw-away cluster's own database; the migrated one to clone is called `tpl`. */
    pg: ClusterConnection;
  }
}

/** A throw-away cluster is reached through its socket. */
export type ClusterConnection = Exclude<Connection, { url: string }>;

const PREFIX = "sangam-test-";

/** `DATA_DIR` of the servers that a run's tests start and that have none of their own. Vitest's threads are one process. */
export const TEST_DATA_DIR = join(tmpdir(), `${PREFIX}data-${process.pid}`);

/** Nothing of it has to survive; what this saves is most of the time of the tests. */
export const THROW_AWAY_FLAGS = [
  "fsync=off",
  "synchronous_commit=off",
  "full_page_writes=off",
  "autovacuum=off",
  "wal_level=minimal",
  "max_wal_senders=0",
  "max_connections=200",
  // One plan for a statement, not one for each of its first five calls: a twentieth less processor time. What it answers is the same.
  "plan_cache_mode=force_generic_plan",
];

/** Vitest's global set-up: one cluster for the run, with a migrated database that each test file clones. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = throwAwayFolder();
  const cluster = await startEmbedded({ dataDir: folder, flags: THROW_AWAY_FLAGS });
  const remove = async () => {
    await cluster.stop();
    for (const left of [folder, TEST_DATA_DIR]) rmSync(left, { recursive: true, force: true });
  };
  try {
    if (!("host" in cluster.connection)) throw new Error("The embedded cluster answers on a socket.");
    const server: ClusterConnection = { ...cluster.connection, database: "postgres" };
    const sql = connect(server, { max: 1 });
    await sql.unsafe("create database tpl");
    await sql.end();
    // Before the first migration exists there is nothing to apply.
    if (existsSync("drizzle/meta/_journal.json")) await migrate({ ...server, database: "tpl" });
    project.provide("pg", server);
  } catch (error) {
    await remove();
    throw error;
  }
  return remove;
}

/** In memory when there is room: a clone costs 6 ms there, 10 ms on disk. Folders of killed runs are swept away. */
export function throwAwayFolder(): string {
  const memory = "/dev/shm";
  const roomy = existsSync(memory) && free(memory) > 1e9;
  const parent = roomy ? memory : tmpdir();
  for (const name of readdirSync(parent)) {
    const pid = name.startsWith(PREFIX) ? Number(name.slice(PREFIX.length).split("-")[0]) : 0;
    if (pid > 0 && !isAlive(pid)) rmSync(join(parent, name), { recursive: true, force: true });
  }
  const folder = mkdtempSync(join(parent, `${PREFIX}${process.pid}-`));
  // PostgreSQL's own user has to pass through when root runs the tests; otherwise the cluster would lie elsewhere, on disk.
  chmodSync(folder, 0o711);
  return folder;
}

function free(folder: string): number {
  const { bavail, bsize } = statfsSync(folder);
  return bavail * bsize;
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && "code" in error && error.code === "EPERM";
  }
}
