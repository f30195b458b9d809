import { TASK_STATUSES } from "@db/enums";
import type { TaskPatch, taskFormSchema, taskPatchSchema } from "@server/contract/tasks";
import type { Person, Project, Task } from "@server/contract/views";
import * as z from "zod/mini";
import { namesOf } from "@/features/projects/project-labels";
import { statusMeta } from "@/features/projects/project-status";
import { formatDay } from "@/lib/format";
import { changedFields } from "@/lib/three-way-merge";

/** The edit form's values as the schema's input. */
export type TaskForm = z.input<typeof taskPatchSchema>;

/** The values of the controls: "" for no due date, no undefined. */
export type TaskFormValues = Required<{ [Key in keyof TaskForm]: NonNullable<TaskForm[Key]> }>;

/** The version of a task that an edit is based on. */
export interface TaskEdition {
  version: number;
  values: TaskFormValues;
}

/** An unsaved edit. */
export interface TaskDraft {
  base: TaskEdition;
  typed: TaskFormValues;
}

/** In the order of the controls. */
export const TASK_FORM_FIELDS = [
  "title",
  "description",
  "dueDate",
  "status",
  "assignedTo",
] as const satisfies readonly (keyof TaskFormValues)[];

export const TASK_LABELS: Record<keyof TaskFormValues, string> = {
  title: "Title",
  description: "Description",
  dueDate: "Due date",
  status: "Status",
  assignedTo: "Assignees",
};

/** Whether an error's field is one of the form's. */
export function isTaskField(name: string): name is keyof TaskFormValues {
  return TASK_FORM_FIELDS.some((field) => field === name);
}

export function editionOf({ version, title, description, dueDate, status, assignedTo }: Task): TaskEdition {
  return { version, values: { title, description, dueDate: dueDate ?? "", status, assignedTo } };
}

/** The current values: unlike the schema's input, controls hold no undefined and no null. */
export function typedTask(form: TaskForm, fallback: TaskFormValues): TaskFormValues {
  return {
    title: form.title ?? "",
    description: form.description ?? "",
    dueDate: form.dueDate ?? "",
    status: form.status ?? fallback.status,
    assignedTo: form.assignedTo ?? [],
  };
}

export function isSameTask(one: TaskFormValues, other: TaskFormValues): boolean {
  return changedFields(TASK_FORM_FIELDS, one, other).length === 0;
}

/** Only the fields that differ from the base of the edit, so that changes by others are kept. */
export function taskPatchOf(before: TaskFormValues, after: TaskPatch): TaskPatch {
  const fields: TaskFormValues = {
    title: after.title ?? before.title,
    description: after.description ?? before.description,
    dueDate: after.dueDate ?? "",
    status: after.status ?? before.status,
    assignedTo: after.assignedTo ?? before.assignedTo,
  };
  const patch: TaskPatch = {};
  const take = <Key extends keyof TaskFormValues>(key: Key) => {
    patch[key] = after[key];
  };
  const changed = changedFields(TASK_FORM_FIELDS, before, fields);
  for (const field of changed) take(field);
  if (patch.dueDate === undefined && changed.includes("dueDate")) patch.dueDate = null;
  return patch;
}

/** A field's value as text. Never empty. */
export function describeTaskField(
  field: keyof TaskFormValues,
  values: TaskFormValues,
  known: Pick<Project, "people">,
): string {
  if (field === "assignedTo") return namesOf(known, values.assignedTo);
  if (field === "status") return statusMeta(values.status).label;
  if (field === "dueDate") return values.dueDate ? formatDay(values.dueDate) : "No date";
  return values[field] || "Empty";
}

/** Who may be assigned: active people of the project and active admins. */
export function assigneesFor(project: Project, active: readonly Person[] | undefined): Person[] {
  const own = new Set([project.createdBy, ...project.assignedTo, ...project.managers]);
  const isOwn = ({ id, accountType }: Person) => own.has(id) && accountType !== "client";
  // Until the list of all people is loaded, or without it, the project's own people can be chosen.
  if (!active) return project.people.filter(isOwn);
  return active.filter((person) => isOwn(person) || person.accountType === "admin");
}

const valuesSchema = z.object({
  title: z.string(),
  description: z.string(),
  dueDate: z.string(),
  status: z.enum(TASK_STATUSES),
  assignedTo: z.array(z.string()),
});
const draftSchema = z.object({
  base: z.object({ version: z.number(), values: valuesSchema }),
  typed: valuesSchema,
});

/** The stored draft of an edit, valid or not. */
export function parseTaskDraft(kept: unknown): TaskDraft | null {
  const { success, data } = z.safeParse(draftSchema, kept);
  return success ? data : null;
}

/** The storage key of a person's edit of a task. */
export function taskDraftKey(userId: string, taskId: string): string {
  return `draft-task-${userId}-${taskId}`;
}

/** The add form's values. */
export type NewTaskForm = z.input<typeof taskFormSchema>;

/** Assignees are optional: drafts of earlier versions have none. */
const newTaskDraftSchema = z.extend(valuesSchema, { assignedTo: z.optional(z.array(z.string())) });
type NewTaskDraft = z.output<typeof newTaskDraftSchema>;

/** The stored draft of an add form, valid or not. */
export function parseNewTask(stored: unknown): NewTaskDraft | null {
  const { success, data } = z.safeParse(newTaskDraftSchema, stored);
  return success ? data : null;
}

/** The add form as a draft; null when nothing was typed. */
export function draftOf({ title, description, dueDate, status, assignedTo }: NewTaskForm): NewTaskDraft | null {
  if (!title && !description && !dueDate) return null;
  return { title, description, dueDate: dueDate ?? "", status: status ?? "todo", assignedTo };
}

/** The storage key of a person's new task in a project. */
export function newTaskKey(userId: string, projectId: string): string {
  return `draft-new-task-${userId}-${projectId}`;
}
