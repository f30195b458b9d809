import type { CommitMode, PROJECT_HEALTHS, REQUEST_URGENCIES, RequestStatus, SignOffStatus } from "@db/client-enums";
import type {
  AccountStatus,
  AccountType,
  MessageKind,
  ProjectStatus,
  TaskPriority,
  TaskStatus,
  Visibility,
} from "@db/enums";
import { type SQL, sql } from "drizzle-orm";
import {
  boolean,
  getTableConfig,
  integer,
  jsonb,
  type PgTable,
  pgTable,
  text,
  timestamp,
  uuid,
} from "drizzle-orm/pg-core";
import type { Db } from "../../../db/client";
import type { StoredChecklistItem } from "../../../db/schema";
import type { CreateLabel } from "../../contract/task-labels";
import type { ImportedTemplate } from "../../contract/templates";
import type { CommitView } from "../../contract/views";

/*
 * What was read of an import file, in temporary tables of the one connection that imports: a file of any size fits, what belongs
 * together is joined there, and nothing is left of it when the import ends in whatever way. Columns are called as their keys.
 */

const moment = (name: string) => timestamp(name, { withTimezone: true, mode: "string" });
/** Its place in the file, from 1. */
const place = () => integer("place").notNull();

export const stagedPeople = pgTable("import_people", {
  place: place(),
  fileId: text("fileId").notNull(),
  id: uuid("id").notNull(),
  email: text("email").notNull(),
  name: text("name").notNull(),
  displayName: text("displayName"),
  username: text("username"),
  mobile: text("mobile"),
  age: integer("age"),
  address: text("address").notNull(),
  profileImgLink: text("profileImgLink"),
  agreeToTerms: boolean("agreeToTerms").notNull(),
  accountType: text("accountType").$type<AccountType>().notNull(),
  accountStatus: text("accountStatus").$type<AccountStatus>().notNull(),
  accessLevel: text("accessLevel"),
  createdAt: moment("createdAt").notNull(),
  erasedAt: moment("erasedAt"),
});

/** People of the file who are matched with accounts that are there. */
export const stagedMembers = pgTable("import_members", {
  place: place(),
  fileId: text("fileId").notNull(),
  name: text("name").notNull(),
  email: text("email"),
});

/** Whom each id of the file stands for. */
export const knownPeople = pgTable("import_known_people", {
  fileId: text("fileId").primaryKey(),
  userId: uuid("userId").notNull(),
});

export const stagedProjects = pgTable("import_projects", {
  place: place(),
  fileId: text("fileId").notNull(),
  id: uuid("id").notNull(),
  /** As the file has it: it may be taken here. */
  key: text("key"),
  /** The highest that it has given to a task, which may be gone. */
  lastTaskNumber: integer("lastTaskNumber"),
  title: text("title").notNull(),
  description: text("description").notNull(),
  status: text("status").$type<ProjectStatus>().notNull(),
  startDate: text("startDate").notNull(),
  dueDate: text("dueDate"),
  githubRepo: text("githubRepo"),
  liveLink: text("liveLink"),
  projectType: text("projectType"),
  clientCollaboration: boolean("clientCollaboration").notNull(),
  statusReminder: boolean("statusReminder").notNull(),
  commitView: jsonb("commitView").$type<CommitView>().notNull(),
  client: text("client"),
  clientPeople: jsonb("clientPeople").$type<string[]>().notNull(),
  clientName: text("clientName"),
  assignedTo: jsonb("assignedTo").$type<string[]>().notNull(),
  managers: jsonb("managers").$type<string[]>().notNull(),
  createdBy: text("createdBy"),
  createdAt: moment("createdAt").notNull(),
  updatedAt: moment("updatedAt").notNull(),
});

export const stagedTasks = pgTable("import_tasks", {
  place: place(),
  projectFileId: text("projectFileId").notNull(),
  fileId: text("fileId").notNull(),
  id: uuid("id").notNull(),
  /** As the file has it: it may be taken here. */
  number: integer("number"),
  /** Its turn among its project's tasks as people have put them, from 1. */
  order: integer("order"),
  title: text("title").notNull(),
  description: text("description").notNull(),
  status: text("status").$type<TaskStatus>().notNull(),
  statusBefore: text("statusBefore").$type<TaskStatus>(),
  dueDate: text("dueDate"),
  priority: text("priority").$type<TaskPriority>().notNull(),
  checklist: jsonb("checklist").$type<StoredChecklistItem[]>().notNull(),
  labels: jsonb("labels").$type<CreateLabel[]>().notNull(),
  assignedTo: jsonb("assignedTo").$type<string[]>().notNull(),
  createdBy: text("createdBy"),
  createdAt: moment("createdAt").notNull(),
  completedAt: moment("completedAt"),
  updatedAt: moment("updatedAt"),
});

