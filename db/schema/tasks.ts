import { sql } from "drizzle-orm";
import {
  check,
  index,
  integer,
  jsonb,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from "drizzle-orm/pg-core";
import { LABEL_COLOURS, TASK_PRIORITIES, TASK_STATUSES } from "../enums";
import { holds, quoted } from "../expressions";
import { users } from "./auth";
import { calendarDay, instant, rankKey } from "./columns";
import { projects } from "./projects";

export const taskStatusEnum = pgEnum("task_status", TASK_STATUSES);
export const taskPriorityEnum = pgEnum("task_priority", TASK_PRIORITIES);
export const labelColourEnum = pgEnum("label_colour", LABEL_COLOURS);

/** One line of a task's checklist. */
export type StoredChecklistItem = { id: string; text: string; done: boolean };

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
    priority: taskPriorityEnum().notNull().default("none"),
    /** In the order shown. */
    checklist: jsonb().$type<StoredChecklistItem[]>().notNull().default([]),
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
    index("tasks_completed_idx").on(t.completedAt).where(sql`${t.completedAt} is not null`),
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

/** The organisation's labels, for tasks of any project. */
export const labels = pgTable(
  "labels",
  {
    id: uuid().primaryKey().defaultRandom(),
    name: text().notNull(),
    colour: labelColourEnum().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    uniqueIndex("labels_name_unique").on(sql`lower(${t.name})`),
    check("labels_name_length", sql`char_length(${t.name}) between 1 and 40`),
  ],
);

export const taskLabels = pgTable(
  "task_labels",
  {
    taskId: uuid()
      .notNull()
      .references(() => tasks.id, { onDelete: "cascade" }),
    labelId: uuid()
      .notNull()
      .references(() => labels.id, { onDelete: "cascade" }),
  },
  (t) => [primaryKey({ columns: [t.taskId, t.labelId] }), index("task_labels_label_idx").on(t.labelId)],
);
