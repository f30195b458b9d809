import { eq, sql } from "drizzle-orm";
import type { Db, Tx } from "./client";
import type { CommitMode } from "./client-enums";
import { recountTurns } from "./conversation-turns";
import type {
  AccountStatus,
  AccountType,
  MemberRole,
  ProjectStatus,
  SessionScope,
  TaskPriority,
  TaskStatus,
  Visibility,
} from "./enums";
import { appendedRank } from "./ranks";
import {
  accounts,
  comments,
  conversations,
  discussions,
  files,
  inquiries,
  labels,
  messages,
  projectMembers,
  projects,
  type StoredChecklistItem,
  sessions,
  taskAssignees,
  taskLabels,
  tasks,
  users,
} from "./schema";
import { taskTotals } from "./task-totals";
import { columnsOf, rowsOf } from "./writes";

/*
 * Rows for the demo organisation and for tests, written past the rules of the server: whoever calls them decides what is
 * plausible. Each returns the row as it was inserted.
 */

export type UserRow = typeof users.$inferSelect;
export type ProjectTableRow = typeof projects.$inferSelect;
export type TaskRow = typeof tasks.$inferSelect;
export type ConversationTableRow = typeof conversations.$inferSelect;
export type InquiryTableRow = typeof inquiries.$inferSelect;
export type FileTableRow = typeof files.$inferSelect;

let counter = 0;

function nextNumber(): number {
  counter += 1;
  return counter;
}

/**
 * A person, active unless said otherwise; without a name they get one of their own. The address counts as confirmed, without
 * proof, but for those who wait for approval.
 */
export async function makeUser(
  db: Db | Tx,
  {
    name = `Person ${nextNumber()}`,
    passwordHash,
    ...given
  }: {
    name?: string;
    email?: string;
    username?: string;
    mobile?: string;
    accountType?: AccountType;
    accountStatus?: AccountStatus;
    emailVerified?: boolean;
    emailPresumed?: boolean;
    createdAt?: Date;
    passwordHash?: string;
  } = {},
): Promise<UserRow> {
  const username = given.username ?? `person${nextNumber()}`;
  const [user] = await db
    .insert(users)
    .values(
      columnsOf(users, {
        name,
        displayName: name,
        username,
        email: given.email ?? `${username}@sangam.example`,
        mobile: given.mobile ?? "+91 98200 00000",
        accountType: given.accountType ?? "user",
        accountStatus: given.accountStatus ?? "active",
        emailVerified: given.emailVerified ?? false,
        emailPresumed: given.emailPresumed ?? given.accountStatus !== "pending",
        agreeToTerms: true,
        termsAcceptedAt: new Date(),
        termsVersion: "2026-11-22",
        ...(given.createdAt && { createdAt: given.createdAt }),
      }),
    )
    .returning();
  if (!user) throw new Error("no user was inserted");
  if (passwordHash) await makePasswords(db, { userIds: [user.id], passwordHash });
  return user;
}

/** The same password for all of them. */
export async function makePasswords(
  db: Db | Tx,
  { userIds, passwordHash: password }: { userIds: readonly string[]; passwordHash: string },
): Promise<void> {
  const rows = userIds.map((userId) => ({ userId, accountId: userId, providerId: "credential", password }));
  await db.insert(accounts).values(rowsOf(accounts, rows));
}

/** A session that is valid for so many hours, or ended so long ago. */
export async function makeSession(
  db: Db | Tx,
  {
    userId,
    expired = false,
    scope = "write",
    hours = 1,
    token = `token-${crypto.randomUUID()}`,
  }: { userId: string; expired?: boolean; scope?: SessionScope; hours?: number; token?: string },
): Promise<{ id: string; token: string }> {
  const [session] = await db
    .insert(sessions)
    .values({
      userId,
      scope,
      token,
      expiresAt: new Date(Date.now() + (expired ? -1 : 1) * hours * 3_600_000),
    })
    .returning({ id: sessions.id, token: sessions.token });
  if (!session) throw new Error("no session was inserted");
  return session;
}

