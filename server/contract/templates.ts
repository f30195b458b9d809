import { COMMIT_MODES } from "@db/client-enums";
import { TASK_PRIORITIES } from "@db/enums";
import * as z from "zod/mini";
import { DAY_MS } from "./days";
import { projectTitleSchema } from "./projects";
import type { CreateLabel } from "./task-labels";
import { daySchema, idSchema } from "./text";

/** So many may an organisation have. */
export const MAX_TEMPLATES = 200;
/** So many may a template hold, and a project that is duplicated. */
export const MAX_TEMPLATE_TASKS = 500;

const copy = { title: projectTitleSchema, startDate: daySchema };

export const duplicateProjectSchema = z.strictObject({ projectId: idSchema, ...copy });

export const templateIdSchema = z.strictObject({ templateId: idSchema });

export const createFromTemplateSchema = z.extend(templateIdSchema, copy);

/** What both forms ask for. */
export const copyFormSchema = z.strictObject(copy);

export const daysAfterStartSchema = z.nullable(z.int().check(z.gte(-40_000), z.lte(40_000)));
const texts = z.array(z.string());

const templateTaskSchema = z.object({
  title: z.string(),
  description: z.string(),
  priority: z.enum(TASK_PRIORITIES),
  /** Its due day, in days after the project's start; negative before it. */
  dueAfterDays: daysAfterStartSchema,
  /** Its checklist, in the order shown; nothing of it is done. */
  checklist: texts,
  labelIds: texts,
  assignedTo: texts,
});

/** What a template holds of a project, as it is stored: people and labels by id, days counted from the start. */
export const templateContentSchema = z.object({
  description: z.string(),
  projectType: z.nullable(z.string()),
  dueAfterDays: daysAfterStartSchema,
  clientCollaboration: z.boolean(),
  statusReminder: z.boolean(),
  commitMode: z.enum(COMMIT_MODES),
  maskedWords: texts,
  assignedTo: texts,
  managers: texts,
  tasks: z.array(templateTaskSchema),
});

/** The same in an import file: labels by name, people by the file's ids. */
export interface ImportedTemplate extends Omit<TemplateContent, "tasks"> {
  tasks: (Omit<TemplateContent["tasks"][number], "labelIds"> & { labels: CreateLabel[] })[];
}

export type TemplateContent = z.output<typeof templateContentSchema>;
export type DuplicateProject = z.output<typeof duplicateProjectSchema>;
export type CreateFromTemplate = z.output<typeof createFromTemplateSchema>;

/** A calendar day so many days after another one; null where that is none. */
export function dayAfter(day: string, days: number): string | null {
  const ms = Date.parse(`${day}T00:00:00Z`) + days * DAY_MS;
  return Number.isNaN(ms) ? null : new Date(ms).toISOString().slice(0, 10);
}
