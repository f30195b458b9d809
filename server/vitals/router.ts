import { adminProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { listVitals } from "./queries";

export const vitalsRouter = router({
  /** How fast pages were for those who opened them. */
  summary: adminProcedure.query(({ ctx }) => listVitals(ctx.db)),
});
