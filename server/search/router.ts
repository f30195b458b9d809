import { searchSchema } from "../contract/search";
import { activeProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { searchAll } from "./queries";

export const searchRouter = router({
  /** Searches what the caller may see, messages of own conversations only: at most eight of each kind, best matches first. */
  all: activeProcedure.input(searchSchema).query(({ ctx, input }) => searchAll(ctx.db, { ...input, actor: ctx.actor })),
});
