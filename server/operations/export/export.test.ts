import { randomUUID } from "node:crypto";
import { mkdir, mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { asc, eq, getTableColumns, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  makeComments,
  makeConversation,
  makeLabel,
  makeProject,
  makeSession,
  makeTask,
  makeUser,
  type UserRow,
} from "../../../db/factories";
import {
  accounts,
  auditEvents,
  comments,
  conversationSettlements,
  conversations,
  discussions,
  inquiries,
  labels,
  messages,
  messageTasks,
  projectMembers,
  projects,
  projectTemplates,
  requestReplies,
  requests,
  sessions,
  signOffs,
  statusUpdates,
  taskAssignees,
  taskLabels,
  tasks,
  users,
} from "../../../db/schema";
import { makeSignOff } from "../../../db/sign-off-factory";
import { createDiskStore } from "../../files/disk-store";
import { listReplyTimes } from "../../overview/queries";
import { createTestDatabase, type TestDatabase } from "../../test/db";
import { intakeBelow } from "../../test/import-file";
import { startLiveServer } from "../../test/live-server";
import { sessionCookie } from "../../test/session-cookie";
import { erasePerson } from "../../users/mutations";
import { openArchive } from "../archive";
import { runImportCommand } from "../import/command";
import { runExportCommand } from "./command";
import { CLOSED_TABLES, OPEN_TABLES } from "./write";

let database: TestDatabase;
let folder: string;
let asha: UserRow;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "sangam-export-"));
  await mkdir(join(folder, "files"));
  await writeFile(join(folder, "files", "drawing.svg"), "<svg/>");
  const { db } = database;
  asha = await makeUser(db, { accountType: "admin", name: "Asha Rao", passwordHash: "hash-of-a-password" });
  const rohan = await makeUser(db, { name: 'Rohan, "R"\nSingh'.replace("\n", " ") });
  const meera = await makeUser(db, { accountType: "client" });
  const colleague = await makeUser(db, { accountType: "client" });
  const gone = await makeUser(db, { name: "Gone Person" });
  const project = await makeProject(db, {
    ...{ createdBy: rohan.id, clientId: meera.id, assignedTo: [rohan.id, asha.id], managers: [asha.id] },
    title: "Harbour",
    clientCollaboration: true,
    clientPeople: [colleague.id],
  });
  await db.insert(statusUpdates).values([
    { projectId: project.id, authorId: gone.id, health: "at-risk", text: "₹ first" },
    { projectId: project.id, authorId: asha.id, health: "on-track", text: "One\nline" },
  ]);
  await db.update(projects).set({ statusReminder: true, commitMode: "counts", maskedWords: ["Acme", 'Ü, "quoted"'] });
  const label = await makeLabel(db, { name: "Design", colour: "blue" });
  // Programs and databases don't agree on their small letters.
  const capitals = [await makeLabel(db, { name: "İnceleme" }), await makeLabel(db, { name: "ΕΛΕΓΧΟΣ" })];
  const open = await makeTask(db, {
    ...{ projectId: project.id, createdBy: rohan.id, title: "Open", assignedTo: [rohan.id, gone.id] },
    ...{ priority: "high", labelIds: [label.id], checklist: [{ id: randomUUID(), text: "Read it", done: true }] },
  });
  const task = {
    ...{ title: "Sketch", description: "On paper.", priority: "high", dueAfterDays: -2, checklist: ["Read it"] },
    ...{ labelIds: [label, ...capitals].map(({ id }) => id), assignedTo: [gone.id, rohan.id] },
  };
  const content = {
    ...{
      description: "₹ for all",
      projectType: "Portal",
      dueAfterDays: 30,
      commitMode: "counts",
      maskedWords: ["Acme"],
    },
    ...{ clientCollaboration: true, statusReminder: true, assignedTo: [rohan.id], managers: [asha.id], tasks: [task] },
  };
  await db.insert(projectTemplates).values({ title: "Portal", content, createdBy: asha.id });
  await makeComments(db, {
    projectId: project.id,
    comments: [{ authorId: rohan.id, text: `Ask @[](person:${asha.id})`, mentions: [asha.id] }],
  });
  await makeComments(db, {
    ...{ projectId: project.id, taskId: open.id },
    comments: [
      { authorId: gone.id, text: "First\n> quoted", visibility: "client" },
      { authorId: asha.id, text: "For us" },
      { authorId: meera.id, text: "₹ 😀", visibility: "client" },
    ],
  });
  await makeTask(db, { projectId: project.id, createdBy: asha.id, title: "Done", status: "completed" });
  await makeProject(db, { createdBy: gone.id, title: "Empty" });
  await makeConversation(db, {
    between: [asha.id, meera.id],
    messages: [
      { senderId: asha.id, text: "One\nline" },
      { senderId: meera.id, text: "₹ 😀" },
      { senderId: asha.id, text: "Unread" },
    ],
    readSeqs: { [meera.id]: 1, [asha.id]: 2 },
  });
  await coverConversation(open.id);
  await settleConversation();
  await fillRequests({ projectId: project.id, taskId: open.id, clientId: meera.id, goneId: gone.id });
  const asked = { projectId: project.id, signerId: meera.id, askedBy: rohan.id };
  await makeSignOff(db, { ...asked, note: "₹ 😀\nTwo lines" });
  // Of a project that is gone.
  const decision = {
    status: "approved",
    decidedBy: meera.id,
    decidedAt: new Date("2026-11-20T10:00:00.123Z"),
  } as const;
  const { id } = await makeSignOff(db, { ...asked, ...decision });
  await db.update(signOffs).set({ projectId: randomUUID(), commitModeAtDeletion: "counts" }).where(eq(signOffs.id, id));
  await erasePerson(db, { userId: gone.id, by: { ...asha, displayName: "Asha" } });
  await db
    .insert(inquiries)
    .values({ kind: "contact", name: "=1+1", email: "a@b.example", subject: "other", message: "m" });
  await makeSession(db, { userId: asha.id });
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

