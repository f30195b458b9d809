import { readFileSync } from "node:fs";
import { join } from "node:path";
import { drizzle } from "drizzle-orm/postgres-js";
import { migrate as applyMigrations } from "drizzle-orm/postgres-js/migrator";
import { type Connection, connect } from "./client";

/** The database was migrated by a newer checkout; the message says what to do. */
export class NewerSchemaError extends Error {}

/** Any number that nothing else locks: "sangam" on a telephone's keys. */
const START_LOCK = 726_426;

/**
 * Brings the database to the schema of this checkout: `drizzle/*.sql` below `root`, in one transaction, and only one
 * process at a time. Does nothing when it is there already (15 ms). Throws NewerSchemaError rather than run old code on
 * a newer schema.
 */
export function migrate(connection: Connection, root: string = process.cwd()): Promise<void> {
  const folder = join(root, "drizzle");
  return oneAtATime(connection, async (sql) => {
    const newest = await newestApplied(sql);
    if (newest !== null && !knownMigrations(folder).includes(newest)) {
      throw new NewerSchemaError(
        "The database has migrations that this version does not know. Start the newer version, or give this one a database of its own.",
      );
    }
    await applyMigrations(drizzle(sql), { migrationsFolder: folder });
  });
}

/**
 * Runs `work` while no other server prepares the same database, so that two that start at once do not both fill it.
 * Not to be nested: `migrate` takes the same lock.
 */
export async function oneAtATime<Result>(
  connection: Connection,
  work: (sql: ReturnType<typeof connect>) => Promise<Result>,
): Promise<Result> {
  const sql = connect(connection, { max: 1 });
  try {
    await sql`select pg_advisory_lock(${START_LOCK})`;
    return await work(sql);
  } finally {
    // Ends the session and with it the lock.
    await sql.end({ timeout: 5 });
  }
}

async function newestApplied(sql: ReturnType<typeof connect>): Promise<number | null> {
  const [table] = await sql`select to_regclass('drizzle.__drizzle_migrations') is not null as present`;
  if (table?.present !== true) return null;
  const [row] = await sql`select max(created_at)::text as newest from drizzle.__drizzle_migrations`;
  return row?.newest == null ? null : Number(row.newest);
}

function knownMigrations(folder: string): number[] {
  const journal: unknown = JSON.parse(readFileSync(join(folder, "meta", "_journal.json"), "utf8"));
  const entries = typeof journal === "object" && journal !== null && "entries" in journal ? journal.entries : [];
  return (Array.isArray(entries) ? entries : []).map((entry) => Number(entry.when));
}
