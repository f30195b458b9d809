import { TASK_PRIORITIES, TASK_STATUSES } from "@db/enums";
import * as z from "zod/mini";
import { TASK_MESSAGES } from "./messages/tasks";
import { labelIdsSchema } from "./task-labels";
import {
  asClientKey,
  daySchema,
  describeSchema,
  idListSchema,
  idSchema,
  lineSchema,
  orAbsent,
  textSchema,
  versionSchema,
} from "./text";

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

/** What one item of a checklist says: one line of up to 200 code points. */
export const checklistTextSchema = lineSchema({ max: 200, required: TASK_MESSAGES.itemRequired, label: "Item" });

/** One line of a checklist; without an id it is a new one. */
const checklistItemSchema = z.strictObject({
  id: z.optional(idSchema),
  text: checklistTextSchema,
  done: z.optional(z.boolean()),
});

export const checklistSchema = z.array(checklistItemSchema, { error: "Send a list of items." }).check(
  z.maxLength(100, { error: "At most 100 items." }),
  z.refine((items) => new Set(items.map((item) => item.id ?? item)).size === items.length, {
    error: "Each item has an id of its own.",
  }),
);

/** Items as they are stored: new ones get an id. */
export function withIds(items: readonly z.output<typeof checklistItemSchema>[]) {
  return items.map(({ id = crypto.randomUUID(), text, done = false }) => ({ id, text, done }));
}

const details = {
  priority: z.optional(z.enum(TASK_PRIORITIES, { error: "Choose a priority." })),
  labelIds: z.optional(labelIdsSchema),
  /** In the order shown. */
  checklist: z.optional(checklistSchema),
};

export const createTaskSchema = z.extend(taskFormSchema, { projectId: idSchema, ...details });

/** What the edit form changes. */
export const taskPatchSchema = z.partial(z.extend(newTaskSchema, { assignedTo: idListSchema }));

/** A missing key of the patch stays as it is; with `version`, an edit of an older one is a conflict. */
export const updateTaskSchema = z.strictObject({
  taskId: idSchema,
  version: z.optional(versionSchema),
  patch: z.extend(taskPatchSchema, details),
});

export const setCompletedSchema = z.strictObject({ taskId: idSchema, completed: z.boolean() });

/** Puts a task right after another one of its project, or with null before all others. */
export const moveTaskSchema = z.strictObject({ taskId: idSchema, afterTaskId: z.nullable(idSchema) });

const TASK_KEY = /^[A-Z]{2,5}[0-9]*-[1-9][0-9]{0,8}$/;

/** `HBP-12`: a project's key and a task's number, in capitals or not. */
const taskKeySchema = describeSchema(
  z
    .string({ error: TASK_MESSAGES.notAKey })
    .check(
      z.trim(),
      z.maxLength(50, { error: TASK_MESSAGES.notAKey }),
      z.toUpperCase(),
      z.regex(TASK_KEY, { error: TASK_MESSAGES.notAKey }),
    ),
  { pattern: "^[A-Za-z]{2,5}[0-9]*-[1-9][0-9]*$" },
);

export const taskByKeySchema = z.strictObject({ key: taskKeySchema, ...asClientKey });

export const taskIdSchema = z.strictObject({ taskId: idSchema });

export type NewTask = z.output<typeof newTaskSchema>;
export type CreateTask = z.output<typeof createTaskSchema>;
export type UpdateTask = z.output<typeof updateTaskSchema>;
export type TaskFields = z.output<typeof taskFormSchema>;
export type TaskPatch = z.output<typeof taskPatchSchema>;
