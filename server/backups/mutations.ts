import { lt, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { instantAfter } from "../../db/expressions";
import { backups } from "../../db/schema";
import { columnsOf } from "../../db/writes";

const KEPT_SECONDS = 400 * 86_400;

/** Records a backup that was tried, and forgets what is more than a year old. */
export async function recordBackup(
  db: Db,
  backup: Omit<typeof backups.$inferInsert, "id" | "finishedAt">,
): Promise<void> {
  await db.insert(backups).values(columnsOf(backups, backup));
  await db.delete(backups).where(lt(backups.finishedAt, instantAfter(sql`now()`, -KEPT_SECONDS)));
}
