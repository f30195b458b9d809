import { adminProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { askForBackup } from "./mutations";

/** Part of `system`. */
export const backupsRouter = router({
  /**
   * Starts a backup of the database and the uploaded files, to the folder BACKUP_DIR or else to DATA_DIR/backups. It is made in the
   * background, one at a time; `system.status` says what became of it.
   */
  backupNow: adminProcedure.mutation(async ({ ctx }): Promise<{ ok: true }> => {
    await askForBackup(ctx.db, { by: ctx.actor });
    return { ok: true };
  }),
});
