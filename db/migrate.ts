import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { type MigrationMeta, readMigrationFiles } from "drizzle-orm/migrator";
import { type Connection, connect, STARTUP_OPTIONS, type TransactionSql } from "./client";
import { explainRefusals } from "./migration-refusals";

/** The database was migrated by a version so much newer that this one does not run on it; the message says what to do. */
export class NewerSchemaError extends Error {}

/** PostgreSQL lacks what migrations use; the message says what to do. */
export class OldPostgresError extends Error {}

/** Something else holds what start-up work needs; the message says what to do. */
export class LockedDatabaseError extends Error {}

/** The first with `unique nulls not distinct`. */
export const MIN_POSTGRES = 15;

/** Any number that nothing else locks: "sangam" on a telephone's keys. */
const START_LOCK = 726_426;

const MAX_ATTEMPTS = 6;
const PAUSE_MS = 200;
/** Below PostgreSQL's `deadlock_timeout`, of one second unless set. */
const TABLE_LOCK_TIMEOUT_MS = 400;
/** The driver's words, a socket's, and PostgreSQL's when it ends a session. */
const LOST = /^(CONNECTION_(CLOSED|ENDED|DESTROYED)|ECONNRESET|EPIPE|57P0[12])$/;

const UNLIKE =
  "The database has migrations that this version does not know, and lacks some of its own. Start the version that made them, or give this one a database of its own.";

/** The first line of a migration that takes something away: the oldest version that runs without it. */
const NEEDS = /^-- needs: (\d+\.\d+\.\d+)$/m;

interface MigrateOptions {
  /** The checkout. */
  root?: string;
  lockTimeoutMs?: number;
  /** Runs before a database that has been in use is changed; when it rejects, nothing is. */
  beforeChange?: () => Promise<void>;
  /** Called when a newer version has added to the database, and this one runs on it all the same. */
  onNewer?: () => void;
}

/**
 * Brings the database to the schema of this checkout: `drizzle/*.sql` below `root`, in one transaction, and only one
 * process at a time. Does nothing when it is there already (15 ms), and takes as long as it needs otherwise. Throws
 * NewerSchemaError rather than run old code on a schema that no longer has what it uses, OldPostgresError, MigrationRefusedError and
 * LockedDatabaseError.
 */
export function migrate(
  connection: Connection,
  { root = process.cwd(), lockTimeoutMs, beforeChange = async () => {}, onNewer = () => {} }: MigrateOptions = {},
): Promise<void> {
  return oneAtATime({ connection, lockTimeoutMs }, async (sql) => {
    const { pending, isNew, isNewer, refusal } = await compareSchema(sql, { root });
    if (refusal !== null) throw new NewerSchemaError(refusal);
    if (isNewer) onNewer();
    if (pending.length === 0) return;
    await requirePostgres(sql);
    if (!isNew) await beforeChange();
    await besideOthers(sql, { lockTimeoutMs, work: (tx) => applyMigrations(tx, pending) });
  });
}

/** Throws OldPostgresError where migrations could not be applied. */
export async function requirePostgres(sql: TransactionSql | ReturnType<typeof connect>): Promise<void> {
  const [row] = await sql`select current_setting('server_version_num')::int as version`;
  const [major, minor] = [Math.floor(row?.version / 10_000), row?.version % 10_000];
  if (major >= MIN_POSTGRES) return;
  throw new OldPostgresError(
    `PostgreSQL ${major}.${minor} is too old. Upgrade it to version ${MIN_POSTGRES} or later, then start again. Nothing has been changed.`,
  );
}

/**
 * Runs a transaction that changes tables while servers of the version before use them. It waits for no lock as long as
 * PostgreSQL lets a deadlock stand, which a call of theirs would have to end with, and all their calls queue up behind it: it
 * gives up first, everything it has locked is free again, and it begins anew.
 */
async function besideOthers(
  sql: ReturnType<typeof connect>,
  {
    lockTimeoutMs = STARTUP_OPTIONS.lockTimeoutMs,
    work,
  }: { lockTimeoutMs?: number | undefined; work: (tx: TransactionSql) => Promise<void> },
): Promise<void> {
  for (const until = performance.now() + lockTimeoutMs; ; ) {
    try {
      return void (await sql.begin(async (tx) => {
        await tx.unsafe(`set local lock_timeout = ${Math.min(TABLE_LOCK_TIMEOUT_MS, lockTimeoutMs)}`);
        await work(tx);
      }));
    } catch (error) {
      if (!isLockTimeout(error) || performance.now() > until) throw error;
      // Not in step with whatever else comes again and again.
      await setTimeout(PAUSE_MS * (1 + Math.random()));
    }
  }
}

/** How a database stands to a checkout. */
interface SchemaComparison {
  /** To be applied, oldest first. */
  pending: MigrationMeta[];
  /** Nothing has been applied yet. */
  isNew: boolean;
  /** A newer version has applied migrations that this one does not know. */
  isNewer: boolean;
  /** Why this version does not run on it, and what to do; null when it does. */
  refusal: string | null;
}