/** Somebody writes for Asha, Meera's message became a task, and the conversation says that it is completed. */
async function coverConversation(taskId: string): Promise<void> {
  const { db } = database;
  const vikram = await makeUser(db, { accountType: "admin" });
  const [conversation] = await db.select().from(conversations);
  if (!conversation) throw new Error("no conversation");
  const conversationId = conversation.id;
  const until = { coverUserId: vikram.id, coverUntil: new Date("2099-01-01T00:00:00.123Z"), coveredUserId: asha.id };
  await db.update(conversations).set({ ...until, lastSeq: 5, lastLinkChange: 1 });
  const common = { conversationId, kind: "text" as const, createdAt: new Date() };
  await db.insert(messages).values([
    { ...common, seq: 4, senderId: vikram.id, clientMessageId: randomUUID(), text: "For Asha" },
    { ...common, seq: 5, senderId: asha.id, clientMessageId: randomUUID(), text: "Done", kind: "system" },
  ]);
  const [message] = await db.select().from(messages).where(eq(messages.text, "₹ 😀"));
  const linked = { messageId: message?.id ?? "", conversationId, taskId, createdBy: asha.id, lastChange: 1 };
  await db.insert(messageTasks).values({ ...linked, announcedAt: new Date("2026-11-20T08:00:00.123Z") });
}

/** What Meera wrote needed no reply, and nothing that was written after it does: nobody's turn, and no answer. */
async function settleConversation(): Promise<void> {
  const { db } = database;
  const [conversation] = await db.select({ id: conversations.id }).from(conversations);
  const settled = { conversationId: conversation?.id ?? "", settledBy: asha.id };
  await db.insert(conversationSettlements).values([
    { ...settled, upToSeq: 2, settledAt: new Date("2026-11-20T08:00:00.123Z") },
    { ...settled, upToSeq: 5, settledAt: new Date("2026-11-21T08:00:00.456Z") },
  ]);
  await db.update(conversations).set({ turnOwes: "nobody", turnSeq: 0 });
}

/** One in every state, with who is erased in their threads; the one that another is a duplicate of comes behind it. */
async function fillRequests(of: { projectId: string; taskId: string; clientId: string; goneId: string }) {
  const { db } = database;
  const [message] = await db.select().from(messages).where(eq(messages.senderId, of.clientId));
  const made = { projectId: of.projectId, createdBy: of.clientId, text: "₹ 😀\nand a line", urgency: "high" as const };
  const decided = { decidedBy: asha.id, decidedAt: new Date("2026-11-20T08:00:00.123Z") };
  const original = { ...made, id: "ffffffff-0000-4000-8000-000000000000", title: "New", messageId: message?.id };
  const asked = { ...made, title: "Asked", status: "asked" as const, turnSince: new Date("2026-11-19T08:00:00Z") };
  const rows = await db
    .insert(requests)
    .values([
      original,
      asked,
      { ...made, ...decided, title: "Accepted", status: "accepted", taskId: of.taskId },
      { ...made, ...decided, title: "Declined", status: "declined", reason: "Not\nnow" },
      { ...made, ...decided, title: "Duplicate", status: "duplicate", duplicateOf: original.id },
    ])
    .returning({ id: requests.id });
  const requestId = rows[1]?.id ?? "";
  await db.insert(requestReplies).values([
    { requestId, authorId: of.goneId, text: "Which one?", createdAt: new Date("2026-11-18T08:00:00Z") },
    { requestId, authorId: of.clientId, text: "Both", createdAt: new Date("2026-11-18T09:00:00Z") },
  ]);
}

