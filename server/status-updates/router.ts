import { projectIdSchema, readProjectSchema } from "../contract/projects";
import { sendStatusUpdateSchema } from "../contract/status-updates";
import { employeeProcedure, impersonatedReadProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { managedProject, visibleProject } from "../projects/procedures";
import { effectiveActor } from "../users/procedures";
import { writeDraft } from "./draft";
import { sendStatusUpdate } from "./mutations";
import { listStatusUpdates } from "./queries";

export const statusUpdatesRouter = router({
  /** Of one project, newest first, 500 at most. */
  list: impersonatedReadProcedure.input(readProjectSchema).query(async ({ ctx, input: { projectId, asClientId } }) => {
    const actor = await effectiveActor(ctx, asClientId);
    await visibleProject({ db: ctx.db, actor }, projectId);
    return listStatusUpdates(ctx.db, { projectId });
  }),

  /** For its managers and admins: three lines about what was done, moved and committed since the last update, to be edited. */
  draft: employeeProcedure.input(projectIdSchema).query(async ({ ctx, input: { projectId } }) => {
    return writeDraft(ctx.db, { project: await managedProject(ctx, projectId), timeZone: ctx.timeZone });
  }),

  /**
   * For its managers and admins. The project's clients are notified, by mail where they want it; nobody changes it any more. Idempotent
   * by `clientUpdateId`: the same key and content return the first status update.
   */
  send: employeeProcedure.input(sendStatusUpdateSchema).mutation(async ({ ctx, input: { projectId, ...update } }) => {
    const project = await managedProject(ctx, projectId);
    return sendStatusUpdate(ctx.db, { projectId: project.id, ...update, by: ctx.actor });
  }),
});