/**
 * Compares the database with the migrations below `root`. Migrations only add, so that the version before runs on the newer
 * schema and going back is starting it; one that takes something away says in its first line which version can do without:
 * `-- needs: 1.3.0`.
 */
export async function compareSchema(
  sql: TransactionSql | ReturnType<typeof connect>,
  { root }: { root: string },
): Promise<SchemaComparison> {
  const known = readMigrations(root);
  const applied = await listApplied(sql);
  const newest = Math.max(0, ...applied.map(({ at }) => at));
  const pending = known.filter(({ folderMillis }) => folderMillis > newest);
  const isNewer = newest > 0 && !known.some(({ folderMillis }) => folderMillis === newest);
  const lacks = known.some(
    ({ folderMillis }) => folderMillis < newest && !applied.some(({ at }) => at === folderMillis),
  );
  const needs = applied
    .flatMap((one) => (one.needs === null ? [] : [one.needs]))
    .sort(byVersion)
    .at(-1);
  const common = { pending, isNew: newest === 0, isNewer };
  if (isNewer && needs !== undefined && byVersion(readVersion(root), needs) < 0) {
    const refusal = `The database has been upgraded for version ${needs} or newer, and this is ${readVersion(root)}. Start a newer version, or restore a backup from before the upgrade.`;
    return { ...common, refusal };
  }
  // Made on another branch, beside ours.
  return { ...common, refusal: isNewer && lacks ? UNLIKE : null };
}

/** The migrations of a checkout, oldest first; `folderMillis` names each. */
export function readMigrations(root: string): MigrationMeta[] {
  return readMigrationFiles({ migrationsFolder: join(root, "drizzle") });
}

/** The version of a checkout, as its package.json has it; "0.0.0" of a folder without one, as tests have it. */
export function readVersion(root: string): string {
  const path = join(root, "package.json");
  if (!existsSync(path)) return "0.0.0";
  const manifest: unknown = JSON.parse(readFileSync(path, "utf8"));
  return typeof manifest === "object" && manifest !== null && "version" in manifest ? String(manifest.version) : "";
}

/** Sorts version numbers, the oldest first. */
function byVersion(one: string, other: string): number {
  return one.localeCompare(other, "en", { numeric: true });
}

/**
 * Applies migrations in their order and notes them where drizzle does, each with the version that it needs. Throws
 * MigrationRefusedError.
 */
export function applyMigrations(sql: TransactionSql, migrations: readonly MigrationMeta[]): Promise<void> {
  return explainRefusals(() => applyAll(sql, migrations));
}

async function applyAll(sql: TransactionSql, migrations: readonly MigrationMeta[]): Promise<void> {
  await sql`create schema if not exists drizzle`;
  await sql`create table if not exists drizzle.__drizzle_migrations (id serial primary key, hash text not null, created_at bigint)`;
  await sql`alter table drizzle.__drizzle_migrations add column if not exists needs text`;
  for (const { sql: statements, hash, folderMillis } of migrations) {
    // Together: a round trip for each would be a third of the time of a first start's migrations.
    await sql.unsafe(statements.join(";\n"));
    const needs = NEEDS.exec(statements[0] ?? "")?.[1] ?? null;
    await sql`insert into drizzle.__drizzle_migrations (hash, created_at, needs) values (${hash}, ${folderMillis}, ${needs})`;
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
  let isLost = false;
  const onclose = () => {
    isLost = true;
    // The lock went with the connection; the driver would open another and go on without it.
    void sql.end({ timeout: 0 });
  };
  const keptOpen = { idle_timeout: 0, max_lifetime: 0, onclose };
  const sql = connect(connection, { ...STARTUP_OPTIONS, lockTimeoutMs, ...keptOpen });
  try {
    await sql`select pg_advisory_lock(${START_LOCK})`;
    const result = await work(sql);
    if (isLost) throw Object.assign(new Error("The lock was lost during the work."), { code: "CONNECTION_CLOSED" });
    return result;
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
  const applied = await listApplied(sql);
  return applied.length === 0 ? null : Math.max(...applied.map(({ at }) => at));
}

type Applied = { at: number; needs: string | null };

function listApplied(sql: TransactionSql | ReturnType<typeof connect>): Promise<Applied[]> {
  return explainRefusals(() => readApplied(sql));
}

async function readApplied(sql: TransactionSql | ReturnType<typeof connect>): Promise<Applied[]> {
  const [table] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as present`;
  if (table?.present !== true) return [];
  // Databases of the first versions lack the column.
  const rows =
    await sql`select created_at::text as at, to_jsonb(one) ->> 'needs' as needs from drizzle.__drizzle_migrations as one`;
  return rows.map(({ at, needs }) => ({ at: Number(at), needs: needs ?? null }));
}
