import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import type { Db } from "../../../db/client";
import { instantAfter } from "../../../db/expressions";
import { backupRequests } from "../../../db/schema";
import { columnsOf } from "../../../db/writes";
import { findBacklog, isHeld, type Lease, leaseFor, nextDue, RELEASED, whileRenewing } from "../../jobs/lease";
import type { JobKind } from "../../jobs/runner";
import { BACKUP_LEASE, backUpInto } from "./folder";
import type { BackupSource } from "./write";

const { leaseSeconds, renewMs } = BACKUP_LEASE;
/** For one whose process was killed; a new one is announced. */
const POLL_MS = 15_000;

/**
 * The job that makes the backup that an admin has asked for, once for all processes: in BACKUP_DIR, or in DATA_DIR/backups where
 * that is unset. One that fails is recorded and not tried again: whoever asked sees why, and asks again.
 */
export function askedBackup(
  db: Db,
  { dir, keep, source }: { dir: string | null; keep: number; source: BackupSource },
): JobKind<Lease<string>> {
  const held = (job: Lease<string>) => isHeld(backupRequests, job);
  let stop: AbortSignal | undefined;
  return {
    name: "backup",
    concurrency: 1,
    topic: "backups",
    pollMs: POLL_MS,
    async claim() {
      const [job] = await db
        .update(backupRequests)
        .set(columnsOf(backupRequests, leaseFor(leaseSeconds)))
        .where(eq(backupRequests.id, nextDue(db, { table: backupRequests })))
        .returning({ id: backupRequests.id, leaseId: sql<string>`${backupRequests.leaseId}` });
      return job ?? null;
    },
    async run(job, signal) {
      const leasedUntil = instantAfter(sql`now()`, leaseSeconds);
      const renew = () => db.update(backupRequests).set({ leasedUntil, dueAt: leasedUntil }).where(held(job));
      stop = signal;
      const backUp = async () => {
        const folder = dir ?? (await ownFolder(source.dataDir));
        await backUpInto(db, { kind: "asked", dir: folder, prefix: "asked", keep, source, signal });
      };
      await whileRenewing(backUp, { renew, everyMs: renewMs });
      await db.delete(backupRequests).where(held(job));
    },
    async retryLater(job) {
      if (!stop?.aborted) {
        await db.delete(backupRequests).where(held(job));
        return false;
      }
      // Broken off by the stop of this process: another one makes it, or this one when it is back.
      await db
        .update(backupRequests)
        .set(columnsOf(backupRequests, { ...RELEASED, dueAt: sql`now()` }))
        .where(held(job));
      return true;
    },
    // Whoever asked is shown why: the next success may be months away.
    isOwnFault: () => true,
    describe: () => ({}),
    backlog: () => findBacklog(db, { table: backupRequests }),
  };
}

async function ownFolder(dataDir: string): Promise<string> {
  const folder = join(dataDir, "backups");
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return folder;
}
