import { randomBytes } from "node:crypto";
import { inject } from "vitest";
import { type Connection, connect, createDb, type Db, type PoolOptions, type Sql } from "../../db/client";
import type { ClusterConnection } from "./cluster";

/** A migrated, empty database of one test file. */
export type TestDatabase = {
  db: Db;
  sql: Sql;
  connection: ClusterConnection;
  /** Resolves once so many of its calls, one if left out, wait for a lock that others hold. */
  untilWaiting(calls?: number): Promise<void>;
  /** Ends its connections and drops it. Call it in afterAll. */
  close(): Promise<void>;
};

/** Enough for calls that wait for each other's locks. Each more begins without plans: ten take a fifth more processor time. */
const MAX_CONNECTIONS = 4;

/**
 * Clones the run's template (6 ms), so that files can run beside each other without seeing each other's rows. `options` are
 * for what a busy machine would run into, such as the deadline of the last of 200 calls at once.
 */
export async function createTestDatabase(options?: PoolOptions): Promise<TestDatabase> {
  const server = inject("pg");
  const name = `test_${randomBytes(6).toString("hex")}`;
  await command(server, `create database ${name} template tpl strategy file_copy`);
  const connection = { ...server, database: name };
  const { db, sql, close } = createDb(connection, { max: MAX_CONNECTIONS, ...options });
  return {
    db,
    sql,
    connection,
    async untilWaiting(calls = 1) {
      for (;;) {
        const [row] = await sql`select count(*)::int as waiting from pg_stat_activity
          where datname = current_database() and wait_event_type = 'Lock'`;
        if (row?.waiting >= calls) return;
      }
    },
    async close() {
      await close();
      await command(server, `drop database ${name} with (force)`);
    },
  };
}

/** On one connection for all databases of a worker. */
async function command(server: Connection, statement: string): Promise<void> {
  admin ??= connect(server, { max: 1 });
  const sql = admin;
  await retryWhileCloned(() => sql.unsafe(statement));
}
let admin: Sql | undefined;

/** 55006: another file is cloning the template at this moment. */
async function retryWhileCloned(attempt: () => Promise<unknown>): Promise<void> {
  for (let round = 0; ; round++) {
    try {
      await attempt();
      return;
    } catch (error) {
      const code = error instanceof Error && "code" in error ? error.code : null;
      if (code !== "55006" || round > 200) throw error;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}
