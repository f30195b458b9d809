import { handOverAllSchema } from "../contract/handovers";
import { userIdSchema } from "../contract/profiles";
import { adminProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { handOverAll } from "./mutations";
import { getHoldings } from "./queries";

/** Part of `users`: it needs projects, tasks and conversations, which users do not know. */
export const handoversRouter = router({
  /** How many open tasks, managed projects, conversations and undecided requests somebody holds. */
  holdings: adminProcedure.input(userIdSchema).query(({ ctx, input }) => getHoldings(ctx.db, input)),

  /** Gives what somebody holds to somebody else. Conversations go to an admin only. Returns what is left. */
  handOverAll: adminProcedure
    .input(handOverAllSchema)
    .mutation(({ ctx, input }) => handOverAll(ctx.db, { ...input, by: ctx.actor })),
});
