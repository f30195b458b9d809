import { sql } from "drizzle-orm";
import { check, index, integer, jsonb, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { COMMIT_MODES, PROJECT_HEALTHS, SIGN_OFF_STATUSES } from "../client-enums";
import { quoted } from "../expressions";
import { users } from "./auth";
import { instant } from "./columns";
import { projects } from "./projects";

/**
 * What a client was asked to sign off. It outlives its project, so nothing here refers to one. `record` is written with
 * the question and by the decision, and never again after it; it holds ids and texts, and the name of the signer.
 */
export const signOffs = pgTable(
  "sign_offs",
  {
    id: uuid().primaryKey().defaultRandom(),
    projectId: uuid().notNull(),
    /** Null: all tasks of the project. */
    taskIds: uuid().array(),
    signerId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "restrict" }),
    /** Not used: the version of a record is worked out of it. Goes with the next migration that may drop columns. */
    version: integer().notNull().default(1),
    /** The text of the question. */
    note: text().notNull(),
    status: text({ enum: SIGN_OFF_STATUSES }).notNull().default("asked"),
    record: jsonb().$type<unknown>().notNull(),
    askedBy: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "restrict" }),
    askedAt: instant().notNull().defaultNow(),
    /** When it was approved, sent back or withdrawn, and by whom. */
    decidedBy: uuid().references(() => users.id, { onDelete: "restrict" }),
    decidedAt: instant(),
    /** What the client wants changed. */
    reason: text(),
    /** What the project's clients saw of its commits when it was deleted, written with that; null before. */
    commitModeAtDeletion: text({ enum: COMMIT_MODES }),
  },
  (t) => [
    index("sign_offs_project_idx").on(t.projectId, t.askedAt, t.id),
    index("sign_offs_signer_idx").on(t.signerId, t.status),
    index("sign_offs_asked_idx")
      .on(t.askedAt)
      .where(sql`${t.status} = ${quoted(SIGN_OFF_STATUSES, "asked")}`),
    check("sign_offs_note_length", sql`char_length(${t.note}) between 1 and 5000`),
    check("sign_offs_decided", sql`(${t.status} = ${quoted(SIGN_OFF_STATUSES, "asked")}) = (${t.decidedAt} is null)`),
  ],
);

/** How a manager told a project's client that it stands. Never changed once sent. */
export const statusUpdates = pgTable(
  "status_updates",
  {
    id: uuid().primaryKey().defaultRandom(),
    projectId: uuid()
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    health: text({ enum: PROJECT_HEALTHS }).notNull(),
    text: text().notNull(),
    authorId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "restrict" }),
    sentAt: instant().notNull().defaultNow(),
    /** How far the draft reaches that it began with, where there was one: the next draft goes on from there. */
    upTo: instant(),
    /** Made by its author's browser once for each update, so that a repeated call is known as such; null of older programs. */
    clientUpdateId: uuid(),
  },
  (t) => [
    unique("status_updates_client_key_unique").on(t.authorId, t.clientUpdateId),
    index("status_updates_project_idx").on(t.projectId, t.sentAt, t.id),
    index("status_updates_author_idx").on(t.authorId),
    check("status_updates_text_length", sql`char_length(${t.text}) between 1 and 5000`),
  ],
);
