import { createHash } from "node:crypto";
import { and, eq } from "drizzle-orm";
import type { AuditDetailsOf } from "./audit-details";
import type { Db, Tx } from "./client";
import { seedComments } from "./demo-comments";
import { DEMO_COMMITS, type DemoCommit } from "./demo-commits";
import { DEMO_CONVERSATIONS, type DemoConversation } from "./demo-conversations";
import { type DemoContent, demoContents, seedFiles } from "./demo-files";
import { DEMO_INQUIRIES, type DemoInquiry } from "./demo-inquiries";
import { seedLiveLinks } from "./demo-live-links";
import { seedNotifications } from "./demo-notifications";
import { DEMO_PEOPLE, type DemoPersonName } from "./demo-people";
import { DEMO_LABELS, type DemoProject } from "./demo-project-shape";
import { DEMO_PROJECTS } from "./demo-projects";
import { seedRequests } from "./demo-requests";
import { seedSignOffs } from "./demo-sign-offs";
import { seedTemplate } from "./demo-template";
import { DEMO_OWNER, type ProjectStatus } from "./enums";
import { makeConversation, makeInquiry, makeLabel, makePasswords, makeProject, makeTask, makeUser } from "./factories";
import { makeRepository } from "./repository-factory";
import {
  auditEvents,
  conversations,
  lastVisits,
  messages,
  messageTasks,
  projectEvents,
  projects,
  statusUpdates,
  tasks,
  users,
} from "./schema";
import type { StoredChange } from "./schema/history";
import { rowsOf } from "./writes";

const DEMO_PASSWORD = "sangam-demo";
/** Everybody was here last so long ago: "Since Saturday: 2 tasks done, 3 messages". */
const DAYS_AWAY = 2;

/** What `npm start` prints so that a newcomer can sign in. */
export const DEMO_ACCOUNTS = DEMO_PEOPLE.map(({ accountType, email }) => ({
  accountType,
  email,
  password: DEMO_PASSWORD,
}));

/**
 * Fills an empty database with the demo organisation: people of every type and status, twelve projects over all statuses,
 * a template, tasks, due dates that lie around today, commits that name some tasks, conversations with something
 * unread, files, requests of clients in every state, inboxes, inquiries of each kind and status, and the audit of who decided about whom. A database that has anyone in it stays as it is.
 */
export async function seedDemo({
  db,
  hashPassword,
  storeContents,
}: {
  db: Db;
  hashPassword: (password: string) => Promise<string>;
  storeContents: (contents: readonly DemoContent[]) => Promise<void>;
}): Promise<void> {
  const [anyone] = await db.select({ id: users.id }).from(users).limit(1);
  if (anyone) return;
  // Whoever starts a demo waits for it: this goes on beside the rows, and rows that do not need each other are sent together.
  const besideRows = Promise.all([hashPassword(DEMO_PASSWORD), storeContents(demoContents())]);
  // It is awaited late: until then nobody would catch a failure.
  besideRows.catch(() => undefined);
  await db.transaction(async (tx) => {
    const people = DEMO_PEOPLE.map(async ({ joinedDaysAgo, ...person }) => {
      const createdAt = daysFromNow(-joinedDaysAgo);
      const { id } = await makeUser(tx, { ...person, emailPresumed: true, createdAt });
      return [person.username, id] as const;
    });
    const ids = new Map<DemoPersonName, string>(await Promise.all(people));
    const idOf = (name: DemoPersonName) => {
      const id = ids.get(name);
      if (!id) throw new Error(`the demo has no ${name}`);
      return id;
    };
    const labelIds = new Map<string, string>();
    for (const label of DEMO_LABELS) labelIds.set(label.name, (await makeLabel(tx, label)).id);
    await seedTemplate(tx, { idOf, labelIds });
    const events = DEMO_PROJECTS.map((project, index) => seedProject(tx, { project, index, idOf, labelIds }));
    const history = (await Promise.all(events)).flat();
    // A history is read by its numbers, so that they must rise with time.
    await tx.insert(projectEvents).values(
      rowsOf(
        projectEvents,
        history.sort((one, other) => one.at.valueOf() - other.at.valueOf()),
      ),
    );
    await seedLiveLinks(tx);
    await seedComments(tx, idOf);
    await seedRequests(tx, idOf);
    await seedSignOffs(tx, idOf);
    await Promise.all(DEMO_CONVERSATIONS.map((conversation) => seedConversation(tx, { conversation, idOf })));
    await seedFiles(tx, idOf);
    const decided = await Promise.all(DEMO_INQUIRIES.map((inquiry) => seedInquiry(tx, { inquiry, idOf })));
    const audited = [...decisionsOf(idOf), ...decided.flat()];
    await tx.insert(auditEvents).values(
      rowsOf(
        auditEvents,
        audited.sort((one, other) => one.at.valueOf() - other.at.valueOf()),
      ),
    );
    await seedNotifications(tx, idOf);
    // Before the commit: a file that is there and not named is swept, one that is named and not there would stay missing.
    const [passwordHash] = await besideRows;
    await makePasswords(tx, { userIds: [...ids.values()], passwordHash });
    await tx.insert(lastVisits).values(
      rowsOf(
        lastVisits,
        [...ids.values()].map((userId) => ({ userId, seenUpTo: daysFromNow(-DAYS_AWAY) })),
      ),
    );
  });
}

