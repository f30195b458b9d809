import { PROJECT_STATUSES } from "@db/enums";
import { ON_OFF } from "@server/contract/projects";
import type { Project } from "@server/contract/views";
import * as z from "zod/mini";
import { formOf, type ProjectFormValues } from "./project-form-values";

/** The version of a project that an edit is based on. */
export interface ProjectEdition {
  version: number;
  values: ProjectFormValues;
}

/** The input of a project form, valid or not. */
const inputSchema = z.object({
  title: z.string(),
  description: z.string(),
  status: z.enum(PROJECT_STATUSES),
  startDate: z.string(),
  dueDate: z.string(),
  clientId: z.string(),
  // A draft from before there was such a field has none.
  clientPeople: z._default(z.array(z.string()), []),
  githubRepo: z.string(),
  liveLink: z.string(),
  projectType: z.string(),
  assignedTo: z.array(z.string()),
  managers: z.array(z.string()),
  clientCollaboration: z.enum(ON_OFF),
});
const editSchema = z.object({ base: z.object({ version: z.number(), values: inputSchema }), typed: inputSchema });

export function editionOf(project: Project): ProjectEdition {
  return { version: project.version, values: formOf(project) };
}

/** The draft of a new project; stored until it is created or discarded. Design 3.6. */
export function parseProjectDraft(stored: unknown): ProjectFormValues | null {
  const { success, data } = z.safeParse(inputSchema, stored);
  return success ? data : null;
}

/** The draft of an edit; stored until it is saved or discarded. */
export function parseProjectEdit(stored: unknown): { base: ProjectEdition; typed: ProjectFormValues } | null {
  const { success, data } = z.safeParse(editSchema, stored);
  return success ? data : null;
}

/** The storage key of a person's new project. */
export function projectDraftKey(userId: string): string {
  return `draft-project-${userId}`;
}

/** The storage key of a person's edit of a project. */
export function projectEditKey(userId: string, projectId: string): string {
  return `draft-edit-${userId}-${projectId}`;
}
