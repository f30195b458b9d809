import { MESSAGES } from "../contract/messages";
import { readProjectSchema } from "../contract/projects";
import {
  createTaskSchema,
  moveTaskSchema,
  setCompletedSchema,
  taskIdSchema,
  updateTaskSchema,
} from "../contract/tasks";
import { DomainError } from "../core/errors";
import { plain } from "../core/plain";
import { activeProcedure, employeeProcedure, readAsProcedure } from "../core/procedures";
import { router } from "../core/trpc";
import { readerOf } from "../users/procedures";
import { createTask, deleteTask, moveTask, setTaskCompleted, updateTask } from "./mutations";
import { editableTask } from "./procedures";
import { listMyTasks, listTasks } from "./queries";

export const tasksRouter = router({
  list: readAsProcedure.input(readProjectSchema).query(async ({ ctx, input: { projectId, asClientId } }) => {
    const tasks = await listTasks(ctx.db, { projectId, actor: await readerOf(ctx, asClientId) });
    if (!tasks) throw new DomainError("NOT_FOUND", MESSAGES.projects.notFound);
    return plain(tasks);
  }),

  mine: activeProcedure.query(async ({ ctx }) => plain(await listMyTasks(ctx.db, { actor: ctx.actor }))),

  create: employeeProcedure
    .input(createTaskSchema)
    .mutation(async ({ ctx, input: { projectId, assignedTo, ...fields } }) =>
      plain(await createTask(ctx.db, { projectId, fields, assignedTo, by: ctx.actor })),
    ),

  update: employeeProcedure.input(updateTaskSchema).mutation(async ({ ctx, input: { taskId, version, patch } }) => {
    const task = await editableTask(ctx, taskId);
    return plain(await updateTask(ctx.db, { task, version, patch, by: ctx.actor }));
  }),

  setCompleted: employeeProcedure.input(setCompletedSchema).mutation(async ({ ctx, input: { taskId, completed } }) => {
    const task = await editableTask(ctx, taskId);
    return plain(await setTaskCompleted(ctx.db, { task, completed, by: ctx.actor }));
  }),

  move: employeeProcedure.input(moveTaskSchema).mutation(async ({ ctx, input: { taskId, afterTaskId } }) => {
    const task = await editableTask(ctx, taskId);
    return plain(await moveTask(ctx.db, { task, afterTaskId, by: ctx.actor }));
  }),

  delete: employeeProcedure.input(taskIdSchema).mutation(async ({ ctx, input }) => {
    const task = await editableTask(ctx, input.taskId);
    return deleteTask(ctx.db, { task, by: ctx.actor });
  }),
});
