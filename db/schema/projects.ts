import { sql } from "drizzle-orm";
import {
  bigint,
  boolean,
  check,
  index,
  integer,
  pgEnum,
  pgTable,
  primaryKey,
  text,
  unique,
  uuid,
} from "drizzle-orm/pg-core";
import { COMMIT_MODES } from "../client-enums";
import { MEMBER_ROLES, PROJECT_STATUSES } from "../enums";
import { users } from "./auth";
import { calendarDay, instant } from "./columns";
import { repositories } from "./github";

export const projectStatusEnum = pgEnum("project_status", PROJECT_STATUSES);
export const memberRoleEnum = pgEnum("member_role", MEMBER_ROLES);

export const projects = pgTable(
  "projects",
  {
    id: uuid().primaryKey().defaultRandom(),
    /** 2 to 5 letters of the title, made unique by a number; never changes: `HBP` in `HBP-12`. */
    key: text().notNull(),
    title: text().notNull(),
    description: text().notNull(),
    status: projectStatusEnum().notNull().default("todo"),
    startDate: calendarDay().notNull(),
    dueDate: calendarDay(),
    githubRepo: text(),
    /** The repository that the link names; null when it names none (parseRepo). */
    repositoryId: uuid().references(() => repositories.id, { onDelete: "restrict" }),
    liveLink: text(),
    projectType: text(),
    /** Whether its client may write in it: comments, files, requests and sign-offs. Reading does not depend on it. */
    clientCollaboration: boolean().notNull().default(false),
    /** What its client sees of its commits, and which words of them are masked. */
    commitMode: text({ enum: COMMIT_MODES }).notNull().default("titles"),
    maskedWords: text().array().notNull().default(sql`'{}'`),
    /** Whether its managers are reminded every week to write a status update. */
    statusReminder: boolean().notNull().default(false),
    clientId: uuid().references(() => users.id, { onDelete: "restrict" }),
    createdBy: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "restrict" }),
    createdAt: instant().notNull().defaultNow(),
    updatedAt: instant().notNull().defaultNow(),
    /** Counts edits of the project's own fields and people: a save against an older one is a conflict. */
    version: integer().notNull().default(1),
    /** Counts every change under the project, its tasks included: what a watcher compares. */
    changeSeq: bigint({ mode: "number" }).notNull().default(1),
    /** The number that the newest task took; numbers are never used twice. */
    lastTaskNumber: integer().notNull().default(0),
    /*
     * What a list of projects shows of their tasks, so that it reads none of them. Whoever changes a task writes these with
     * `changeSeq`, under the row's lock (db/task-totals.ts).
     */
    taskCount: integer().notNull().default(0),
    completedTaskCount: integer().notNull().default(0),
    /** Everyone assigned to a task of it, in no order; one may be there twice. */
    taskAssigneeIds: uuid().array().notNull().default(sql`'{}'`),
  },
  (t) => [
    unique("projects_key_unique").on(t.key),
    // Ascending, here and elsewhere: read backwards it serves "newest first", which drizzle's `.desc()` (nulls last) does not.
    index("projects_created_idx").on(t.createdAt, t.id),
    index("projects_client_idx").on(t.clientId),
    index("projects_creator_idx").on(t.createdBy),
    index("projects_repository_idx").on(t.repositoryId),
    index("projects_due_idx").on(t.dueDate).where(sql`${t.dueDate} is not null`),
    check("projects_key_shape", sql`${t.key} ~ '^[A-Z]{2,5}[0-9]*$'`),
    check("projects_title_length", sql`char_length(${t.title}) between 1 and 150`),
    check("projects_description_length", sql`char_length(${t.description}) between 1 and 5000`),
    check("projects_due_after_start", sql`${t.dueDate} >= ${t.startDate}`),
  ],
);

/** People on a project: one may be both assigned and manager; a client's further people are clients themselves. */
export const projectMembers = pgTable(
  "project_members",
  {
    projectId: uuid()
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "restrict" }),
    role: memberRoleEnum().notNull(),
    /** Order in which the form listed them. */
    position: integer().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.projectId, t.role, t.userId] }),
    index("project_members_user_idx").on(t.userId, t.projectId),
  ],
);
