import type { ProjectStatus } from "@db/enums";

/** Statuses of projects and tasks in words. Design 3.0. */
export const STATUS_LABELS: Record<ProjectStatus, string> = {
  todo: "To Do",
  inProgress: "In Progress",
  completed: "Completed",
  "on-hold": "On Hold",
  cancelled: "Cancelled",
};
