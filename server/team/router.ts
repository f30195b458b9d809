import { employeeProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { listTeam } from "./queries";

/** Part of `users`: it needs projects, which users do not know. */
export const teamRouter = router({
  /** All active people, with those of their projects that the caller may see. */
  team: employeeProcedure.query(({ ctx }) => listTeam(ctx.db, { actor: ctx.actor })),
});
