import { pipeline } from "node:stream/promises";
import type { MigrationMeta } from "drizzle-orm/migrator";
import * as z from "zod/mini";
import type { TransactionSql } from "../../../db/client";
import { applyMigrations } from "../../../db/migrate";
import { measure } from "../archive";
import { tableEntry } from "../backup/manifest";
import { copyOut, listTables, quoted } from "../snapshot";
import { type OpenBackup, RestoreError } from "./read";

/** With rows in one of these a database is in use; whatever else a server writes on its own does not count. */
const TABLES_OF_AN_ORGANISATION = ["users", "inquiries", "audit_events"];

const countSchema = z.tuple([z.object({ count: z.number() })]);
const namesSchema = z.array(z.object({ name: z.string() }));
const foreignKeysSchema = z.array(z.object({ table: z.string(), name: z.string(), definition: z.string() }));

/** Throws RestoreError unless the database is empty and nobody uses it. */
export async function requireEmpty(sql: TransactionSql): Promise<void> {
  const [{ count: servers }] = countSchema.parse(
    await sql`
      select count(*)::int as count from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and application_name like 'sangam%'`,
  );
  if (servers > 0) throw new RestoreError("A server uses this database: stop it, then start the restore again.");
  const tables = await listTables(sql);
  const [table] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as present`;
  if (tables.length > 0 && table?.present !== true) {
    throw new RestoreError("This database holds tables of another program: give the restore a database of its own.");
  }
  for (const { name } of tables.filter((one) => TABLES_OF_AN_ORGANISATION.includes(one.name))) {
    const [{ count }] = countSchema.parse(await sql.unsafe(`select count(*)::int as count from ${quoted(name)}`));
    if (count > 0) {
      throw new RestoreError(
        `The database is not empty: ${name} has ${count} rows. A backup is restored into an empty one only, so that nothing is overwritten.`,
      );
    }
  }
}

/** Puts the rows of a backup into an empty database, under the schema that they were written with. */
export async function load(
  sql: TransactionSql,
  { backup, migrations }: { backup: OpenBackup; migrations: readonly MigrationMeta[] },
): Promise<void> {
  const { archive, manifest } = backup;
  await dropAll(sql);
  await applyMigrations(
    sql,
    migrations.filter(({ folderMillis }) => folderMillis <= manifest.versions.migration),
  );
  const made = new Set((await listTables(sql)).map(({ name }) => name));
  const unknown = manifest.tables.find(({ name }) => !made.has(name));
  if (unknown) throw new RestoreError(`The backup is damaged: there is no table ${unknown.name} in its version.`);
  // Migrations may have written rows of their own.
  await sql.unsafe(`truncate ${[...made].map(quoted).join(", ")} restart identity`);
  const foreignKeys = await dropForeignKeys(sql);
  for (const { name, columns } of manifest.tables) {
    const into = await sql.unsafe(`copy ${quoted(name)} (${columns.map(quoted).join(", ")}) from stdin`).writable();
    await pipeline(await archive.read(tableEntry(name)), into);
  }
  for (const statement of foreignKeys) await sql.unsafe(statement);
  for (const [name, value] of Object.entries(manifest.sequences)) {
    await sql`select setval(${quoted(name)}::regclass, ${value}::bigint)`;
  }
}

/** Tables without an organisation: an earlier start has made them, perhaps with a newer schema. */
async function dropAll(sql: TransactionSql): Promise<void> {
  for (const { name } of await listTables(sql)) await sql.unsafe(`drop table ${quoted(name)} cascade`);
  const types = namesSchema.parse(
    await sql`select typname as name from pg_type where typnamespace = 'public'::regnamespace and typtype = 'e'`,
  );
  for (const { name } of types) await sql.unsafe(`drop type ${quoted(name)}`);
  await sql`drop schema if exists drizzle cascade`;
}

/** Rows may then come in any order. Returns the statements that make the foreign keys again, which checks them all. */
async function dropForeignKeys(sql: TransactionSql): Promise<string[]> {
  const rows = foreignKeysSchema.parse(
    await sql`
      select conrelid::regclass::text as table, conname as name, pg_get_constraintdef(oid) as definition
      from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace`,
  );
  for (const { table, name } of rows) await sql.unsafe(`alter table ${table} drop constraint ${quoted(name)}`);
  return rows.map(({ table, name, definition }) => `alter table ${table} add constraint ${quoted(name)} ${definition}`);
}

/** Reads every table again. Throws RestoreError for one that does not hold what the backup does, to the last character. */
export async function verify(sql: TransactionSql, { manifest }: OpenBackup): Promise<void> {
  for (const table of manifest.tables) {
    const { sha256, lines } = await measure(await copyOut(sql, table));
    if (sha256 !== table.sha256 || lines !== table.rows) {
      throw new RestoreError(`${table.name} is not in the database as it is in the backup. Nothing was restored.`);
    }
  }
}
