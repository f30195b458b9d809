import { sql } from "drizzle-orm";
import { check, index, integer, pgEnum, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { TASK_STATUSES } from "../enums";
import { holds, quoted } from "../expressions";
import { users } from "./auth";
import { calendarDay, instant, rankKey } from "./columns";
import { projects } from "./projects";

export const taskStatusEnum = pgEnum("task_status", TASK_STATUSES);

/** `completed` is no column: it is exactly "status is completed". */
export const tasks = pgTable(
  "tasks",
  {
    id: uuid().primaryKey().defaultRandom(),
    projectId: uuid()
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    /** Counts from 1 in its project: 12 in `HBP-12`. */
    number: integer().notNull(),
    /** Its position among the project's tasks; see db/ranks.ts. */
    rank: rankKey().notNull(),
    title: text().notNull(),
    description: text().notNull(),
    status: taskStatusEnum().notNull().default("todo"),
    /** What unticking returns to; null unless the task is completed. */
    statusBefore: taskStatusEnum(),
    dueDate: calendarDay(),
    /** Since when the status is completed; null while it is not. */
    completedAt: instant(),
    createdBy: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "restrict" }),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
    version: integer().notNull().default(1),
  },
  (t) => [
    unique("tasks_number_unique").on(t.projectId, t.number),
    unique("tasks_rank_unique").on(t.projectId, t.rank),
    index("tasks_project_status_idx").on(t.projectId, t.status),
    index("tasks_due_idx").on(t.dueDate).where(sql`${t.dueDate} is not null`),
    check("tasks_title_length", sql`char_length(${t.title}) between 1 and 200`),
    check("tasks_description_length", sql`char_length(${t.description}) between 1 and 5000`),
    check("tasks_number_positive", sql`${t.number} > 0`),
    check("tasks_status_before", sql`${holds(t.status, "completed")} = (${t.statusBefore} is not null)`),
    check("tasks_completed_at", sql`${holds(t.status, "completed")} = (${t.completedAt} is not null)`),
    check("tasks_status_before_open", sql`${t.statusBefore} <> ${quoted(TASK_STATUSES, "completed")}`),
  ],
);

export const taskAssignees = pgTable(
  "task_assignees",
  {
    taskId: uuid()
      .notNull()
      .references(() => tasks.id, { onDelete: "cascade" }),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "restrict" }),
  },
  (t) => [primaryKey({ columns: [t.taskId, t.userId] }), index("task_assignees_user_idx").on(t.userId, t.taskId)],
);
