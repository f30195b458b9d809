import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/client";
import { NIGHTLY_BACKUP } from "../../backups/queries";
import { recurringJob } from "../../jobs/recurring";
import { findOrganisation } from "../../organisation/queries";
import { explainFailure } from "../failure";
import { BACKUP_LEASE, backUpInto, nameOf, removeOld } from "./folder";
import { type BackupSource, writeBackup } from "./write";

/** After the start, so that people who wait for the server come first. */
const START_AFTER_MS = 60_000;
const RETRY_SECONDS = 900;

/** The job that writes a backup each night at half past two, by the organisation's clock, once for all processes. `timeZone` holds until it has chosen one. */
export function nightlyBackup(
  db: Db,
  { dir, keep, timeZone, source }: { dir: string; keep: number; timeZone: string; source: BackupSource },
) {
  return recurringJob(db, {
    name: NIGHTLY_BACKUP,
    everySeconds: async () => untilNight((await findOrganisation(db, { timeZone })).timeZone),
    startAfterMs: START_AFTER_MS,
    retrySeconds: RETRY_SECONDS,
    ...BACKUP_LEASE,
    work: (signal) => backUpInto(db, { kind: "nightly", dir, prefix: "sangam", keep, source, signal }),
  });
}

/** Seconds until it is half past two somewhere. */
function untilNight(timeZone: string): SQL<number> {
  const local = sql`(now() at time zone ${timeZone}::text)`;
  const night = sql`(date_trunc('day', ${local} + interval '21 hours 30 minutes') + interval '2 hours 30 minutes')`;
  return sql<number>`extract(epoch from ${night} at time zone ${timeZone}::text - now())::float`;
}

/**
 * Backs up the embedded database before it is migrated, to DATA_DIR/backups, and forgets the oldest of these. Returns the file. It
 * is not recorded: the table for it may be what the migration makes.
 */
export async function backUpBeforeMigration(source: BackupSource, { keep }: { keep: number }): Promise<string> {
  const dir = join(source.dataDir, "backups");
  const file = join(dir, nameOf("before-migration", new Date()));
  try {
    await mkdir(dir, { recursive: true, mode: 0o700 });
    await writeBackup(file, source);
    await removeOld(dir, { prefix: "before-migration", keep });
  } catch (error) {
    const why = explainFailure(error, dir);
    throw why === null ? error : new MigrationBackupError(`${why} ${NOT_MIGRATED}`);
  }
  return file;
}

/** The backup before a migration failed, and nothing was migrated; the message says what to do. */
export class MigrationBackupError extends Error {}

const NOT_MIGRATED =
  "The database is backed up there before it is brought to this version's schema, so nothing was changed. Make room, and start again.";