const exportTo = (file: string) =>
  runExportCommand({
    args: [file],
    folder,
    connection: database.connection,
    store: createDiskStore(join(folder, "files")),
  });

async function contentsOf(path: string): Promise<Map<string, string>> {
  const archive = await openArchive(path);
  const contents = new Map<string, string>();
  for (const name of archive.names) contents.set(name, await text(await archive.read(name)));
  archive.close();
  return contents;
}

/** Labels have other ids in another organisation: by name. */
async function templatesOf(db: TestDatabase["db"]) {
  const known = await db.select().from(labels);
  const stored = await db
    .select({
      ...{ id: projectTemplates.id, title: projectTemplates.title, by: projectTemplates.createdBy },
      at: projectTemplates.createdAt,
      content: sql<string>`${projectTemplates.content}::text`,
    })
    .from(projectTemplates);
  return stored.map(({ content, ...row }) => ({
    ...row,
    content: known.reduce((text, { id, name }) => text.replace(id, name), content),
  }));
}

test("an export imported into an empty organisation gives the same: nothing is left out and nothing changed", async () => {
  expect(await exportTo("all.zip")).toMatchObject({ ok: true });
  const target = await createTestDatabase();
  const { ok, sentence } = await runImportCommand({
    ...{ args: ["all.zip"], folder, connection: target.connection },
    ...{ show: () => {}, ask: null, timeZone: "UTC", intake: intakeBelow(join(folder, "target")) },
  });
  expect(sentence).toContain(
    "Imported 6 users, 2 projects, 2 tasks, 4 comments, 2 status updates, 5 requests, 2 sign-offs, 1 templates, 1 conversations, 5 messages.",
  );
  expect(sentence).toContain("Not matched: 0; changed: 0.");
  expect(ok).toBe(true);
  const rowsOf = async ({ db }: TestDatabase) => ({
    users: await db
      .select({
        id: users.id,
        name: users.name,
        email: users.email,
        type: users.accountType,
        status: users.accountStatus,
        username: users.username,
      })
      .from(users)
      .orderBy(asc(users.id)),
    projects: await db
      .select({
        id: projects.id,
        title: projects.title,
        client: projects.clientId,
        by: projects.createdBy,
        due: projects.dueDate,
        total: projects.taskCount,
        collaboration: projects.clientCollaboration,
        reminder: projects.statusReminder,
        mode: projects.commitMode,
        masked: projects.maskedWords,
      })
      .from(projects)
      .orderBy(asc(projects.id)),
    members: await db.select().from(projectMembers).orderBy(asc(projectMembers.userId), asc(projectMembers.role)),
    tasks: await db
      .select({
        ...{ id: tasks.id, number: tasks.number, title: tasks.title, status: tasks.status },
        ...{ priority: tasks.priority, checklist: tasks.checklist, label: labels.name, colour: labels.colour },
      })
      .from(tasks)
      .leftJoin(taskLabels, eq(taskLabels.taskId, tasks.id))
      .leftJoin(labels, eq(labels.id, taskLabels.labelId))
      .orderBy(asc(tasks.id)),
    assignees: await db.select().from(taskAssignees).orderBy(asc(taskAssignees.userId)),
    messages: await db
      .select({ id: messages.id, seq: messages.seq, by: messages.senderId, kind: messages.kind, text: messages.text })
      .from(messages)
      .orderBy(asc(messages.seq)),
    comments: await db
      .select({
        project: discussions.projectId,
        task: discussions.taskId,
        id: comments.id,
        seq: comments.seq,
        clientSeq: comments.clientSeq,
        by: comments.authorId,
        text: comments.text,
        mentions: comments.mentions,
        at: comments.createdAt,
      })
      .from(comments)
      .innerJoin(discussions, eq(discussions.id, comments.discussionId))
      .orderBy(asc(comments.id)),
    statusUpdates: await db.select().from(statusUpdates).orderBy(asc(statusUpdates.id)),
    signOffs: await db
      .select({ ...getTableColumns(signOffs), record: sql<string>`${signOffs.record}::text` })
      .from(signOffs)
      .orderBy(asc(signOffs.id)),
    templates: await templatesOf(db),
    requests: await db.select().from(requests).orderBy(asc(requests.id)),
    replies: await db.select().from(requestReplies).orderBy(asc(requestReplies.id)),
    read: await db
      .select({
        lower: conversations.lowerReadSeq,
        higher: conversations.higherReadSeq,
        cover: conversations.coverUserId,
        until: conversations.coverUntil,
        covered: conversations.coveredUserId,
        lastLinkChange: conversations.lastLinkChange,
        turn: conversations.turnOwes,
        turnSeq: conversations.turnSeq,
      })
      .from(conversations),
    settlements: await db.select().from(conversationSettlements).orderBy(asc(conversationSettlements.upToSeq)),
    replyTimes: await listReplyTimes(db, { timeZone: "UTC" }),
    links: await db.select().from(messageTasks),
  });
  expect(await rowsOf(target)).toEqual(await rowsOf(database));
  await target.close();
});

