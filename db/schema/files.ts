import { sql } from "drizzle-orm";
import { bigint, check, index, integer, pgTable, text, uuid } from "drizzle-orm/pg-core";
import { lowerCase } from "../expressions";
import { users } from "./auth";
import { messages } from "./chat";
import { instant } from "./columns";
import { comments, visibilityEnum } from "./comments";
import { projects } from "./projects";
import { requests } from "./requests";
import { tasks } from "./tasks";

/**
 * An uploaded file. Its bytes lie in the file store under their hash, once for all rows that have it. Until it is attached it
 * is its uploader's alone. Attached to a comment, a message or a request it goes with that one; of a project or a task it hangs on the
 * subject itself. A person's picture is attached to nothing.
 */
export const files = pgTable(
  "files",
  {
    id: uuid().primaryKey().defaultRandom(),
    /** SHA-256 of the stored bytes, in hexadecimal: its name in the store. */
    hash: text().notNull(),
    name: text().notNull(),
    size: bigint({ mode: "number" }).notNull(),
    /** The media type that the bytes show, whatever the upload said. */
    type: text().notNull(),
    /** Pixels, as shown; null for what is no picture. */
    width: integer(),
    height: integer(),
    thumbnailHash: text(),
    uploadedBy: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "restrict" }),
    createdAt: instant().notNull().defaultNow(),
    attachedAt: instant(),
    /** Of what hangs on a project, a task or a comment; null while unattached and in chat. */
    visibility: visibilityEnum(),
    projectId: uuid().references(() => projects.id, { onDelete: "cascade" }),
    taskId: uuid().references(() => tasks.id, { onDelete: "cascade" }),
    commentId: uuid().references(() => comments.id, { onDelete: "cascade" }),
    messageId: uuid().references(() => messages.id, { onDelete: "restrict" }),
    requestId: uuid().references(() => requests.id, { onDelete: "cascade" }),
    /** Its place among the files of one comment or message. */
    position: integer().notNull().default(0),
  },
  (t) => [
    index("files_name_letters_idx").using("gin", sql`${t.name} gin_trgm_ops`),
    index("files_name_start_idx").using("spgist", lowerCase(t.name)),
    /** A search looks through the newest. */
    index("files_created_idx").on(t.createdAt, t.id),
    index("files_hash_idx").on(t.hash),
    index("files_thumbnail_idx").on(t.thumbnailHash),
    index("files_uploader_idx").on(t.uploadedBy),
    index("files_project_idx").on(t.projectId),
    index("files_task_idx").on(t.taskId),
    index("files_comment_idx").on(t.commentId),
    index("files_message_idx").on(t.messageId),
    index("files_request_idx").on(t.requestId),
    /** What nobody has attached is swept. */
    index("files_unattached_idx").on(t.createdAt).where(sql`${t.attachedAt} is null`),
    check("files_size", sql`${t.size} between 0 and 25000000`),
    check("files_name_length", sql`char_length(${t.name}) between 1 and 255`),
    check("files_hash_shape", sql`${t.hash} ~ '^[0-9a-f]{64}$'`),
    check(
      "files_one_place",
      sql`(${t.messageId} is null or ${t.projectId} is null) and (${t.taskId} is null or ${t.projectId} is not null) and (${t.commentId} is null or ${t.projectId} is not null)`,
    ),
  ],
);

/** The uploaded picture of a person; `users.profileImgLink` holds its address. */
export const userPhotos = pgTable(
  "user_photos",
  {
    userId: uuid()
      .primaryKey()
      .references(() => users.id, { onDelete: "cascade" }),
    fileId: uuid()
      .notNull()
      .references(() => files.id, { onDelete: "cascade" }),
  },
  (t) => [index("user_photos_file_idx").on(t.fileId)],
);

/** Which file store belongs to this database; one row, written with the first file. */
export const fileStores = pgTable(
  "file_stores",
  {
    id: integer().primaryKey().default(1),
    /** What the store's own marker holds. */
    marker: uuid().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [check("file_stores_single", sql`${t.id} = 1`)],
);
