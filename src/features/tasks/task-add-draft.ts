import { TASK_STATUSES } from "@db/enums";
import type { newTaskSchema } from "@server/contract/tasks";
import * as z from "zod/mini";

/** The add form as its controls hold it. */
export type NewTaskForm = z.input<typeof newTaskSchema>;

const draftSchema = z.object({
  title: z.string(),
  description: z.string(),
  dueDate: z.string(),
  status: z.enum(TASK_STATUSES),
});

/** What was typed into an add form and not added, valid or not, out of storage. */
export function parseNewTask(kept: unknown): z.output<typeof draftSchema> | null {
  const { success, data } = z.safeParse(draftSchema, kept);
  return success ? data : null;
}

/** What is worth keeping of a form; null when nothing was typed. */
export function draftOf({ title, description, dueDate, status }: NewTaskForm): z.output<typeof draftSchema> | null {
  if (!title && !description && !dueDate) return null;
  return { title, description, dueDate: dueDate ?? "", status: status ?? "todo" };
}

/** Where it is kept, by person and project. */
export function newTaskKey(userId: string, projectId: string): string {
  return `draft-new-task-${userId}-${projectId}`;
}
