import type { ProjectTemplateColumns } from "@db/rows";
import type { Person } from "./people";
import type { Project } from "./projects";

/** A project to begin others from, without its tasks. */
export interface ProjectTemplate extends Omit<ProjectTemplateColumns, "content" | "createdBy"> {
  description: string;
  /** The due day of a project that is made of it, in days after its start; null for none. */
  dueAfterDays: number | null;
  taskCount: number;
  /** Whoever it names and can be on a project now: assigned, managing, or on a task. */
  people: Person[];
  /** Whoever it names and cannot, such as those who are no longer active: a new project goes without them. */
  leftOut: Person[];
  createdBy: Person;
  /** For who saved it, and admins. */
  canDelete: boolean;
}

/** A project made of another one, or of a template. */
export interface CopiedProject extends Project {
  /** Who was named and cannot be on a project now, such as those who are no longer active. */
  leftOut: Person[];
}
