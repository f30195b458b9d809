import { PROJECT_STATUSES } from "@db/enums";
import * as z from "zod/mini";
import type { ProjectFormValues } from "./project-form-values";

/** What was typed into the form of a project, valid or not. */
export const typedProjectSchema = z.object({
  title: z.string(),
  description: z.string(),
  status: z.enum(PROJECT_STATUSES),
  startDate: z.string(),
  dueDate: z.string(),
  clientId: z.string(),
  githubRepo: z.string(),
  liveLink: z.string(),
  projectType: z.string(),
  assignedTo: z.array(z.string()),
  managers: z.array(z.string()),
});

/** The project that this person has begun to describe in this tab; kept until created or discarded. Design 3.6. */
export function parseProjectDraft(kept: unknown): ProjectFormValues | null {
  const { success, data } = z.safeParse(typedProjectSchema, kept);
  return success ? data : null;
}

/** Where it is kept, by person. */
export function projectDraftKey(userId: string): string {
  return `draft-project-${userId}`;
}