export const stagedComments = pgTable("import_comments", {
  place: place(),
  projectFileId: text("projectFileId").notNull(),
  /** Null: about the project itself. */
  taskFileId: text("taskFileId"),
  fileId: text("fileId").notNull(),
  id: uuid("id").notNull(),
  author: text("author").notNull(),
  /** Of somebody who need not be known: the text then says it, and an admin stands for them. */
  authorName: text("authorName"),
  visibility: text("visibility").$type<Visibility>().notNull(),
  /** Empty once deleted. */
  text: text("text").notNull(),
  createdAt: moment("createdAt").notNull(),
  editedAt: moment("editedAt"),
  deletedAt: moment("deletedAt"),
});

export const stagedStatusUpdates = pgTable("import_status_updates", {
  place: place(),
  projectFileId: text("projectFileId").notNull(),
  fileId: text("fileId").notNull(),
  id: uuid("id").notNull(),
  author: text("author").notNull(),
  health: text("health").$type<(typeof PROJECT_HEALTHS)[number]>().notNull(),
  text: text("text").notNull(),
  sentAt: moment("sentAt").notNull(),
  upTo: moment("upTo"),
});

export const stagedTemplates = pgTable("import_templates", {
  place: place(),
  fileId: text("fileId").notNull(),
  id: uuid("id").notNull(),
  title: text("title").notNull(),
  content: jsonb("content").$type<ImportedTemplate>().notNull(),
  createdBy: text("createdBy"),
  createdAt: moment("createdAt").notNull(),
});

export const stagedRequests = pgTable("import_requests", {
  place: place(),
  projectFileId: text("projectFileId").notNull(),
  fileId: text("fileId").notNull(),
  id: uuid("id").notNull(),
  title: text("title").notNull(),
  text: text("text").notNull(),
  urgency: text("urgency").$type<(typeof REQUEST_URGENCIES)[number]>().notNull(),
  status: text("status").$type<RequestStatus>().notNull(),
  author: text("author").notNull(),
  createdAt: moment("createdAt").notNull(),
  turnSince: moment("turnSince").notNull(),
  decider: text("decider"),
  decidedAt: moment("decidedAt"),
  reason: text("reason"),
  taskFileId: text("taskFileId"),
  duplicateOfFileId: text("duplicateOfFileId"),
  conversationFileId: text("conversationFileId"),
  messageFileId: text("messageFileId"),
  thread: jsonb("thread").$type<StagedReply[]>().notNull(),
});

/** What was said about a request. */
export interface StagedReply {
  id: string;
  author: string;
  text: string;
  createdAt: string;
}

export const stagedSignOffs = pgTable("import_sign_offs", {
  place: place(),
  fileId: text("fileId").notNull(),
  id: uuid("id").notNull(),
  /** As the import keeps them, whether they are there or not: it outlives both. */
  projectId: uuid("projectId").notNull(),
  taskIds: jsonb("taskIds").$type<string[] | null>(),
  signer: text("signer").notNull(),
  note: text("note").notNull(),
  status: text("status").$type<SignOffStatus>().notNull(),
  record: jsonb("record").$type<unknown>().notNull(),
  asker: text("asker").notNull(),
  askedAt: moment("askedAt").notNull(),
  decider: text("decider"),
  decidedAt: moment("decidedAt"),
  reason: text("reason"),
  commitModeAtDeletion: text("commitModeAtDeletion").$type<CommitMode | null>(),
});

export const stagedConversations = pgTable("import_conversations", {
  place: place(),
  fileId: text("fileId").notNull(),
  id: uuid("id").notNull(),
  participants: jsonb("participants").$type<string[]>().notNull(),
  /** In whose place others have written there, who does now, and until when. */
  covered: text("covered"),
  cover: text("cover"),
  coverUntil: moment("coverUntil"),
  createdAt: moment("createdAt"),
  updatedAt: moment("updatedAt"),
});

/** Which conversation each id of the file stands for. */
export const knownConversations = pgTable("import_known_conversations", {
  fileId: text("fileId").primaryKey(),
  conversationId: uuid("conversationId").notNull(),
  /** When the first message without a time was written: before all others. */
  begunAt: moment("begunAt").notNull(),
});

