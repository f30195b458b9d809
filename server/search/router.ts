import { searchSchema } from "../contract/search";
import { impersonatedReadProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { effectiveActor } from "../users/procedures";
import { searchAll } from "./queries";

export const searchRouter = router({
  /**
   * Searches what the caller may see, messages of own conversations only: at most eight of each kind, best matches first. As a client
   * an admin finds what that client would, without messages and their files.
   */
  all: impersonatedReadProcedure.input(searchSchema).query(async ({ ctx, input: { q, asClientId } }) => {
    const actor = await effectiveActor(ctx, asClientId);
    return searchAll(ctx.db, { q, actor, callerId: ctx.actor.id });
  }),
});
