import { bigint, index, integer, jsonb, pgEnum, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { type ChangedField, PROJECT_EVENT_KINDS } from "../enums";
import { users } from "./auth";
import { instant } from "./columns";
import { projects } from "./projects";

export const projectEventKindEnum = pgEnum("project_event_kind", PROJECT_EVENT_KINDS);

/**
 * How one field changed; ids stand for people, labels have the names of that moment, and long texts are left out. Of a checklist
 * the texts of its items.
 */
export type StoredChange =
  | { field: ChangedField; from: string | null; to: string | null }
  | { field: ChangedField; added: string[]; removed: string[]; checked?: string[]; unchecked?: string[] };

/** Who changed what in a project. Written in the transaction of the change; goes with the project. */
export const projectEvents = pgTable(
  "project_events",
  {
    /** By default, not always: an INSERT … SELECT of drizzle names every column, this one with its next number. */
    id: bigint({ mode: "number" }).primaryKey().generatedByDefaultAsIdentity(),
    projectId: uuid()
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    at: instant().notNull().defaultNow(),
    actorId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "restrict" }),
    kind: projectEventKindEnum().notNull(),
    /** The task as it was called then; it may be gone, so there is no foreign key. */
    taskId: uuid(),
    taskNumber: integer(),
    taskTitle: text(),
    changes: jsonb().$type<StoredChange[]>().notNull().default([]),
  },
  (t) => [
    index("project_events_project_idx").on(t.projectId, t.id),
    index("project_events_at_idx").on(t.at),
    index("project_events_task_idx").on(t.projectId, t.taskId, t.id),
  ],
);
