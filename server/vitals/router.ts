import { adminProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { listVitals } from "./queries";

export const vitalsRouter = router({
  /** Page speed as measured by visitors' browsers. */
  summary: adminProcedure.query(({ ctx }) => listVitals(ctx.db)),
});
