import { projectIdSchema } from "../contract/projects";
import { createTaskSchema, setCompletedSchema, taskIdSchema, updateTaskSchema } from "../contract/tasks";
import { plain } from "../core/plain";
import { activeProcedure, employeeProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { editableProject, visibleProject } from "../projects/procedures";
import { createTask, deleteTask, setTaskCompleted, updateTask } from "./mutations";
import { editableTask } from "./procedures";
import { listTasks } from "./queries";

export const tasksRouter = router({
  list: activeProcedure.input(projectIdSchema).query(async ({ ctx, input }) => {
    const project = await visibleProject(ctx, input.projectId);
    return plain(await listTasks(ctx.db, { projectId: project.id }));
  }),

  create: employeeProcedure
    .input(createTaskSchema)
    .mutation(async ({ ctx, input: { projectId, assignedTo, ...fields } }) => {
      const project = await editableProject(ctx, projectId);
      return plain(await createTask(ctx.db, { project, fields, assignedTo, by: ctx.actor }));
    }),

  update: employeeProcedure.input(updateTaskSchema).mutation(async ({ ctx, input: { taskId, version, patch } }) => {
    const task = await editableTask(ctx, taskId);
    return plain(await updateTask(ctx.db, { task, version, patch, by: ctx.actor }));
  }),

  setCompleted: employeeProcedure.input(setCompletedSchema).mutation(async ({ ctx, input: { taskId, completed } }) => {
    const task = await editableTask(ctx, taskId);
    return plain(await setTaskCompleted(ctx.db, { task, completed, by: ctx.actor }));
  }),

  delete: employeeProcedure.input(taskIdSchema).mutation(async ({ ctx, input }) => {
    const task = await editableTask(ctx, input.taskId);
    return deleteTask(ctx.db, { task, by: ctx.actor });
  }),
});
