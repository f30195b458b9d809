import { MESSAGES } from "../contract/messages";
import {
  calendarSchema,
  createProjectSchema,
  historySchema,
  listProjectsSchema,
  projectIdSchema,
  updateProjectSchema,
  watchProjectsSchema,
} from "../contract/projects";
import { DomainError } from "../core/errors";
import { plain } from "../core/plain";
import { activeProcedure, adminProcedure, employeeProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { listCalendar } from "./calendar";
import { watchProjects } from "./events";
import { listHistory } from "./history";
import { createProject, deleteProject, updateProject } from "./mutations";
import { editableProject, visibleProject } from "./procedures";
import { listProjects, showProject } from "./queries";

export const projectsRouter = router({
  list: activeProcedure.input(listProjectsSchema).query(async ({ ctx, input }) => {
    if (input.scope === "all" && ctx.actor.accountType !== "admin") {
      throw new DomainError("FORBIDDEN", MESSAGES.general.notAllowed);
    }
    return plain(await listProjects(ctx.db, { ...input, actor: ctx.actor }));
  }),

  byId: activeProcedure
    .input(projectIdSchema)
    .query(async ({ ctx, input }) => plain(showProject(await visibleProject(ctx, input.projectId), ctx.actor))),

  calendar: activeProcedure
    .input(calendarSchema)
    .query(async ({ ctx, input }) => plain(await listCalendar(ctx.db, { ...input, actor: ctx.actor }))),

  history: activeProcedure.input(historySchema).query(async ({ ctx, input: { projectId, cursor } }) => {
    if (projectId) await visibleProject(ctx, projectId);
    return plain(await listHistory(ctx.db, { projectId, cursor, actor: ctx.actor }));
  }),

  create: employeeProcedure
    .input(createProjectSchema)
    .mutation(async ({ ctx, input: { tasks = [], ...fields } }) =>
      plain(await createProject(ctx.db, { fields, firstTasks: tasks, by: ctx.actor })),
    ),

  update: employeeProcedure
    .input(updateProjectSchema)
    .mutation(async ({ ctx, input: { projectId, version, patch } }) => {
      const project = await editableProject(ctx, projectId);
      return plain(await updateProject(ctx.db, { project, version, patch, by: ctx.actor }));
    }),

  delete: adminProcedure.input(projectIdSchema).mutation(async ({ ctx, input }) => {
    const project = await visibleProject(ctx, input.projectId);
    return deleteProject(ctx.db, { project, by: ctx.actor });
  }),

  onChange: activeProcedure
    .input(watchProjectsSchema)
    .subscription(({ ctx, input, signal }) => watchProjects({ ctx, projectId: input?.projectId, signal })),
});
