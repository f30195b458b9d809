import { listChangesSchema, markSeenSchema } from "../contract/overview";
import type { ChangeList, ReplyTimes, SinceLastVisit, WaitingItem } from "../contract/views";
import { activeProcedure, adminProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { listChanges } from "./changes";
import { markSeen } from "./mutations";
import { findSinceLastVisit, listReplyTimes, listWaiting } from "./queries";

export const overviewRouter = router({
  /**
   * How much others have done since the caller was here, and which things: tasks completed, due dates moved, commits, messages to the
   * caller. Of a client's projects that show counts of commits only, the count without hashes. A first visit begins now.
   */
  sinceLastVisit: activeProcedure.query(
    ({ ctx: { db, actor } }): Promise<SinceLastVisit> => findSinceLastVisit(db, { actor }),
  ),

  /** What one of these counts counts since any instant, newest first, at most 500; and how many there are. */
  changes: activeProcedure
    .input(listChangesSchema)
    .query(({ ctx: { db, actor }, input }): Promise<ChangeList> => listChanges(db, { actor, ...input })),

  /** Everything until `upTo` has been seen, on every device of the caller; never back. */
  markSeen: activeProcedure.input(markSeenSchema).mutation(async ({ ctx, input }): Promise<{ since: string }> => {
    const { since } = await markSeen(ctx.db, { userId: ctx.actor.id, ...input });
    return { since: since.toISOString() };
  }),

  /**
   * What of clients waits for the firm, the oldest first: conversations that are the caller's to answer, requests that the firm
   * owes an answer, and sign-offs that were sent back. For clients their own: by when the firm answers. 500 at most.
   */
  waiting: activeProcedure.query(({ ctx: { db, ...asked } }): Promise<WaitingItem[]> => listWaiting(db, asked)),

  /** Admins: how long clients waited for an answer, by month, the newest first. */
  replyTimes: adminProcedure.query(({ ctx: { db, ...asked } }): Promise<ReplyTimes[]> => listReplyTimes(db, asked)),
});
