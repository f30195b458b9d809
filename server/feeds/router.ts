import { activeProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { createCalendarFeed, revokeCalendarFeed } from "./mutations";
import { findCalendarFeed } from "./queries";

export const feedsRouter = router({
  /** Since when there is an address of the caller's calendar; null without one. The address itself is never read back. */
  calendar: activeProcedure.query(({ ctx }) => findCalendarFeed(ctx.db, { userId: ctx.actor.id })),

  /** A private address of the caller's due dates, for calendar programs. It replaces the one before, and this answer alone holds it. */
  createCalendar: activeProcedure.mutation(async ({ ctx }) => {
    return createCalendarFeed(ctx.db, { userId: ctx.actor.id, publicUrl: ctx.publicUrl });
  }),

  /** From now on the address is unknown. Without one it does nothing. */
  revokeCalendar: activeProcedure.mutation(async ({ ctx }) => {
    await revokeCalendarFeed(ctx.db, { userId: ctx.actor.id });
    return { ok: true as const };
  }),
});
