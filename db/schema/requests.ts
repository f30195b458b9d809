import { sql } from "drizzle-orm";
import { type AnyPgColumn, bigint, check, index, pgTable, text, unique, uuid } from "drizzle-orm/pg-core";
import { REQUEST_STATUSES, REQUEST_URGENCIES } from "../client-enums";
import { quoted, requestText, wordsOf } from "../expressions";
import { users } from "./auth";
import { conversations, messages } from "./chat";
import { instant } from "./columns";
import { projects } from "./projects";
import { tasks } from "./tasks";

/** What a client asks for in a project, until the firm has decided about it. */
export const requests = pgTable(
  "requests",
  {
    id: uuid().primaryKey().defaultRandom(),
    projectId: uuid()
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    title: text().notNull(),
    text: text().notNull(),
    urgency: text({ enum: REQUEST_URGENCIES }).notNull().default("normal"),
    status: text({ enum: REQUEST_STATUSES }).notNull().default("new"),
    createdBy: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "restrict" }),
    createdAt: instant().notNull().defaultNow(),
    /** Made by its author's browser once for each request, so that a repeated call is known as such; null of older programs. */
    clientRequestId: uuid(),
    /** The chat message that it was made of. */
    messageId: uuid().references(() => messages.id, { onDelete: "restrict" }),
    /** Since when whoever owes the next move owes it: the firm while it is new, the client while it is asked. */
    turnSince: instant().notNull().defaultNow(),
    decidedBy: uuid().references(() => users.id, { onDelete: "restrict" }),
    decidedAt: instant(),
    /** Why it was declined. */
    reason: text(),
    /** What it became; null again once the task is gone. */
    taskId: uuid().references(() => tasks.id, { onDelete: "set null" }),
    duplicateOf: uuid().references((): AnyPgColumn => requests.id, { onDelete: "set null" }),
    /** Incremented with each change that watchers are notified of. */
    changeSeq: bigint({ mode: "number" }).notNull().default(1),
  },
  (t) => [
    index("requests_project_idx").on(t.projectId, t.createdAt, t.id),
    /** Small enough for a search to combine it with the one of letters: without it a search read 760 pages, and 56 with it. */
    index("requests_seen_idx").on(t.projectId),
    index("requests_status_idx").on(t.status, t.createdAt, t.id),
    index("requests_author_idx").on(t.createdBy),
    index("requests_task_idx").on(t.taskId),
    index("requests_message_idx").on(t.messageId),
    index("requests_duplicate_idx").on(t.duplicateOf),
    index("requests_words_idx").using("gin", wordsOf(requestText(t))),
    index("requests_letters_idx").using("gin", sql`${requestText(t)} gin_trgm_ops`),
    /** A search looks through the newest first. */
    index("requests_created_idx").on(t.createdAt, t.id),
    unique("requests_client_key_unique").on(t.createdBy, t.clientRequestId),
    check("requests_title_length", sql`char_length(${t.title}) between 1 and 200`),
    check("requests_text_length", sql`char_length(${t.text}) between 1 and 5000`),
    check(
      "requests_decided",
      sql`(${t.status} in (${quoted(REQUEST_STATUSES, "new")}, ${quoted(REQUEST_STATUSES, "asked")})) = (${t.decidedAt} is null)`,
    ),
  ],
);

/** The thread of a request: what the firm asked back, and what the client answered. */
export const requestReplies = pgTable(
  "request_replies",
  {
    id: uuid().primaryKey().defaultRandom(),
    requestId: uuid()
      .notNull()
      .references(() => requests.id, { onDelete: "cascade" }),
    authorId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "restrict" }),
    text: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [
    index("request_replies_request_idx").on(t.requestId, t.createdAt, t.id),
    check("request_replies_text_length", sql`char_length(${t.text}) between 1 and 5000`),
  ],
);

/** The task that a chat message became. */
export const messageTasks = pgTable(
  "message_tasks",
  {
    messageId: uuid()
      .primaryKey()
      .references(() => messages.id, { onDelete: "restrict" }),
    /** The message's. */
    conversationId: uuid()
      .notNull()
      .references(() => conversations.id, { onDelete: "restrict" }),
    /** Null once the task is gone: streams that were closed meanwhile read of it by `lastChange`. */
    taskId: uuid().references(() => tasks.id, { onDelete: "set null" }),
    createdBy: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "restrict" }),
    createdAt: instant().notNull().defaultNow(),
    /** The number of its newest change in the conversation (`conversations.lastLinkChange`). */
    lastChange: bigint({ mode: "number" }).notNull(),
    /** When the conversation was told that the task is completed; once for each message. */
    announcedAt: instant(),
  },
  (t) => [
    index("message_tasks_task_idx").on(t.taskId),
    index("message_tasks_change_idx").on(t.conversationId, t.lastChange),
  ],
);