/** Who let whom in, an hour after they signed up; the two admins were there from the first day. */
function decisionsOf(idOf: (name: DemoPersonName) => string): DemoAuditEvent[] {
  return DEMO_PEOPLE.flatMap(({ username, accountType, accountStatus, joinedDaysAgo }): DemoAuditEvent[] => {
    const subjectId = idOf(username);
    const at = new Date(daysFromNow(-joinedDaysAgo).valueOf() + HOUR_MS);
    if (accountType === "admin") return [{ kind: "account.made-admin", actorId: null, subjectId, at }];
    if (accountStatus === "rejected") return [{ kind: "account.rejected", actorId: idOf("vikram"), subjectId, at }];
    if (accountStatus === "pending") return [];
    return [{ kind: "account.approved", actorId: idOf("asha"), subjectId, details: { accountType }, at }];
  });
}

/** Inserts the inquiry; returns what the audit records of it. */
async function seedInquiry(
  tx: Tx,
  { inquiry, idOf }: { inquiry: DemoInquiry; idOf: (name: DemoPersonName) => string },
): Promise<DemoAuditEvent[]> {
  const { hoursAgo, decided, ...columns } = inquiry;
  const hoursBefore = (hours: number) => new Date(Date.now() - hours * HOUR_MS);
  const decision = decided && { decidedBy: idOf(decided.by), decidedAt: hoursBefore(decided.hoursAgo) };
  const { id } = await makeInquiry(tx, { ...columns, createdAt: hoursBefore(hoursAgo), ...decision });
  if (!decision) return [];
  const details: AuditDetailsOf<"inquiry.status-changed"> = { from: "new", to: inquiry.status };
  const { decidedBy: actorId, decidedAt: at } = decision;
  return [{ kind: "inquiry.status-changed", actorId, subjectId: id, details, at }];
}

async function seedProject(
  tx: Tx,
  {
    project,
    index,
    idOf,
    labelIds,
  }: {
    project: DemoProject;
    index: number;
    idOf: (name: DemoPersonName) => string;
    labelIds: ReadonlyMap<string, string>;
  },
): Promise<DemoEvent[]> {
  const {
    createdBy,
    client,
    clientPeople = [],
    assigned,
    managers,
    startsInDays,
    dueInDays,
    tasks,
    statusUpdates: sent = [],
    ...columns
  } = project;
  // The first of the list is the newest on the board.
  const createdAt = daysFromNow(startsInDays - 1, index);
  const row = await makeProject(tx, {
    ...columns,
    createdBy: idOf(createdBy),
    clientId: client ? idOf(client) : null,
    clientPeople: clientPeople.map(idOf),
    assignedTo: assigned.map(idOf),
    managers: managers.map(idOf),
    startDate: dayFromNow(startsInDays),
    dueDate: dueInDays === null ? null : dayFromNow(dueInDays),
    repositoryId: await seedRepository(tx, project),
    createdAt,
  });
  const history: DemoEvent[] = [
    { projectId: row.id, actorId: row.createdBy, kind: "project.created", at: pastInstant(createdAt) },
  ];
  for (const [
    at,
    { by, dueInDays: taskDueInDays, labels = [], checklist = [], done = 0, ...task },
  ] of tasks.entries()) {
    const addedAt = pastInstant(createdAt, 26 * (at + 1));
    const completedAt = lately(addedAt, { project: index, task: at, isOver: row.status === "completed" });
    const made = await makeTask(tx, {
      ...task,
      labelIds: labels.flatMap((name) => labelIds.get(name) ?? []),
      checklist: checklist.map((text, item) => ({ id: crypto.randomUUID(), text, done: item < done })),
      completedAt,
      projectId: row.id,
      createdBy: idOf(by),
      assignedTo: [idOf(by)],
      dueDate: taskDueInDays === undefined ? null : dayFromNow(taskDueInDays),
    });
    const taskOf = { taskId: made.id, taskNumber: made.number, taskTitle: made.title };
    const about = { projectId: row.id, actorId: idOf(by), ...taskOf };
    history.push({ ...about, kind: "task.created", at: addedAt });
    if (task.status === "completed") history.push({ ...about, kind: "task.completed", at: completedAt });
  }
  if (row.status !== "todo") {
    const changes: StoredChange[] = [{ field: "status", from: "todo" satisfies ProjectStatus, to: row.status }];
    history.push({
      projectId: row.id,
      actorId: row.createdBy,
      kind: "project.updated",
      changes,
      at: pastInstant(createdAt, 30 + 11 * index),
    });
  }
  const updates = sent.map(({ by, daysAgo, ...update }) => ({
    ...{ ...update, projectId: row.id, authorId: idOf(by) },
    sentAt: pastInstant(daysFromNow(-daysAgo)),
  }));
  if (updates.length > 0) await tx.insert(statusUpdates).values(rowsOf(statusUpdates, updates));
  const latest = Math.max(...history.map(({ at }) => at.valueOf()));
  await tx
    .update(projects)
    .set({ updatedAt: new Date(latest) })
    .where(eq(projects.id, row.id));
  return history;
}

