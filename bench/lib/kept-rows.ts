import { deepEqual } from "node:assert/strict";
import { connect, type Sql } from "../../db/client";
import { startEmbedded } from "../../db/embedded/start";

/** What people wrote; the rest (sessions, jobs, limits) goes on by itself. */
const KEPT = [
  "users",
  "accounts",
  "api_keys",
  "projects",
  "project_members",
  "tasks",
  "task_assignees",
  "project_events",
].concat(["conversations", "messages", "commits", "commit_mentions", "inquiries", "audit_events"]);
/** The columns and rows of each table. */
export type KeptRows = Map<string, { columns: string; rows: string[] }>;

/** What people wrote, as text; with `known` of its columns. */
export function readRows(dataDir: string, known?: KeptRows): Promise<KeptRows> {
  return inDatabase(dataDir, async (sql) => {
    const tables: KeptRows = new Map();
    for (const name of KEPT) {
      const [all] = await sql<{ columns: string }[]>`
        select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
        from information_schema.columns where table_schema = 'public' and table_name = ${name}`;
      const columns = known?.get(name)?.columns ?? all?.columns ?? "";
      const rows = await sql.unsafe<{ row: string }[]>(`select row(${columns})::text as row from "${name}" order by 1`);
      tables.set(name, { columns, rows: rows.map(({ row }) => row) });
    }
    return tables;
  });
}

/** Throws an error that names the first table whose rows are others. */
export function compareRows(found: KeptRows, expected: KeptRows): void {
  for (const [name, { rows }] of expected) deepEqual(found.get(name)?.rows, rows, `the rows of ${name}`);
}

/** Of all tables together. */
export function countRows(tables: KeptRows): number {
  return [...tables.values()].reduce((sum, { rows }) => sum + rows.length, 0);
}

/** Joins the PostgreSQL of a running server, or starts it meanwhile. */
export async function inDatabase<Result>(dataDir: string, work: (sql: Sql) => Promise<Result>): Promise<Result> {
  const cluster = await startEmbedded({ dataDir });
  const sql = connect(cluster.connection, { max: 1 });
  try {
    return await work(sql);
  } finally {
    await sql.end();
    await cluster.stop();
  }
}
