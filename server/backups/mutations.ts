import { lt, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { instantAfter } from "../../db/expressions";
import { backupRequests, backups } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { insertAudit } from "../audit/mutations";
import { MESSAGES } from "../contract/messages";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";
import { notifyBackup } from "../realtime/notify";
import { isNightlyInProgress } from "./queries";

const KEPT_SECONDS = 400 * 86_400;

/** Records a backup that was tried, and forgets what is more than a year old. */
export async function recordBackup(
  db: Db,
  backup: Omit<typeof backups.$inferInsert, "id" | "finishedAt">,
): Promise<void> {
  await db.insert(backups).values(columnsOf(backups, backup));
  await db.delete(backups).where(lt(backups.finishedAt, instantAfter(sql`now()`, -KEPT_SECONDS)));
}

/** Asks for a backup, which one of the processes makes. CONFLICT while one is being made, at night too; audited. */
export async function askForBackup(db: Db, { by }: { by: Actor }): Promise<void> {
  await db.transaction(async (tx) => {
    // The row is the lock: the second of two admins at once waits here, and finds it.
    const [asked] = await tx.insert(backupRequests).values({ id: "backup" }).onConflictDoNothing().returning();
    if (!asked || (await isNightlyInProgress(tx))) throw new DomainError("CONFLICT", MESSAGES.system.backupInProgress);
    await insertAudit(tx, { kind: "backup.asked", actorId: by.id, subjectId: null });
    await notifyBackup(tx);
  });
}
