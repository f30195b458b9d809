import { attachFilesSchema, fileIdSchema, listFilesSchema } from "../contract/files";
import { activeProcedure, impersonatedReadProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { effectiveActor } from "../users/procedures";
import { attachToSubject, deleteFile } from "./mutations";
import { attachableSubject, listedPosition, visibleSubject } from "./procedures";
import { listFiles } from "./queries";

export const filesRouter = router({
  /**
   * What hangs on a project or a task itself, in the order in which it was attached; files of comments come with these. The newest 500,
   * or those before `cursor`: there may be some before a full page.
   */
  list: impersonatedReadProcedure
    .input(listFilesSchema)
    .query(async ({ ctx, input: { cursor, asClientId, ...asked } }) => {
      const call = { db: ctx.db, actor: await effectiveActor(ctx, asClientId) };
      const subject = await visibleSubject(call, asked.subject);
      const before = cursor ? await listedPosition(call, { subject, fileId: cursor }) : null;
      return listFiles(ctx.db, { subject, actor: call.actor, before });
    }),

  /** What the caller has uploaded, to a project or a task. A client's files are always the client's to see. Repeated, it answers the same. */
  attach: activeProcedure
    .input(attachFilesSchema)
    .mutation(async ({ ctx, input: { subject, ...asked } }) =>
      attachToSubject(ctx.db, { subject: await attachableSubject(ctx, subject), ...asked, by: ctx.actor }),
    ),

  /** The caller's own file, for admins anybody's, from a project or a task; also one that was uploaded and hangs on nothing. */
  remove: activeProcedure.input(fileIdSchema).mutation(async ({ ctx, input }) => {
    await deleteFile(ctx.db, { ...input, by: ctx.actor });
    return { ok: true };
  }),
});
