import { PROJECT_STATUSES } from "@db/enums";
import * as z from "zod/mini";
import type { ProjectFormValues } from "./project-form-values";

/** What was typed, valid or not. */
const draftSchema = z.object({
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
export function readDraft(userId: string): ProjectFormValues | null {
  try {
    const { success, data } = z.safeParse(draftSchema, JSON.parse(sessionStorage.getItem(keyOf(userId)) ?? "null"));
    return success ? data : null;
  } catch {
    return null;
  }
}

export function writeDraft(userId: string, values: object): void {
  try {
    sessionStorage.setItem(keyOf(userId), JSON.stringify(values));
  } catch {
    // A full or closed storage costs the draft, not the form.
  }
}

export function clearDraft(userId: string): void {
  try {
    sessionStorage.removeItem(keyOf(userId));
  } catch {
    // Nothing was kept.
  }
}

function keyOf(userId: string): string {
  return `draft-project-${userId}`;
}
