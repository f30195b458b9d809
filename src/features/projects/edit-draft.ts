import type { Project } from "@server/contract/views";
import * as z from "zod/mini";
import { typedProjectSchema } from "./create-draft";
import { formOf, type ProjectFormValues } from "./project-form-values";

/** A project as an edit of it stands on: what was read, and which version that was. */
export interface ProjectEdition {
  version: number;
  values: ProjectFormValues;
}

export function editionOf(project: Project): ProjectEdition {
  return { version: project.version, values: formOf(project) };
}

const editSchema = z.object({
  base: z.object({ version: z.number(), values: typedProjectSchema }),
  typed: typedProjectSchema,
});

/** An edit that was begun and not saved, out of storage; kept until saved or discarded. */
export function parseProjectEdit(kept: unknown): { base: ProjectEdition; typed: ProjectFormValues } | null {
  const { success, data } = z.safeParse(editSchema, kept);
  return success ? data : null;
}

/** Where it is kept, by person and project. */
export function projectEditKey(userId: string, projectId: string): string {
  return `draft-edit-${userId}-${projectId}`;
}