/** A project; the creator is assigned unless `assignedTo` says otherwise. */
export async function makeProject(
  db: Db | Tx,
  given: {
    createdBy: string;
    title?: string;
    key?: string;
    description?: string;
    status?: ProjectStatus;
    startDate?: string;
    dueDate?: string | null;
    githubRepo?: string | null;
    repositoryId?: string | null;
    liveLink?: string | null;
    projectType?: string | null;
    clientId?: string | null;
    clientCollaboration?: boolean;
    commitMode?: CommitMode;
    maskedWords?: string[];
    clientPeople?: string[];
    assignedTo?: string[];
    managers?: string[];
    createdAt?: Date;
  },
): Promise<ProjectTableRow> {
  const { assignedTo = [given.createdBy], managers = [], clientPeople = [], ...columns } = given;
  const [project] = await db
    .insert(projects)
    .values(
      columnsOf(projects, {
        title: "A project",
        description: "What it is for.",
        startDate: "2026-11-01",
        ...columns,
        key: columns.key ?? `PR${nextNumber()}`,
      }),
    )
    .returning();
  if (!project) throw new Error("no project was inserted");
  const ofRole = (role: MemberRole, ids: string[]) =>
    ids.map((userId, position) => ({ projectId: project.id, userId, role, position }));
  const members = [
    ...ofRole("assigned", assignedTo),
    ...ofRole("manager", managers),
    ...ofRole("client", clientPeople),
  ];
  if (members.length > 0) await db.insert(projectMembers).values(rowsOf(projectMembers, members));
  return project;
}

/** A task under the project's next number. */
export async function makeTask(
  db: Db | Tx,
  {
    assignedTo = [],
    labelIds = [],
    ...given
  }: {
    projectId: string;
    createdBy: string;
    title?: string;
    priority?: TaskPriority;
    checklist?: StoredChecklistItem[];
    labelIds?: string[];
    description?: string;
    status?: TaskStatus;
    completedAt?: Date;
    dueDate?: string | null;
    assignedTo?: string[];
  },
): Promise<TaskRow> {
  const [counted] = await db
    .update(projects)
    .set({ lastTaskNumber: sql`${projects.lastTaskNumber} + 1` })
    .where(eq(projects.id, given.projectId))
    .returning({ number: projects.lastTaskNumber });
  if (!counted) throw new Error("a task needs a project");
  const [task] = await db
    .insert(tasks)
    .values(
      columnsOf(tasks, {
        title: "A task",
        description: "What to do.",
        ...given,
        number: counted.number,
        rank: appendedRank(counted.number),
        statusBefore: given.status === "completed" ? "todo" : null,
        completedAt: given.status === "completed" ? (given.completedAt ?? new Date()) : null,
      }),
    )
    .returning();
  if (!task) throw new Error("no task was inserted");
  if (labelIds.length > 0) {
    const rows = labelIds.map((labelId) => ({ taskId: task.id, labelId }));
    await db.insert(taskLabels).values(rowsOf(taskLabels, rows));
  }
  if (assignedTo.length > 0) {
    await db.insert(taskAssignees).values(
      rowsOf(
        taskAssignees,
        assignedTo.map((userId) => ({ taskId: task.id, userId })),
      ),
    );
  }
  await db.update(projects).set(columnsOf(projects, taskTotals)).where(eq(projects.id, given.projectId));
  return task;
}

/** The conversation of two people with its messages, oldest first; who is not named in `readSeqs` has read none. */
export async function makeConversation(
  db: Db | Tx,
  {
    between,
    messages: written,
    readSeqs = {},
  }: {
    between: [string, string];
    messages: { senderId: string; text?: string; createdAt?: Date }[];
    readSeqs?: Record<string, number>;
  },
): Promise<ConversationTableRow> {
  const [lowerUserId = "", higherUserId = ""] = between.toSorted();
  const dated = written.map((message) => ({ ...message, createdAt: message.createdAt ?? new Date() }));
  const [conversation] = await db
    .insert(conversations)
    .values({
      lowerUserId,
      higherUserId,
      lastSeq: written.length,
      lowerReadSeq: readSeqs[lowerUserId] ?? 0,
      higherReadSeq: readSeqs[higherUserId] ?? 0,
      createdAt: dated[0]?.createdAt ?? new Date(),
      updatedAt: dated.at(-1)?.createdAt ?? new Date(),
    })
    .returning();
  if (!conversation) throw new Error("no conversation was inserted");
  const rows = dated.map(({ senderId, text = "A message", createdAt }, index) => ({
    conversationId: conversation.id,
    seq: index + 1,
    senderId,
    clientMessageId: crypto.randomUUID(),
    text,
    createdAt,
  }));
  for (let at = 0; at < rows.length; at += 1_000)
    await db.insert(messages).values(rowsOf(messages, rows.slice(at, at + 1_000)));
  await recountTurns(db, eq(conversations.id, conversation.id));
  return conversation;
}

