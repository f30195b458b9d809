import { listAuditSchema } from "../contract/audit";
import { resumeSchema } from "../contract/text";
import { adminProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { openStream } from "../realtime/stream";
import { auditSource } from "./events";
import { listAudit } from "./queries";

/** Read only: events are written by the changes that they record, and never change. */
export const auditRouter = router({
  /** Newest first, by pages, of one person or kind or of all. */
  list: adminProcedure.input(listAuditSchema).query(({ ctx, input }) => listAudit(ctx.db, input)),

  /** Says that the audit has grown: it is to be read again. */
  onChange: adminProcedure
    .input(resumeSchema)
    .subscription(({ ctx, input, signal }) =>
      openStream({ ctx, signal, cursor: input?.lastEventId }, auditSource(ctx)),
    ),
});
