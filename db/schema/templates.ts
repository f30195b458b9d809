import { sql } from "drizzle-orm";
import { check, jsonb, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { users } from "./auth";
import { instant } from "./columns";

/** A project to begin others from: tasks with days counted from the start, people by role. */
export const projectTemplates = pgTable(
  "project_templates",
  {
    id: uuid().primaryKey().defaultRandom(),
    title: text().notNull(),
    /** What is written into a new project; its shape is read with a schema (server/templates). */
    content: jsonb().$type<unknown>().notNull(),
    createdBy: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "restrict" }),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [check("project_templates_title_length", sql`char_length(${t.title}) between 1 and 150`)],
);