export async function makeLabel(
  db: Db | Tx,
  given: Partial<typeof labels.$inferInsert> = {},
): Promise<typeof labels.$inferSelect> {
  const [label] = await db
    .insert(labels)
    .values(columnsOf(labels, { name: `Label ${crypto.randomUUID()}`.slice(0, 40), colour: "grey", ...given }))
    .returning();
  if (!label) throw new Error("no label was inserted");
  return label;
}

/** The discussion of a task, or of a project itself, with its comments, oldest first; the team's unless said otherwise. Their ids. */
export async function makeComments(
  db: Db | Tx,
  {
    projectId,
    taskId = null,
    comments: written,
  }: {
    projectId: string;
    taskId?: string | null;
    comments: { authorId: string; text?: string; visibility?: Visibility; createdAt?: Date; mentions?: string[] }[];
  },
): Promise<string[]> {
  let lastClientSeq = 0;
  const rows = written.map(({ visibility = "team", text = "A comment", ...comment }, index) => {
    const clientSeq = visibility === "client" ? ++lastClientSeq : null;
    const numbers = { seq: index + 1, createdChange: index + 1, lastChange: index + 1 };
    const ofClients = { clientSeq, clientCreatedChange: clientSeq, clientLastChange: clientSeq };
    return { ...comment, visibility, text, ...numbers, ...ofClients, clientCommentId: crypto.randomUUID() };
  });
  const last = { lastSeq: rows.length, lastChange: rows.length, lastClientSeq, lastClientChange: lastClientSeq };
  const [discussion] = await db
    .insert(discussions)
    .values(columnsOf(discussions, { projectId, taskId, ...last }))
    .returning({ id: discussions.id });
  if (!discussion) throw new Error("no discussion was inserted");
  const ids: string[] = [];
  for (let at = 0; at < rows.length; at += 1_000) {
    const part = rows.slice(at, at + 1_000).map((row) => ({ discussionId: discussion.id, ...row }));
    const made = await db.insert(comments).values(rowsOf(comments, part)).returning({ id: comments.id });
    ids.push(...made.map(({ id }) => id));
  }
  return ids;
}

/** What a visitor wrote: a contact, unless `programme` makes it an application. */
export async function makeInquiry(
  db: Db | Tx,
  given: Partial<typeof inquiries.$inferInsert> = {},
): Promise<InquiryTableRow> {
  const ofKind = given.programme
    ? { kind: "application" as const, phone: "+91 98200 00000", message: "" }
    : { kind: "contact" as const, subject: "project" as const, message: "We need a portal." };
  const [inquiry] = await db
    .insert(inquiries)
    .values(columnsOf(inquiries, { name: "A visitor", email: "visitor@firm.example", ...ofKind, ...given }))
    .returning();
  if (!inquiry) throw new Error("no inquiry was inserted");
  return inquiry;
}

/** An uploaded file whose bytes are nowhere; attached when it says to what. */
export async function makeFile(
  db: Db | Tx,
  file: Partial<typeof files.$inferInsert> & { uploadedBy: string },
): Promise<FileTableRow> {
  const hash = nextNumber().toString(16).padStart(64, "0");
  const isAttached = Boolean(file.projectId ?? file.messageId);
  const [row] = await db
    .insert(files)
    .values(
      columnsOf(files, {
        name: "plan.txt",
        size: 5,
        type: "text/plain",
        hash,
        attachedAt: isAttached ? new Date() : null,
        ...file,
      }),
    )
    .returning();
  if (!row) throw new Error("no file was inserted");
  return row;
}
