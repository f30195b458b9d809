import { listAuditSchema } from "../contract/audit";
import { resumeSchema } from "../contract/text";
import { adminProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { watchAudit } from "./events";
import { listAudit } from "./queries";

/** Read only: events are written by the changes that they record, and never change. */
export const auditRouter = router({
  list: adminProcedure.input(listAuditSchema).query(({ ctx, input }) => listAudit(ctx.db, input)),

  onChange: adminProcedure
    .input(resumeSchema)
    .subscription(({ ctx, input, signal }) => watchAudit({ ctx, signal, cursor: input?.lastEventId })),
});
