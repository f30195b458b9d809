import { sql } from "drizzle-orm";
import { boolean, check, index, integer, pgEnum, pgTable, primaryKey, text, unique, uuid } from "drizzle-orm/pg-core";
import { NOTIFICATION_KINDS, NOTIFICATION_MAILS } from "../event-kinds";
import { sessions, users } from "./auth";
import { conversations } from "./chat";
import { instant } from "./columns";
import { comments } from "./comments";
import { inquiries } from "./inquiries";
import { projects } from "./projects";
import { requests } from "./requests";
import { signOffs } from "./sign-offs";
import { tasks } from "./tasks";

export const notificationMailEnum = pgEnum("notification_mail", NOTIFICATION_MAILS);

/**
 * Something that one person is told about a subject. Written in the transaction of the change; goes with its subject. What it
 * says is made when it is read, so that names and titles are the present ones.
 */
export const notifications = pgTable(
  "notifications",
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text({ enum: NOTIFICATION_KINDS }).notNull(),
    /** What it was caused by, so that nobody is notified of it twice, such as `comment:<id>` or `due-soon:<task>:<day>`. */
    cause: text().notNull(),
    projectId: uuid().references(() => projects.id, { onDelete: "cascade" }),
    taskId: uuid().references(() => tasks.id, { onDelete: "cascade" }),
    commentId: uuid().references(() => comments.id, { onDelete: "cascade" }),
    conversationId: uuid().references(() => conversations.id, { onDelete: "cascade" }),
    inquiryId: uuid().references(() => inquiries.id, { onDelete: "cascade" }),
    requestId: uuid().references(() => requests.id, { onDelete: "cascade" }),
    signOffId: uuid().references(() => signOffs.id, { onDelete: "cascade" }),
    /** The person it is about, such as who waits for approval. */
    personId: uuid().references(() => users.id, { onDelete: "cascade" }),
    /** Who caused it; null for the server itself. */
    actorId: uuid().references(() => users.id, { onDelete: "set null" }),
    /** What the present rows do not say, such as the status that a project was given. */
    details: text(),
    /** Whether the inbox shows it; false where only a mail is wanted. */
    inApp: boolean().notNull().default(true),
    createdAt: instant().notNull().defaultNow(),
    readAt: instant(),
    /** When it is to be mailed, unless it was read by then; null where no mail is wanted, or once it is decided. */
    mailDueAt: instant(),
    /** When it is to be pushed to browsers; null where none is wanted, or once it is done. */
    pushDueAt: instant(),
  },
  (t) => [
    unique("notifications_cause_unique").on(t.userId, t.cause),
    index("notifications_user_idx").on(t.userId, t.createdAt, t.id),
    index("notifications_unread_idx").on(t.userId).where(sql`${t.readAt} is null`),
    index("notifications_mail_idx").on(t.mailDueAt).where(sql`${t.mailDueAt} is not null`),
    index("notifications_push_idx").on(t.pushDueAt).where(sql`${t.pushDueAt} is not null`),
    index("notifications_project_idx").on(t.projectId),
    index("notifications_task_idx").on(t.taskId),
    index("notifications_comment_idx").on(t.commentId),
    index("notifications_request_idx").on(t.requestId),
    index("notifications_sign_off_idx").on(t.signOffId),
  ],
);

/** What a person has chosen for a kind; without a row the defaults hold (server/contract/notifications.ts). */
export const notificationPreferences = pgTable(
  "notification_preferences",
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    kind: text({ enum: NOTIFICATION_KINDS }).notNull(),
    inApp: boolean().notNull(),
    mail: notificationMailEnum().notNull(),
  },
  (t) => [primaryKey({ columns: [t.userId, t.kind] })],
);

/** What a person's mails carry so that they can be turned off without signing in; made by the first of them. */
export const unsubscribeKeys = pgTable("unsubscribe_keys", {
  userId: uuid()
    .primaryKey()
    .references(() => users.id, { onDelete: "cascade" }),
  key: uuid().notNull().unique().defaultRandom(),
});

/** Who follows a project or a task, or has stopped following it; without a row, taking part decides. */
export const follows = pgTable(
  "follows",
  {
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    projectId: uuid()
      .notNull()
      .references(() => projects.id, { onDelete: "cascade" }),
    /** Null: the project itself. */
    taskId: uuid().references(() => tasks.id, { onDelete: "cascade" }),
    isFollowing: boolean().notNull(),
  },
  (t) => [
    unique("follows_subject_unique").on(t.projectId, t.taskId, t.userId).nullsNotDistinct(),
    index("follows_user_idx").on(t.userId),
    index("follows_task_idx").on(t.taskId),
  ],
);

/** Browsers that take pushes. Goes with the session that asked for it. */
export const pushSubscriptions = pgTable(
  "push_subscriptions",
  {
    id: uuid().primaryKey().defaultRandom(),
    userId: uuid()
      .notNull()
      .references(() => users.id, { onDelete: "cascade" }),
    sessionId: uuid()
      .notNull()
      .references(() => sessions.id, { onDelete: "cascade" }),
    endpoint: text().notNull().unique(),
    p256dh: text().notNull(),
    auth: text().notNull(),
    createdAt: instant().notNull().defaultNow(),
  },
  (t) => [index("push_subscriptions_user_idx").on(t.userId), index("push_subscriptions_session_idx").on(t.sessionId)],
);

/** The organisation's key pair for Web Push; one row, made when it is first asked for. */
export const pushKeys = pgTable(
  "push_keys",
  {
    id: integer().primaryKey().default(1),
    publicKey: text().notNull(),
    /** Encrypted, as the repository token is. */
    sealedPrivateKey: text().notNull(),
    /** The id of the key that encrypted it. */
    keyId: text().notNull().default(""),
  },
  (t) => [check("push_keys_single", sql`${t.id} = 1`)],
);
