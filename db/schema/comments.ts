import { sql } from "drizzle-orm";
import { bigint, check, index, pgEnum, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { VISIBILITIES } from "../enums";
import { searchedText, wordsOf } from "../expressions";
import { users } from "./auth";
import { instant } from "./columns";
import { projects } from "./projects";
import { tasks } from "./tasks";

export const visibilityEnum = pgEnum("visibility", VISIBILITIES);

const seq = () => bigint({ mode: "number" });

/**
 * The comments of one subject: a project, or a task of it. Made by the first comment. Counted up under the row's lock, so that
 * numbers commit in their order. Clients have counters of their own, which comments of the team do not move.
 */
export const discussions = pgTable(
  "discussions",
  {
    id: uuid().primaryKey().defaultRandom(),
    projectId: uuid()
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    /** Null: about the project itself. */
    taskId: uuid().references(() => tasks.id, { onDelete: "cascade" }),
    /** The number of the newest comment. */
    lastSeq: seq().notNull().default(0),
    lastClientSeq: seq().notNull().default(0),
    /** The number of the newest change: a comment, an edit or a deletion. */
    lastChange: seq().notNull().default(0),
    lastClientChange: seq().notNull().default(0),
  },
  (t) => [
    unique("discussions_subject_unique").on(t.projectId, t.taskId).nullsNotDistinct(),
    index("discussions_task_idx").on(t.taskId),
  ],
);

/** A comment. Deleted, its row stays without text, so that everybody sees that something stood there. */
export const comments = pgTable(
  "comments",
  {
    id: uuid().primaryKey().defaultRandom(),
    discussionId: uuid()
      .notNull()
      .references(() => discussions.id, { onDelete: "cascade" }),
    /** Counts from 1 in its discussion, without a gap. */
    seq: seq().notNull(),
    /** The same among those that the client can see; null for the team's. */
    clientSeq: seq(),
    /** The numbers of the change that made it and of its last one: what a stream's cursor compares. */
    createdChange: seq().notNull(),
    lastChange: seq().notNull(),
    clientCreatedChange: seq(),
    clientLastChange: seq(),
    authorId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "restrict" }),
    /** Made by the author's browser once for each comment, so that a repeated call is known as such. */
    clientCommentId: uuid().notNull(),
    visibility: visibilityEnum().notNull(),
    /** Mentions stand in it by id alone; empty once deleted. */
    text: text().notNull(),
    /** Whom the text mentions. */
    mentions: uuid().array().notNull().default(sql`'{}'`),
    createdAt: instant().notNull().defaultNow(),
    editedAt: instant(),
    deletedAt: instant(),
  },
  (t) => [
    unique("comments_seq_unique").on(t.discussionId, t.seq),
    unique("comments_client_seq_unique").on(t.discussionId, t.clientSeq),
    unique("comments_client_key_unique").on(t.authorId, t.clientCommentId),
    index("comments_words_idx").using("gin", wordsOf(searchedText(t.text))),
    index("comments_letters_idx").using("gin", sql`${searchedText(t.text)} gin_trgm_ops`),
    index("comments_created_idx").on(t.createdAt, t.id),
    index("comments_change_idx").on(t.discussionId, t.lastChange),
    index("comments_client_change_idx").on(t.discussionId, t.clientLastChange),
    check("comments_text_length", sql`char_length(${t.text}) <= 10000`),
    check("comments_text_kept", sql`(${t.text} = '') = (${t.deletedAt} is not null)`),
    check("comments_client_numbers", sql`(${t.clientSeq} is null) = (${t.clientLastChange} is null)`),
  ],
);

/** Up to which comment a person has read a discussion, by the number that this person sees; moves forward only. */
export const commentReads = pgTable(
  "comment_reads",
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    discussionId: uuid()
      .notNull()
      .references(() => discussions.id, { onDelete: "cascade" }),
    upToSeq: seq().notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.userId, t.discussionId] }),
    index("comment_reads_discussion_idx").on(t.discussionId),
  ],
);
