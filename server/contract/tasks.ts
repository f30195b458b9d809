import { TASK_STATUSES } from "@db/enums";
import * as z from "zod/mini";
import { TASK_MESSAGES } from "./messages/tasks";
import { daySchema, idListSchema, idSchema, lineSchema, orAbsent, textSchema, versionSchema } from "./text";

const title = lineSchema({ max: 200, required: TASK_MESSAGES.required, label: "Title" });
const description = textSchema({ max: 5000, required: TASK_MESSAGES.required, label: "Description" });
const status = z.enum(TASK_STATUSES, { error: "Choose a status." });

/** A new task; "" and null mean no due date, and the status defaults to todo. */
export const newTaskSchema = z.strictObject({
  title,
  description,
  status: z.optional(status),
  dueDate: z.optional(orAbsent(daySchema)),
});

/** The add form. Without `assignedTo` the task goes to its creator. */
export const taskFormSchema = z.extend(newTaskSchema, { assignedTo: z.optional(idListSchema) });

export const createTaskSchema = z.extend(taskFormSchema, { projectId: idSchema });

export const taskPatchSchema = z.partial(z.extend(newTaskSchema, { assignedTo: idListSchema }));

/** A missing key of the patch stays as it is; with `version`, an edit of an older one is a conflict. */
export const updateTaskSchema = z.strictObject({
  taskId: idSchema,
  version: z.optional(versionSchema),
  patch: taskPatchSchema,
});

export const setCompletedSchema = z.strictObject({ taskId: idSchema, completed: z.boolean() });

/** Puts a task right after another one of its project, or with null before all others. */
export const moveTaskSchema = z.strictObject({ taskId: idSchema, afterTaskId: z.nullable(idSchema) });

export const taskIdSchema = z.strictObject({ taskId: idSchema });

export type NewTask = z.output<typeof newTaskSchema>;
export type CreateTask = z.output<typeof createTaskSchema>;
export type UpdateTask = z.output<typeof updateTaskSchema>;
export type TaskFields = z.output<typeof taskFormSchema>;
export type TaskPatch = z.output<typeof taskPatchSchema>;
