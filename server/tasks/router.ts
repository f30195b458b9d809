import { MESSAGES } from "../contract/messages";
import { readProjectSchema } from "../contract/projects";
import {
  createTaskSchema,
  moveTaskSchema,
  setCompletedSchema,
  taskByKeySchema,
  taskIdSchema,
  updateTaskSchema,
} from "../contract/tasks";
import type { Task } from "../contract/views";
import { DomainError } from "../core/errors";
import { activeProcedure, employeeProcedure, impersonatedReadProcedure } from "../core/procedures";
import { answerReading } from "../core/reply";
import { router } from "../core/trpc";
import { mayEdit } from "../projects/policy";
import type { ActiveCall } from "../projects/procedures";
import { effectiveActor } from "../users/procedures";
import { findTasksVersion } from "./list-version";
import { createTask, deleteTask, moveTask, setTaskCompleted, updateTask } from "./mutations";
import { findTaskByKey, findVisibleTask, listMyTasks, readTasks } from "./queries";

export const tasksRouter = router({
  /** Of one project, open ones first. */
  list: impersonatedReadProcedure.input(readProjectSchema).query(async ({ ctx, input }) => {
    const asked = { projectId: input.projectId, actor: await effectiveActor(ctx, input.asClientId) };
    return answerReading(ctx, {
      input,
      shownTo: asked.actor,
      findVersion: () => findTasksVersion(ctx, asked),
      async read() {
        const reading = await readTasks(ctx.db, asked);
        if (!reading) throw new DomainError("NOT_FOUND", MESSAGES.projects.notFound);
        return reading;
      },
    });
  }),

  /** The task that a key such as `HBP-12` names, with its commits, if the caller may see it. */
  byKey: impersonatedReadProcedure.input(taskByKeySchema).query(async ({ ctx, input: { key, asClientId } }) => {
    const task = await findTaskByKey(ctx.db, { key, actor: await effectiveActor(ctx, asClientId) });
    if (!task) throw new DomainError("NOT_FOUND", MESSAGES.tasks.notFound);
    return task;
  }),

  /** What the caller is assigned to, or for a client all of their projects' tasks: open, or completed within a day. */
  mine: activeProcedure.query(({ ctx }) => listMyTasks(ctx.db, { actor: ctx.actor })),

  /** Last of its project's tasks. */
  create: employeeProcedure
    .input(createTaskSchema)
    .mutation(({ ctx, input }) => createTask(ctx.db, { ...input, by: ctx.actor })),

  /** With a `version`, a stale one is a CONFLICT that carries the task as it is now. */
  update: employeeProcedure.input(updateTaskSchema).mutation(async ({ ctx, input: { taskId, version, patch } }) => {
    const task = await editableTask(ctx, taskId);
    return updateTask(ctx.db, { task, version, patch, by: ctx.actor });
  }),

  /** Also reopens. Idempotent. */
  setCompleted: employeeProcedure.input(setCompletedSchema).mutation(async ({ ctx, input: { taskId, completed } }) => {
    const task = await editableTask(ctx, taskId);
    return setTaskCompleted(ctx.db, { task, completed, by: ctx.actor });
  }),

  /** Puts the task right after another one of its project; null puts it first. */
  move: employeeProcedure.input(moveTaskSchema).mutation(async ({ ctx, input: { taskId, afterTaskId } }) => {
    const task = await editableTask(ctx, taskId);
    return moveTask(ctx.db, { task, afterTaskId, by: ctx.actor });
  }),

  /** For good. */
  delete: employeeProcedure.input(taskIdSchema).mutation(async ({ ctx, input }) => {
    const task = await editableTask(ctx, input.taskId);
    return deleteTask(ctx.db, { task, by: ctx.actor });
  }),
});

/** The task, visible through its own project, when the caller may change that project's tasks: else NOT_FOUND or FORBIDDEN. */
async function editableTask({ db, actor }: ActiveCall, id: string): Promise<Task> {
  const task = await findVisibleTask(db, { id, actor });
  if (!task) throw new DomainError("NOT_FOUND", MESSAGES.tasks.notFound);
  if (!mayEdit(actor)) throw new DomainError("FORBIDDEN", MESSAGES.projects.readOnly);
  return task;
}
