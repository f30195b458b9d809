import { listAuditSchema } from "../contract/audit";
import { adminProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { watchAudit } from "./events";
import { listAudit } from "./queries";

/** To be read only: rows are written by the deeds that they tell of, and never change. */
export const auditRouter = router({
  list: adminProcedure.input(listAuditSchema).query(({ ctx, input }) => listAudit(ctx.db, input)),

  onChange: adminProcedure.subscription(({ ctx, signal }) => watchAudit({ ctx, signal })),
});
