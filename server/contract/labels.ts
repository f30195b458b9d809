import type { AccountType, ProjectStatus, TaskPriority } from "@db/enums";

/** Statuses of projects and tasks. Design 3.0. */
export const STATUS_LABELS: Record<ProjectStatus, string> = {
  todo: "To Do",
  inProgress: "In Progress",
  completed: "Completed",
  "on-hold": "On Hold",
  cancelled: "Cancelled",
};

/** The firm, as public pages and mails call it. */
export const FIRM_NAME = "Sangam Software";

export const ACCOUNT_TYPE_LABELS: Record<AccountType, string> = { user: "User", client: "Client", admin: "Admin" };

export const PRIORITY_LABELS: Record<TaskPriority, string> = {
  none: "None",
  low: "Low",
  medium: "Medium",
  high: "High",
  urgent: "Urgent",
};
