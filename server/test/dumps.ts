import { readFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import type { Sql } from "../../db/client";
import { migrate } from "../../db/migrate";
import { createTestDatabase, type TestDatabase } from "./db";

/** A database of an earlier version as SQL, for tests of upgrades. */
export interface Dump {
  schema: string;
  rows: string;
}

/** What each table holds, in some columns. */
export type Tables = Map<string, { columns: string; rows: unknown[] }>;

/** `dumps/NAME.sql.gz`: first its schema, then its rows. */
export function readDump(name: string): Dump {
  const dump = gunzipSync(readFileSync(join("server", "test", "dumps", `${name}.sql.gz`))).toString();
  const [schema = "", rows = ""] = dump.split(/^-- Rows$/m);
  return { schema, rows };
}

/** A database that was that one and has been upgraded, with what it held before and holds now in the same columns. */
export async function upgradeDump({
  schema,
  rows,
}: Dump): Promise<{ database: TestDatabase; before: Tables; after: Tables }> {
  const database = await createTestDatabase();
  const { sql, connection } = database;
  await sql.unsafe("drop schema public cascade; drop schema drizzle cascade; create schema public");
  await sql.unsafe(schema + rows);
  const before = await readTables(sql);
  await migrate(connection);
  return { database, before, after: await readTables(sql, before) };
}

/** What a database of today's schema holds once the rows of that one are written into it, in the columns of `known`. */
export async function writeRows({ rows }: Dump, known: Tables): Promise<Tables> {
  const own = await createTestDatabase();
  await own.sql.unsafe(rows.replace(/^insert into "drizzle"[\s\S]*?;\n|^select setval\('"drizzle"[^\n]*\n/gm, ""));
  const written = await readTables(own.sql, known);
  await own.close();
  return written;
}

/** All rows of the organisation, as text; with `known` of its tables and columns. */
async function readTables(sql: Sql, known?: Tables): Promise<Tables> {
  const tables = await sql<{ name: string; columns: string }[]>`
    select table_name as name, string_agg(quote_ident(column_name), ', ' order by ordinal_position) as columns
    from information_schema.columns where table_schema = 'public' group by table_name order by table_name`;
  const read: Tables = new Map();
  for (const { name, columns: all } of tables) {
    const columns = known ? known.get(name)?.columns : all;
    if (columns === undefined) continue;
    const rows = await sql.unsafe(`select row(${columns})::text as row from "${name}" order by 1`);
    read.set(name, { columns, rows: rows.map(({ row }) => row) });
  }
  return read;
}

/** A person of the demo. */
export async function demoPerson({ sql }: TestDatabase, name: string): Promise<{ id: string }> {
  const [row] = await sql<{ id: string }[]>`select id from users where email = ${`${name}@sangam.example`}`;
  if (!row) throw new Error(`There is no ${name}.`);
  return row;
}
