import type { Readable } from "node:stream";
import * as z from "zod/mini";
import { type Connection, inTransaction, type TransactionSql, type Tx } from "../../db/client";
import { findNewestApplied } from "../../db/migrate";

/** A table as the database has it, whatever version made it. */
export const tableSchema = z.object({ name: z.string(), columns: z.array(z.string()), orderBy: z.array(z.string()) });
export type Table = z.infer<typeof tableSchema>;

const tablesSchema = z.array(tableSchema);
const sequencesSchema = z.array(z.object({ name: z.string(), value: z.nullable(z.string()) }));
const rowsSchema = z.array(z.record(z.string(), z.nullable(z.string())));
const versionSchema = z.tuple([z.object({ version: z.string() })]);

const ROWS_AT_ONCE = 500;
/** Longer than PostgreSQL waits for a lock (STARTUP_OPTIONS), so that its own answer comes first. */
const MAX_SILENCE_MS = 630_000;

/** The whole database as it was at one moment, while others go on writing. */
export interface Snapshot {
  tx: Tx;
  sql: TransactionSql;
  /** Of PostgreSQL. */
  version: string;
  /** The newest migration. */
  migration: number;
  tables: Table[];
}

/** The database holds nothing yet, not even tables. */
export class NoTablesError extends Error {}

/**
 * Reads the database at one moment. Throws NoTablesError, and DatabaseTimeoutError when the database has gone silent: a backup or an
 * export ends then, and gives way to the next one. So it does when the signal breaks it off.
 */
export async function withSnapshot<Result>(
  connection: Connection,
  work: (snapshot: Snapshot) => Promise<Result>,
  { maxSilenceMs = MAX_SILENCE_MS, signal }: { maxSilenceMs?: number; signal?: AbortSignal | undefined } = {},
): Promise<Result> {
  const config = { isolationLevel: "repeatable read", accessMode: "read only", maxSilenceMs, signal } as const;
  return inTransaction(connection, config, async ({ tx, sql }) => {
    const migration = await findNewestApplied(sql);
    if (migration === null) throw new NoTablesError("There is nothing in this database yet.");
    const [{ version }] = versionSchema.parse(await sql`select current_setting('server_version') as version`);
    return work({ tx, sql, version, migration, tables: await listTables(sql) });
  });
}

/** The tables of the organisation, by name. Ordered by their keys, and texts by their bytes, they read the same everywhere. */
export async function listTables(sql: TransactionSql): Promise<Table[]> {
  const rows = await sql`
    select c.relname as name,
      (select json_agg(a.attname order by a.attnum) from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      coalesce((select json_agg(quote_ident(a.attname) || case when a.attcollation <> 0 then ' collate "C"' else '' end order by k.position)
        from pg_index i
        cross join unnest(i.indkey::int2[]) with ordinality as k(attnum, position)
        join pg_attribute a on a.attrelid = i.indrelid and a.attnum = k.attnum
        where i.indrelid = c.oid and i.indisprimary), '[]') as "orderBy"
    from pg_class c
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r'
    order by c.relname collate "C"`;
  return tablesSchema.parse(rows);
}

/** The rows of a table in the order of its key, as COPY writes text. */
export function copyOut(sql: TransactionSql, table: Table): Promise<Readable> {
  return sql.unsafe(`copy (${selectOf(table, quoted)}) to stdout`).readable();
}

/** The rows of a table in the order of its key, a page at a time, with each value as text. */
export async function* readRows(sql: TransactionSql, table: Table): AsyncGenerator<(string | null)[][]> {
  const select = selectOf(table, (column) => `${quoted(column)}::text`);
  for await (const page of sql.unsafe(select).cursor(ROWS_AT_ONCE)) {
    yield rowsSchema.parse(page).map((row) => table.columns.map((column) => row[column] ?? null));
  }
}

function selectOf({ name, columns, orderBy }: Table, columnOf: (name: string) => string): string {
  const order = orderBy.length > 0 ? orderBy.join(", ") : `${quoted(name)}::text collate "C"`;
  return `select ${columns.map(columnOf).join(", ")} from ${quoted(name)} order by ${order}`;
}

/** How far the counters of numbered rows have come; what was never used is left out. */
export async function readSequences(sql: TransactionSql): Promise<Record<string, string>> {
  const rows = await sql`
    select sequencename as name, last_value::text as value from pg_sequences
    where schemaname = 'public' order by sequencename collate "C"`;
  return Object.fromEntries(
    sequencesSchema.parse(rows).flatMap(({ name, value }) => (value === null ? [] : [[name, value]])),
  );
}

/** A name as SQL has it. */
export function quoted(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
