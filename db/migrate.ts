import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import { type Connection, connect, STARTUP_OPTIONS, type TransactionSql } from "./client";

/** The database was migrated by a newer checkout; the message says what to do. */
export class NewerSchemaError extends Error {}

/** Something else holds what start-up work needs; the message says what to do. */
export class LockedDatabaseError extends Error {}

/** Any number that nothing else locks: "sangam" on a telephone's keys. */
const START_LOCK = 726_426;

const MAX_ATTEMPTS = 6;
const PAUSE_MS = 200;
/** The driver's words, a socket's, and PostgreSQL's when it ends a session. */
const LOST = /^(CONNECTION_(CLOSED|ENDED|DESTROYED)|ECONNRESET|EPIPE|57P0[12])$/;

interface MigrateOptions {
  /** The checkout. */
  root?: string;
  lockTimeoutMs?: number;
  /** Runs before a database that has been in use is changed; when it rejects, nothing is. */
  beforeChange?: () => Promise<void>;
}

/**
 * Brings the database to the schema of this checkout: `drizzle/*.sql` below `root`, in one transaction, and only one
 * process at a time. Does nothing when it is there already (15 ms), and takes as long as it needs otherwise. Throws
 * NewerSchemaError rather than run old code on a newer schema, and LockedDatabaseError.
 */
export function migrate(
  connection: Connection,
  { root = process.cwd(), lockTimeoutMs, beforeChange = async () => {} }: MigrateOptions = {},
): Promise<void> {
  const migrations = readMigrations(root);
  return oneAtATime({ connection, lockTimeoutMs }, async (sql) => {
    const newest = await findNewestApplied(sql);
    if (newest !== null && !migrations.some(({ folderMillis }) => folderMillis === newest)) {
      throw new NewerSchemaError(
        "The database has migrations that this version does not know. Start the newer version, or give this one a database of its own.",
      );
    }
    const pending = migrations.filter(({ folderMillis }) => newest === null || folderMillis > newest);
    if (pending.length === 0) return;
    if (newest !== null) await beforeChange();
    await sql.begin((tx) => applyMigrations(tx, pending));
  });
}

/** The migrations of a checkout, oldest first; `folderMillis` names each. */
export function readMigrations(root: string): MigrationMeta[] {
  return readMigrationFiles({ migrationsFolder: join(root, "drizzle") });
}

/** Applies migrations in their order and notes them where drizzle does. */
export async function applyMigrations(sql: TransactionSql, migrations: readonly MigrationMeta[]): Promise<void> {
  await sql`create schema if not exists drizzle`;
  await sql`create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;
  for (const { sql: statements, hash, folderMillis } of migrations) {
    for (const statement of statements) await sql.unsafe(statement);
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at) values (${hash}, ${folderMillis})`;
  }
}

/** Lets no server prepare the database until the transaction ends. */
export async function lockStarts(sql: TransactionSql): Promise<void> {
  await sql`select pg_advisory_xact_lock(${START_LOCK})`;
}

type StartWork<Result> = (sql: ReturnType<typeof connect>) => Promise<Result>;
type StartOptions = { connection: Connection; lockTimeoutMs?: number | undefined };

/**
 * Runs `work` while no other server prepares the same database, so that two that start at once do not both fill it. When the
 * connection is lost meanwhile, the work begins again: it must be repeatable. Not to be nested: `migrate` takes the same lock.
 * Throws LockedDatabaseError when a lock, of another server that prepares the database or on a table, is not to be had within
 * `lockTimeoutMs`.
 */
export async function oneAtATime<Result>(options: StartOptions, work: StartWork<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await underLock(options, work);
    } catch (error) {
      if (attempt === MAX_ATTEMPTS || !isLostConnection(error)) throw error;
      await setTimeout(attempt * PAUSE_MS);
    }
  }
}

async function underLock<Result>(
  { connection, lockTimeoutMs = STARTUP_OPTIONS.lockTimeoutMs }: StartOptions,
  work: StartWork<Result>,
): Promise<Result> {
  const sql = connect(connection, { ...STARTUP_OPTIONS, lockTimeoutMs });
  try {
    await sql`select pg_advisory_lock(${START_LOCK})`;
    return await work(sql);
  } catch (error) {
    throw isLockTimeout(error) ? new LockedDatabaseError(lockedSentence(lockTimeoutMs)) : error;
  } finally {
    // Ends the session and with it the lock.
    await sql.end({ timeout: 5 });
  }
}

function lockedSentence(lockTimeoutMs: number): string {
  return (
    `The database has been locked for ${Math.round(lockTimeoutMs / 1000)} seconds: another server may be preparing it, or a ` +
    "program holds a lock on one of its tables. Wait for it or end it (pg_stat_activity lists what runs), then start again."
  );
}

/** Whether there was a connection and it ended early; a database that lets nobody in is for the person at the terminal. */
function isLostConnection(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const code = "code" in error ? String(error.code) : "";
  const isConnecting = "syscall" in error && error.syscall === "connect";
  return (!isConnecting && LOST.test(code)) || isLostConnection(error.cause);
}

/** lock_not_available, as the driver throws it or as drizzle wraps it. */
function isLockTimeout(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === "55P03") || isLockTimeout(error.cause);
}

/** `folderMillis` of the newest migration that the database has; null before the first. */
export async function findNewestApplied(sql: TransactionSql | ReturnType<typeof connect>): Promise<number | null> {
  const [table] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as present`;
  if (table?.present !== true) return null;
  const [row] = await sql`select max(created_at)::text as newest from drizzle.__drizzle_migrations`;
  return row?.newest == null ? null : Number(row.newest);
}
