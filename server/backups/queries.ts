import type { BackupKind } from "@db/enums";
import { and, desc, eq, gt, isNull, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { isoInstant } from "../../db/expressions";
import { backupRequests, backups, recurringJobs } from "../../db/schema";

/** The row of the nightly backup among the recurring jobs. */
export const NIGHTLY_BACKUP = "nightly backup";
/** After the time that it is due: until then another process may be taking it over. */
const OVERDUE_SECONDS = 2 * 3_600;

/** One backup that was tried. */
interface BackupRecord {
  kind: BackupKind;
  /** When it ended. */
  at: string;
  file: string;
  /** Null for one that failed. */
  sizeBytes: number | null;
  holdsSecrets: boolean;
  /** Whether all of it was read back as it was written. */
  isVerified: boolean;
  /** Why it failed, in a sentence; null for one that is whole. */
  error: string | null;
}

/** What there is to know of backups. */
export interface BackupStatus {
  /** The newest that was tried, in whatever way. */
  last: BackupRecord | null;
  /** The newest nightly one that was tried, and the newest that is whole. */
  lastNightly: BackupRecord | null;
  lastGoodNightly: BackupRecord | null;
  /** When the next nightly one is due; null where none ever was. Of use only while BACKUP_DIR is set. */
  nextAt: string | null;
  /** The nightly one has been due for two hours and no process makes it. False where none ever was. */
  isOverdue: boolean;
}

/** Since when a backup has been asked for that is not made yet; null when none is. */
export async function findAskedBackup(db: Db): Promise<{ since: string } | null> {
  const [row] = await db.select({ since: isoInstant(backupRequests.askedAt) }).from(backupRequests);
  return row ?? null;
}

/** Whether a process makes the nightly backup just now. */
export async function isNightlyInProgress(db: Db | Tx): Promise<boolean> {
  const isHeld = and(eq(recurringJobs.id, NIGHTLY_BACKUP), gt(recurringJobs.leasedUntil, sql`now()`));
  const held = await db.select({ id: recurringJobs.id }).from(recurringJobs).where(isHeld);
  return held.length > 0;
}

/** The state of the backups, for System, `npm run doctor` and the mail to admins. */
export async function findBackupStatus(db: Db): Promise<BackupStatus> {
  const isNightly = eq(backups.kind, "nightly");
  const [last, lastNightly, lastGoodNightly, [job]] = await Promise.all([
    findNewest(db),
    findNewest(db, isNightly),
    findNewest(db, and(isNightly, isNull(backups.error))),
    db
      .select({
        nextAt: isoInstant(recurringJobs.dueAt),
        isOverdue: sql<boolean>`${recurringJobs.dueAt} < now() - ${OVERDUE_SECONDS} * interval '1 second'`,
      })
      .from(recurringJobs)
      .where(eq(recurringJobs.id, NIGHTLY_BACKUP)),
  ]);
  return { last, lastNightly, lastGoodNightly, nextAt: job?.nextAt ?? null, isOverdue: job?.isOverdue ?? false };
}

async function findNewest(db: Db, where?: ReturnType<typeof and>): Promise<BackupRecord | null> {
  const { kind, file, sizeBytes, holdsSecrets, isVerified, error } = backups;
  const [row] = await db
    .select({ at: isoInstant(backups.finishedAt), kind, file, sizeBytes, holdsSecrets, isVerified, error })
    .from(backups)
    .where(where)
    .orderBy(desc(backups.id))
    .limit(1);
  return row ?? null;
}
