import { existsSync } from "node:fs";
import { mkdir, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { type SQL, sql } from "drizzle-orm";
import type { Db } from "../../../db/client";
import { recordBackup } from "../../backups/mutations";
import { NIGHTLY_BACKUP } from "../../backups/queries";
import { recurringJob } from "../../jobs/recurring";
import { findOrganisation } from "../../organisation/queries";
import { PARTIAL } from "../archive";
import { explainFailure } from "../failure";
import { type BackupSource, writeBackup } from "./write";

/** After the start, so that people who wait for the server come first. */
const START_AFTER_MS = 60_000;
const RETRY_SECONDS = 900;
/** What a large organisation may take. */
const LEASE_SECONDS = 2 * 3_600;
const DAY_MS = 86_400_000;

/** The job that writes a backup each night at half past two, by the organisation's clock, once for all processes. `timeZone` holds until it has chosen one. Each try is recorded (server/backups). */
export function nightlyBackup(
  db: Db,
  { dir, keep, timeZone, source }: { dir: string; keep: number; timeZone: string; source: BackupSource },
) {
  return recurringJob(db, {
    name: NIGHTLY_BACKUP,
    everySeconds: async () => untilNight((await findOrganisation(db, { timeZone })).timeZone),
    startAfterMs: START_AFTER_MS,
    retrySeconds: RETRY_SECONDS,
    leaseSeconds: LEASE_SECONDS,
    async work(signal) {
      const startedAt = new Date();
      const file = join(dir, nameOf("sangam", startedAt));
      try {
        const { sizeBytes, holdsSecrets } = await writeBackup(file, { ...source, signal });
        await recordBackup(db, { kind: "nightly", file, startedAt, sizeBytes, holdsSecrets });
      } catch (error) {
        // The server stops: the backup is due again, and nothing is wrong.
        if (signal.aborted) throw error;
        const sentence = explainFailure(error, dir) ?? "Something unexpected happened; the server's log has it.";
        await recordBackup(db, { kind: "nightly", file, startedAt, error: sentence });
        throw error;
      }
      await removeOld(dir, { prefix: "sangam", keep });
    },
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

/** Sorts by time. */
function nameOf(prefix: string, at: Date): string {
  return `${prefix}-${at.toISOString().replaceAll(/[-:]|\.\d+/g, "")}.zip`;
}

/** Removes all but the newest `keep` backups of a kind, and what a killed process has left half written. */
async function removeOld(dir: string, { prefix, keep }: { prefix: string; keep: number }): Promise<void> {
  const names = (await readdir(dir)).filter((name) => name.startsWith(`${prefix}-`));
  const whole = names
    .filter((name) => /-\d{8}T\d{6}Z\.zip$/.test(name))
    .sort()
    .reverse();
  for (const name of whole.slice(keep)) await rm(join(dir, name), { force: true });
  for (const name of names.filter((one) => one.endsWith(PARTIAL))) {
    const path = join(dir, name);
    const isOld = existsSync(path) && (await stat(path)).mtimeMs < Date.now() - DAY_MS;
    if (isOld) await rm(path, { force: true });
  }
}