export const stagedMessages = pgTable("import_messages", {
  place: place(),
  conversationFileId: text("conversationFileId").notNull(),
  fileId: text("fileId").notNull(),
  id: uuid("id").notNull(),
  sender: text("sender").notNull(),
  text: text("text").notNull(),
  /** Null before the first message of a conversation that has a time. */
  at: moment("at"),
  isRead: boolean("isRead").notNull(),
  kind: text("kind").$type<MessageKind>().notNull(),
  /** The task that it became. */
  projectFileId: text("projectFileId"),
  taskFileId: text("taskFileId"),
  linkedBy: text("linkedBy"),
  linkedAt: moment("linkedAt"),
  announcedAt: moment("announcedAt"),
  /** Who said that nothing up to it needs a reply, and when. */
  settledBy: text("settledBy"),
  settledAt: moment("settledAt"),
});

/** What hangs on a project, a task, a comment, a request or a message, or is the picture of a person. */
export const stagedFiles = pgTable("import_files", {
  place: place(),
  fileId: text("fileId").notNull(),
  id: uuid("id").notNull(),
  name: text("name").notNull(),
  /** Of its bytes, in the zip. */
  path: text("path").notNull(),
  uploader: text("uploader"),
  visibility: text("visibility").$type<Visibility>().notNull(),
  createdAt: moment("createdAt").notNull(),
  attachedAt: moment("attachedAt").notNull(),
  position: integer("position").notNull(),
  projectFileId: text("projectFileId"),
  taskFileId: text("taskFileId"),
  commentFileId: text("commentFileId"),
  requestFileId: text("requestFileId"),
  conversationFileId: text("conversationFileId"),
  messageFileId: text("messageFileId"),
  photoOfFileId: text("photoOfFileId"),
});

export const stagedNotes = pgTable("import_notes", {
  /** In what order they were taken. */
  place: place(),
  list: text("list").$type<"unmatched" | "changed">().notNull(),
  /** As the report has it, in JSON: text, since it may hold what a database refuses. */
  row: text("row").notNull(),
  sentence: text("sentence").notNull(),
});

const TABLES = [
  stagedPeople,
  stagedMembers,
  knownPeople,
  stagedProjects,
  stagedTasks,
  stagedComments,
  stagedStatusUpdates,
  stagedTemplates,
  stagedRequests,
  stagedSignOffs,
  stagedConversations,
  knownConversations,
  stagedMessages,
  stagedFiles,
  stagedNotes,
];
const PAGE = 1_000;

/**
 * Of the one connection that imports: what is staged stays in memory, a small sample of it is enough for the planner, and a batch
 * waits for no disk: what the last one has lost in a crash, the next import does.
 */
const SETTINGS = { temp_buffers: "64MB", work_mem: "32MB", default_statistics_target: "10", synchronous_commit: "off" };

/** Makes the tables, on this connection. */
export async function createStaging(db: Db): Promise<void> {
  for (const [name, value] of Object.entries(SETTINGS))
    await db.execute(sql`select set_config(${name}, ${value}, false)`);
  for (const table of TABLES) await db.execute(definitionOf(table));
}

/** Lets the planner know what was staged, and finds rows by their place. */
export async function indexStaging(db: Db): Promise<void> {
  for (const table of [stagedTasks, stagedComments, stagedRequests, stagedMessages])
    for (const column of ["id", "place"]) await db.execute(sql`create index on ${table} (${sql.identifier(column)})`);
  for (const table of TABLES) await db.execute(sql`analyze ${table}`);
}

/** What `read` returns of the rows after a place in the file, some hundred at a time and in that order. */
export async function* pages<Row extends { place: number }>(
  read: (after: number, limit: number) => PromiseLike<Row[]>,
): AsyncGenerator<Row[]> {
  let after = 0;
  for (;;) {
    const page = await read(after, PAGE);
    const last = page.at(-1);
    if (!last) return;
    yield page;
    after = last.place;
  }
}

function definitionOf(table: PgTable): SQL {
  const columns = getTableConfig(table).columns.map(
    (column) =>
      sql`${sql.identifier(column.name)} ${sql.raw(column.getSQLType())}${column.primary ? sql` primary key` : sql``}`,
  );
  return sql`create temporary table ${table} (${sql.join(columns, sql`, `)})`;
}