test("the other tables are in it as CSV, the files as they are, and a page that explains them; no way in and no secret", async () => {
  const { db } = database;
  await exportTo("open.zip");
  const contents = await contentsOf(join(folder, "open.zip"));
  expect(contents.get("tables/inquiries.csv")).toMatch(/^id,kind,name,email[^\n]*\n.*'=1\+1,a@b\.example/);
  expect(contents.get("files/drawing.svg")).toBe("<svg/>");
  expect(contents.get("index.html")).toContain(
    '<a href="tables/messages.csv">messages.csv</a></td><td>Messages</td><td>5</td>',
  );
  expect(new Set(JSON.parse(contents.get("sangam.json") ?? "").users[asha.id].email)).toEqual(new Set(asha.email));
  const [session] = await db.select().from(sessions);
  const [account] = await db.select().from(accounts).where(eq(accounts.userId, asha.id));
  const everything = [...contents.values()].join("\n");
  for (const secret of [session?.token, account?.password]) expect(everything).not.toContain(secret ?? "missing");
  expect(everything).not.toContain("Gone Person");
  const exported = await db.select().from(auditEvents).where(eq(auditEvents.kind, "data.exported"));
  expect(exported[0]).toMatchObject({ actorId: null });
});

test("every table is declared to be taken along or not: add a new one to OPEN_TABLES or CLOSED_TABLES", async () => {
  const present = await database.sql`select tablename as name from pg_tables where schemaname = 'public'`;
  const declared = [...Object.keys(OPEN_TABLES), ...CLOSED_TABLES];
  expect(declared.sort()).toEqual(present.map(({ name }) => String(name)).sort());
  const columns = await database.sql`
    select table_name || '.' || column_name as name from information_schema.columns
    where table_schema = 'public' and table_name in ${database.sql(Object.keys(OPEN_TABLES))}
      and column_name ~ 'password|token|sealed|secret|hash|code|cookie'`;
  // Whether commits were read with the organisation's token says nothing about the token; a file's hash names its bytes.
  expect(columns.map(({ name }) => String(name)).sort()).toEqual([
    "files.hash",
    "files.thumbnail_hash",
    "repositories.read_with_token",
  ]);
});

test("the download is for admins who have just shown who they are, and is audited", async () => {
  const { db } = database;
  const server = await startLiveServer({ ...database, env: { dataDir: folder } });
  const ask = async (person: UserRow, { age = 0, method = "GET" } = {}) => {
    const { token, id } = await makeSession(db, { userId: person.id });
    await db
      .update(sessions)
      .set({ createdAt: new Date(Date.now() - age) })
      .where(eq(sessions.id, id));
    const headers = { cookie: sessionCookie(token) };
    return fetch(`${server.base}/api/export/everything.zip`, { headers, method });
  };
  expect((await fetch(`${server.base}/api/export/everything.zip`)).status).toBe(401);
  expect((await ask(await makeUser(db))).status).toBe(403);
  const stale = await ask(asha, { age: 3_600_000 });
  expect([stale.status, await stale.text()]).toEqual([403, expect.stringContaining("reauthentication-required")]);
  const asksBefore = await db.$count(auditEvents, eq(auditEvents.actorId, asha.id));
  const head = await ask(asha, { method: "HEAD" });
  expect([head.status, head.headers.get("content-type")]).toEqual([200, "application/zip"]);
  const answer = await ask(asha);
  expect(answer.headers.get("content-disposition")).toMatch(/filename="sangam-.*\.zip"/);
  const file = join(folder, "downloaded.zip");
  await writeFile(file, Buffer.from(await answer.arrayBuffer()));
  expect((await contentsOf(file)).has("sangam.json")).toBe(true);
  expect(await db.$count(auditEvents, eq(auditEvents.actorId, asha.id))).toBe(asksBefore + 1);
  await server.close();
  expect((await readdir(folder)).filter((name) => name.endsWith("partial"))).toEqual([]);
});
