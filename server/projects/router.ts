import { listFindingsSchema } from "../contract/findings";
import { MESSAGES } from "../contract/messages";
import {
  calendarSchema,
  createProjectSchema,
  historySchema,
  listProjectsSchema,
  projectIdSchema,
  readProjectSchema,
  updateProjectSchema,
  watchProjectsSchema,
} from "../contract/projects";
import { DomainError } from "../core/errors";
import { activeProcedure, adminProcedure, employeeProcedure, impersonatedReadProcedure } from "../core/procedures";
import { answerReading } from "../core/reply";
import { router } from "../core/trpc";
import { listFindings } from "../findings/queries";
import { findPulse } from "../live-links/queries";
import { openStream } from "../realtime/stream";
import { effectiveActor } from "../users/procedures";
import { listCalendar } from "./calendar";
import { projectSource } from "./events";
import { listHistory } from "./history";
import { findListVersion } from "./list-version";
import { readProjects } from "./lists";
import { createProject, deleteProject, updateProject } from "./mutations";
import { editableProject, managedProject, visibleProject, visibleProjectOfTask } from "./procedures";
import { showProject } from "./queries";
import { warnOfSkippedLink } from "./repository";

export const projectsRouter = router({
  /** Newest first, 500 a page. The scope `all` is for admins. */
  list: impersonatedReadProcedure.input(listProjectsSchema).query(async ({ ctx, input: { asClientId, ...query } }) => {
    const actor = await effectiveActor(ctx, asClientId);
    if (query.scope === "all" && actor.accountType !== "admin") {
      throw new DomainError("FORBIDDEN", MESSAGES.general.notAllowed);
    }
    return answerReading(ctx, {
      input: query,
      shownTo: actor,
      findVersion: () => findListVersion(ctx.db, { actor, scope: query.scope }),
      read: () => readProjects(ctx.db, { ...query, actor }),
    });
  }),

  /** One project, if the caller may see it. */
  byId: impersonatedReadProcedure.input(readProjectSchema).query(async ({ ctx, input: { projectId, asClientId } }) => {
    const actor = await effectiveActor(ctx, asClientId);
    return showProject(await visibleProject({ db: ctx.db, actor }, projectId), actor);
  }),

  /** What is due within some days, both inclusive, 400 days at most. */
  calendar: activeProcedure
    .input(calendarSchema)
    .query(({ ctx, input }) => listCalendar(ctx.db, { ...input, actor: ctx.actor })),

  /** What happened, newest first, 50 a page: to one task, to one project, or to all that the caller takes part in. */
  history: impersonatedReadProcedure.input(historySchema).query(async ({ ctx, input: { asClientId, ...asked } }) => {
    const { projectId, taskId, cursor } = asked;
    const call = { db: ctx.db, actor: await effectiveActor(ctx, asClientId) };
    const ofTask = taskId && (await visibleProjectOfTask(call, taskId));
    if (projectId) await visibleProject(call, projectId);
    return listHistory(ctx.db, { projectId: ofTask || projectId, taskId, cursor, actor: call.actor });
  }),

  /**
   * What may be worth a look, the newest first, 500 at most: in one project, or in all that the caller manages; for admins in all. For
   * its managers and admins. Nothing follows from it by itself.
   */
  findings: employeeProcedure.input(listFindingsSchema).query(async ({ ctx, input }) => {
    const projectId = input?.projectId && (await managedProject(ctx, input.projectId)).id;
    return listFindings(ctx.db, { actor: ctx.actor, projectId, timeZone: ctx.timeZone });
  }),

  /** For its managers and admins: whether the live link answers; null without one, and while the project is not in work. */
  livePulse: employeeProcedure.input(projectIdSchema).query(async ({ ctx, input }) => {
    const { id } = await managedProject(ctx, input.projectId);
    return findPulse(ctx.db, { projectId: id });
  }),

  /** With its first tasks, in one step. The creator is always among its people. */
  create: employeeProcedure.input(createProjectSchema).mutation(async ({ ctx, input: { tasks = [], ...fields } }) => {
    const created = await createProject(ctx.db, { fields, firstTasks: tasks, by: ctx.actor });
    warnOfSkippedLink(ctx.logger, created);
    return created;
  }),

  /** `version` is the one the edit started from: a stale one is a CONFLICT that carries the project as it is now. */
  update: employeeProcedure
    .input(updateProjectSchema)
    .mutation(async ({ ctx, input: { projectId, version, patch } }) => {
      const project = await editableProject(ctx, projectId);
      const updated = await updateProject(ctx.db, { project, version, patch, by: ctx.actor });
      if (updated.githubRepo !== project.githubRepo) warnOfSkippedLink(ctx.logger, updated);
      return updated;
    }),

  /** With all its tasks, for good. */
  delete: adminProcedure.input(projectIdSchema).mutation(async ({ ctx, input }) => {
    const project = await visibleProject(ctx, input.projectId);
    return deleteProject(ctx.db, { project, by: ctx.actor });
  }),

  /**
   * Changes of one project, or of all that the caller may see, with the project and the task as they are now. After an
   * interruption, and for `resync`, what is shown of them is to be read again.
   */
  onChange: activeProcedure
    .input(watchProjectsSchema)
    .subscription(({ ctx, input, signal }) =>
      openStream({ ctx, signal, cursor: input?.lastEventId }, projectSource({ ctx, projectId: input?.projectId })),
    ),
});
