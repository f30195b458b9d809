import {
  commentIdSchema,
  createCommentSchema,
  listCommentsSchema,
  markCommentsReadSchema,
  mentionableSchema,
  updateCommentSchema,
  watchCommentsSchema,
} from "../contract/comments";
import { activeProcedure, impersonatedReadProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { openStream } from "../realtime/stream";
import { effectiveActor } from "../users/procedures";
import { commentSource } from "./events";
import { createComment, deleteComment, markCommentsRead, updateComment } from "./mutations";
import { deletableComment, ownComment, visibleSubject, writableSubject } from "./procedures";
import { readComments } from "./queries";
import { listReaders } from "./subjects";

export const commentsRouter = router({
  /** A page of the comments of a task, or of a project itself, ascending by `seq`. Without `before` the newest. */
  list: impersonatedReadProcedure
    .input(listCommentsSchema)
    .query(async ({ ctx, input: { subject, before, limit, asClientId } }) => {
      const actor = await effectiveActor(ctx, asClientId);
      const discussed = await visibleSubject({ db: ctx.db, actor }, subject);
      return readComments(ctx.db, { discussed, before, limit, actor });
    }),

  /** Active people who can see the subject and may be mentioned there: in a comment for the team, those of them who are no clients. */
  mentionable: activeProcedure.input(mentionableSchema).query(async ({ ctx, input }) => {
    const { projectId } = await visibleSubject(ctx, input.subject);
    return listReaders(ctx.db, { projectId, audience: "client" });
  }),

  /**
   * Idempotent by `clientCommentId`: the same key and content return the first comment. A client's is always one that the client
   * can see, whatever `visibility` says.
   */
  create: activeProcedure.input(createCommentSchema).mutation(async ({ ctx, input: { subject, ...input } }) => {
    const discussed = await writableSubject(ctx, subject);
    return createComment(ctx.db, { discussed, ...input, by: ctx.actor });
  }),

  /** Of one's own. With `seenEditedAt` another one than that, and another text: 409, `stale-version`, with the comment as it is. */
  update: activeProcedure.input(updateCommentSchema).mutation(async ({ ctx, input: { commentId, ...edit } }) => {
    const comment = await ownComment(ctx, commentId);
    return updateComment(ctx.db, { comment, ...edit, by: ctx.actor });
  }),

  /** Of one's own, or for admins anybody's. Its place stays, without text and files. Idempotent. */
  delete: activeProcedure.input(commentIdSchema).mutation(async ({ ctx, input }) => {
    const comment = await deletableComment(ctx, input.commentId);
    return deleteComment(ctx.db, { comment, by: ctx.actor });
  }),

  /** Moves the caller's own read mark forward, never back. */
  markRead: activeProcedure.input(markCommentsReadSchema).mutation(async ({ ctx, input: { subject, upToSeq } }) => {
    const discussed = await visibleSubject(ctx, subject);
    return markCommentsRead(ctx.db, { discussed, upToSeq, by: ctx.actor });
  }),

  /** Comments of one subject as they are written, edited and deleted, resumed after `lastEventId`. */
  onChange: activeProcedure
    .input(watchCommentsSchema)
    .subscription(({ ctx, input, signal }) => openStream({ ctx, signal }, commentSource(ctx, input))),
});