/** The repository that the project links to, with its commits; null without a link. */
async function seedRepository(tx: Tx, { githubRepo, key }: DemoProject): Promise<string | null> {
  const [, fullName, name = ""] = /github\.com\/([^/]+\/([^/]+))$/.exec(githubRepo ?? "") ?? [];
  if (!fullName?.startsWith(`${DEMO_OWNER}/`)) return null;
  const commits = (DEMO_COMMITS[name] ?? []).map((commit, index) => seededCommit({ commit, index, fullName, key }));
  return (await makeRepository(tx, { fullName, commits })).id;
}

function seededCommit({
  commit: { message, by, hoursAgo, tasks = [], closes = [] },
  index,
  fullName,
  key,
}: {
  commit: DemoCommit;
  index: number;
  fullName: string;
  key: string;
}) {
  const sha = createHash("sha1").update(`${fullName} ${index}`).digest("hex");
  const name = (taskNumber: number, isClosed: boolean) => ({ projectKey: key, taskNumber, closes: isClosed });
  return {
    sha,
    message,
    htmlUrl: `https://github.com/${fullName}/commit/${sha}`,
    authorName: DEMO_PEOPLE.find(({ username }) => username === by)?.name ?? by,
    authorLogin: `${by}-demo`,
    authoredAt: new Date(Date.now() - hoursAgo * 3_600_000),
    mentions: [...tasks.map((number) => name(number, false)), ...closes.map((number) => name(number, true))],
  };
}

async function seedConversation(
  tx: Tx,
  {
    conversation: { between, messages: written, unread, cover },
    idOf,
  }: { conversation: DemoConversation; idOf: (name: DemoPersonName) => string },
): Promise<void> {
  const [one, other] = between;
  const readSeq = (name: DemoPersonName) => written.length - (unread[name] ?? 0);
  const { id, lastSeq } = await makeConversation(tx, {
    between: [idOf(one), idOf(other)],
    messages: written.map(({ by, text, minutesAgo }) => ({
      senderId: idOf(by),
      text,
      createdAt: new Date(Date.now() - minutesAgo * 60_000),
    })),
    readSeqs: { [idOf(one)]: readSeq(one), [idOf(other)]: readSeq(other) },
  });
  // A fresh start writes no mails about what was never sent.
  await tx
    .update(conversations)
    .set({ lowerMailedSeq: lastSeq, higherMailedSeq: lastSeq })
    .where(eq(conversations.id, id));
  for (const [at, { task }] of written.entries()) {
    if (task !== undefined) await linkMessage(tx, { conversationId: id, seq: at + 1, task, createdBy: idOf(one) });
  }
  if (cover) {
    const coverUntil = daysFromNow(cover.forDays);
    await tx
      .update(conversations)
      .set({ coverUserId: idOf(cover.by), coveredUserId: idOf(cover.inPlaceOf), coverUntil })
      .where(eq(conversations.id, id));
  }
}

/** One of each conversation. */
async function linkMessage(
  tx: Tx,
  { conversationId, seq, task, createdBy }: { conversationId: string; seq: number; task: string; createdBy: string },
): Promise<void> {
  const [message] = await tx
    .select({ id: messages.id })
    .from(messages)
    .where(and(eq(messages.conversationId, conversationId), eq(messages.seq, seq)));
  const [found] = await tx.select({ id: tasks.id }).from(tasks).where(eq(tasks.title, task));
  if (!message || !found) throw new Error(`the demo has no task ${task}`);
  await tx
    .insert(messageTasks)
    .values({ messageId: message.id, conversationId, taskId: found.id, createdBy, lastChange: 1 });
  await tx.update(conversations).set({ lastLinkChange: 1 }).where(eq(conversations.id, conversationId));
}

const HOUR_MS = 3_600_000;

type DemoAuditEvent = typeof auditEvents.$inferInsert & { at: Date };

type DemoEvent = typeof projectEvents.$inferInsert & { at: Date };

/** Within the last nine days for what is under way, so that the firm looks alive; soon after for what is over. */
function lately(addedAt: Date, of: { project: number; task: number; isOver: boolean }): Date {
  if (of.isOver) return pastInstant(addedAt, 40);
  const hoursAgo = 2 + ((of.project * 37 + of.task * 53) % 210);
  return new Date(Math.max(addedAt.valueOf(), Date.now() - hoursAgo * 3_600_000));
}

/** Some hours after, and always a while ago. */
function pastInstant(instant: Date, hoursLater = 0): Date {
  const hourMs = 3_600_000;
  const latest = Date.now() - ((hoursLater % 47) + 1) * hourMs;
  return new Date(Math.min(instant.valueOf() + hoursLater * hourMs, latest));
}

function daysFromNow(days: number, minutesEarlier = 0): Date {
  return new Date(Date.now() + days * 86_400_000 - minutesEarlier * 60_000);
}

function dayFromNow(days: number): string {
  return daysFromNow(days).toISOString().slice(0, 10);
}
