import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { asc, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeUser, type UserRow } from "../../../db/factories";
import {
  conversations,
  invitations,
  liveLinks,
  mailJobs,
  messages,
  notifications,
  projectMembers,
  projects,
  taskAssignees,
  tasks,
  users,
} from "../../../db/schema";
import { INVITATION_TEMPLATE } from "../../mail/templates";
import { createTestCallers } from "../../test/caller";
import { createTestDatabase, type TestDatabase } from "../../test/db";
import { intakeBelow } from "../../test/import-file";
import { runImportCommand } from "./command";

const CLIENT_ID = "0b7f3c1e-52a4-4b1e-9d7e-1f2a3b4c5d6e";

/** A firm as an older document store holds it. */
const FIRM = {
  users: {
    asha: {
      displayName: "Asha Rao",
      email: "Asha@Firm.example",
      accountType: "admin",
      createdAt: "2023-01-02T10:00:00.000Z",
      token: "ghp_secret",
    },
    rohan: {
      username: "Rohan K",
      email: "rohan@firm.example",
      accountType: "user",
      accountStatus: "active",
      age: "old",
      createdAt: 1_680_000_000_000,
    },
    [CLIENT_ID]: {
      displayName: "Meera Shah",
      email: "meera@client.example",
      accountType: "client",
      createdAt: { _seconds: 1_690_000_000, _nanoseconds: 0 },
    },
    nameless: { email: "no.name@firm.example", accountStatus: "sleeping", accountType: "boss", createdAt: "yesterday" },
    twin: { displayName: "Rohan again", email: "ROHAN@firm.example", createdAt: "2024-05-05T00:00:00.000Z" },
    ghost: { displayName: "No mail" },
  },
  projects: {
    p1: {
      name: "Harbour booking",
      description: "Slots\u0000 for boats.",
      status: "active",
      client: { id: CLIENT_ID },
      projectManagers: ["asha", "nobody"],
      assignedTo: ["rohan", "twin", CLIENT_ID],
      startDate: "2024-03-01T10:00:00.000Z",
      dueDate: "2024-02-01",
      createdBy: "rohan",
      createdAt: "2024-01-10T09:00:00.000Z",
      projectType: "Client work",
      githubRepo: "sangam/harbour",
      liveLink: "https://harbour.firm.example/",
      tasks: {
        t2: {
          title: "Second",
          description: "Later",
          status: "todo",
          completed: true,
          createdAt: "2024-01-12T00:00:00Z",
          createdBy: "rohan",
          assignedTo: ["rohan", "gone"],
        },
        t1: { title: "x".repeat(250), createdAt: "2024-01-11T00:00:00Z", createdBy: "gone", status: "inProgress" },
      },
      requests: {
        r1: {
          ...{ title: "Tides", text: "Show them", createdBy: CLIENT_ID, createdAt: "2024-02-01T10:00:00Z" },
          ...{ status: "accepted", decidedBy: "gone", taskId: "t9", messageId: "m9", conversationId: "c1" },
          thread: [
            { authorId: "asha", text: "Which harbour?", createdAt: "2024-02-01T11:00:00Z" },
            { authorId: "gone", text: "None" },
            { authorId: "asha" },
          ],
        },
        r2: { title: "Tides too", text: "Please", createdBy: CLIENT_ID, status: "duplicate", duplicateOf: "r3" },
        r3: { title: "Twice the tides", text: "Please", createdBy: CLIENT_ID, status: "wished", urgency: "burning" },
        r4: { title: "Its own", text: "Please", createdBy: CLIENT_ID, status: "duplicate", duplicateOf: "r4" },
        r5: { title: "Of nobody", text: "Please", createdBy: "gone" },
        r6: { title: "Says nothing", createdBy: CLIENT_ID },
        r7: "a wish",
      },
      statusUpdates: { [CLIENT_ID]: { text: "Fine", authorId: "asha" } },
    },
    p2: {
      title: "By name",
      description: "d",
      clientName: " meera shah ",
      status: "paused",
      commitView: { mode: "secret", maskedWords: [] },
      createdAt: "2024-01-01T00:00:00Z",
    },
    p3: {
      clientName: "Nobody Known",
      status: "on-hold",
      createdBy: "asha",
      createdAt: "2024-01-01T00:00:00Z",
      startDate: "2024-01-05",
      statusUpdates: { [CLIENT_ID]: { text: "Of the same id", authorId: "asha" } },
    },
    p4: 7,
  },
  conversations: {
    c1: {
      participants: ["asha", CLIENT_ID],
      createdAt: "2024-02-01T00:00:00Z",
      messages: {
        m0: { text: "Before all", senderId: "asha", read: true },
        m1: { text: "Hello", senderId: "asha", timestamp: "2024-02-01T10:00:00Z", read: true },
        m2: { text: "No time", senderId: CLIENT_ID, read: false },
        m3: { text: "From a stranger", senderId: "rohan", timestamp: "2024-02-01T10:05:00Z" },
        m5: { text: "Odd time", senderId: "asha", timestamp: "soon" },
        m4: { text: "", senderId: "asha", timestamp: "2024-02-01T10:05:00Z" },
      },
    },
    c2: {
      participants: [CLIENT_ID, "asha"],
      messages: {
        m1: {
          text: "In between",
          senderId: CLIENT_ID,
          timestamp: { _seconds: 1_706_778_000, _nanoseconds: 500_000 },
          read: true,
        },
      },
    },
    c3: {
      participants: ["rohan", CLIENT_ID],
      messages: { m1: { text: "a", senderId: "rohan", timestamp: 1_706_781_600_000 } },
    },
    c4: { participants: ["asha", "gone"], messages: {} },
  },
  invoices: { i1: {} },
};

let database: TestDatabase;
let folder: string;
let present: UserRow;

beforeAll(async () => {
  database = await createTestDatabase();
  present = await makeUser(database.db, { name: "Rohan Kale", email: "rohan@firm.example" });
  folder = await mkdtemp(join(tmpdir(), "sangam-import-"));
  await writeFile(join(folder, "firm.json"), JSON.stringify(FIRM));
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

let shown: string[] = [];

async function run(...args: string[]) {
  shown = [];
  const { ok, sentence } = await runImportCommand({
    args: ["firm.json", ...args, "--report", "report.json"],
    connection: database.connection,
    folder,
    show: (line) => shown.push(line),
    ask: null,
    timeZone: "UTC",
    intake: intakeBelow(folder),
  });
  expect(sentence).toMatch(/Imported|would import/);
  expect(ok).toBe(true);
  return JSON.parse(await readFile(join(folder, "report.json"), "utf8"));
}

let dryRun: Record<string, unknown>;

test("a dry run changes nothing and tells what an import would do", async () => {
  const before = await database.db.$count(users);
  dryRun = await run("--dry-run");
  expect(dryRun.imported).toEqual({
    ...{ users: 3, projects: 3, tasks: 2, statusUpdates: 1, requests: 4, conversations: 1, messages: 5 },
  });
  expect(await database.db.$count(users)).toBe(before);
  expect(await database.db.$count(projects)).toBe(0);
});

test("an import reports what its dry run told and shows how far it is, and a second one imports nothing", async () => {
  expect(await run()).toEqual(dryRun);
  const ended = (step: string, counted: string) =>
    expect.stringMatching(new RegExp(`^${step}: \\[#{20}\\] 100 % ${counted} \\([\\d,]+ a second\\)$`));
  expect(shown).toEqual([ended("Read", "\\d+"), ended("Tasks", "2 of 2"), ended("Messages", "5 of 5")]);
  const again = await run();
  expect(again.imported).toEqual({ users: 0, projects: 0, tasks: 0, conversations: 0, messages: 0 });
});

test("people keep what the file says of them and are matched by email", async () => {
  const rows = await database.db.select().from(users).orderBy(asc(users.email));
  expect(rows.map(({ email, name, accountType, accountStatus }) => [email, name, accountType, accountStatus])).toEqual([
    ["asha@firm.example", "Asha Rao", "admin", "active"],
    ["meera@client.example", "Meera Shah", "client", "active"],
    ["no.name@firm.example", "no.name", "user", "inactive"],
    ["rohan@firm.example", present.name, "user", "active"],
  ]);
  expect(rows.find(({ email }) => email === "meera@client.example")?.id).toBe(CLIENT_ID);
  expect(JSON.stringify(dryRun)).not.toContain("ghp_secret");
});

test("projects come with client, people, days and tasks in their order", async () => {
  const asha = await database.db.query.users.findFirst({ where: eq(users.email, "asha@firm.example") });
  const rows = await database.db.select().from(projects).orderBy(asc(projects.title));
  expect(
    rows.map(({ title, status, clientId, startDate, dueDate }) => [title, status, clientId, startDate, dueDate]),
  ).toEqual([
    ["By name", "todo", CLIENT_ID, "2024-01-01", null],
    ["Harbour booking", "inProgress", CLIENT_ID, "2024-02-01", "2024-02-01"],
    ["Untitled", "on-hold", null, "2024-01-05", null],
  ]);
  // What cannot be read shows the client nothing.
  expect(rows.map(({ commitMode }) => commitMode)).toEqual(["hidden", "titles", "titles"]);
  const [, harbour] = rows;
  expect(harbour).toMatchObject({
    description: "Slots for boats.",
    createdBy: present.id,
    taskCount: 2,
    completedTaskCount: 1,
  });
  const members = await database.db
    .select()
    .from(projectMembers)
    .where(eq(projectMembers.projectId, harbour?.id ?? ""));
  expect(members.map(({ role, userId }) => `${role} ${userId}`).sort()).toEqual(
    [`assigned ${CLIENT_ID}`, `assigned ${present.id}`, `manager ${asha?.id}`].sort(),
  );
  const list = await database.db.select().from(tasks).orderBy(asc(tasks.number));
  expect(list.map(({ number, title, status, createdBy }) => [number, title.length, status, createdBy])).toEqual([
    [1, 200, "inProgress", asha?.id],
    [2, 6, "completed", present.id],
  ]);
  expect(await database.db.select({ userId: taskAssignees.userId }).from(taskAssignees)).toEqual([
    { userId: present.id },
  ]);
});

test("live links of running projects are followed at once, as if they had been entered here", async () => {
  const followed = await database.db
    .select({
      project: projects.title,
      url: liveLinks.url,
      soon: sql`${liveLinks.dueAt} < now() + interval '2 minutes'`,
    })
    .from(liveLinks)
    .innerJoin(projects, eq(projects.id, liveLinks.id));
  expect(followed).toEqual([{ project: "Harbour booking", url: "https://harbour.firm.example/", soon: true }]);
});

test("messages of one pair are in one conversation by time, read as they were, and nobody is mailed", async () => {
  const [conversation, ...more] = await database.db.select().from(conversations);
  expect(more).toEqual([]);
  const rows = await database.db.select().from(messages).orderBy(asc(messages.seq));
  expect(rows.map(({ seq, text }) => [seq, text])).toEqual([
    [1, "Before all"],
    [2, "In between"],
    [3, "Hello"],
    [4, "No time"],
    [5, "Odd time"],
  ]);
  const clientIsLower = conversation?.lowerUserId === CLIENT_ID;
  const [ofClient, ofAdmin] = [conversation?.lowerReadSeq, conversation?.higherReadSeq];
  expect(clientIsLower ? [ofClient, ofAdmin] : [ofAdmin, ofClient]).toEqual([3, 2]);
  expect(conversation).toMatchObject({ lastSeq: 5, lowerMailedSeq: 5, higherMailedSeq: 5 });
});

test("the report names everything that was not matched or was changed", () => {
  const of = (list: string) =>
    (dryRun[list] as Record<string, unknown>[]).map(({ kind, id, field }) => `${kind} ${id} ${field}`).sort();
  expect(of("unmatched")).toEqual(
    [
      "user asha token",
      "user rohan age",
      "user twin email",
      "user ghost email",
      "project p1 managers",
      "project p2 commitView",
      "project p2 status",
      "project p3 clientName",
      "project p4 ",
      "task p1/t2 assignedTo",
      "request p1/r1 decidedBy",
      "request p1/r1 messageId",
      "request p1/r1 taskId",
      "request p1/r1 thread",
      "request p1/r1 thread",
      "request p1/r4 duplicateOf",
      "request p1/r5 createdBy",
      "request p1/r6 text",
      "request p1/r7 ",
      `status update p3/${CLIENT_ID} id`,
      "message c1/m3 senderId",
      "message c1/m4 text",
      "conversation c3 participants",
      "conversation c4 participants",
      "collection invoices invoices",
    ].sort(),
  );
  expect(of("changed")).toEqual(
    [
      "user nameless accountStatus",
      "user nameless accountType",
      "user nameless createdAt",
      "user nameless name",
      "project p1 status",
      "project p1 description",
      "project p1 startDate",
      "project p2 status",
      "project p2 startDate",
      "project p2 createdBy",
      "project p3 title",
      "project p3 description",
      "task p1/t1 title",
      "task p1/t1 description",
      "task p1/t1 createdBy",
      "task p1/t2 status",
      "request p1/r3 status",
      "request p1/r3 urgency",
      "message c1/m0 timestamp",
      "message c1/m2 timestamp",
      "message c1/m5 timestamp",
      "conversation c2 id",
    ].sort(),
  );
  expect(dryRun.changed).toContainEqual(
    expect.objectContaining({ id: "c1/m5", from: "soon", to: "2024-02-01T10:05:00.001Z" }),
  );
  expect(dryRun.unmatched).toContainEqual(expect.objectContaining({ kind: "conversation", id: "c3", messages: 1 }));
});

test("a request comes with what of it is there, decided as it was, and nobody is notified", async () => {
  const meera = await database.db.query.users.findFirst({ where: eq(users.id, CLIENT_ID) });
  if (!meera) throw new Error("Meera was not imported.");
  const list = await (await createTestCallers(database.db).as(meera)).requests.list({});
  const of = (title: string) => list.find((one) => one.title === title);
  expect(of("Tides")).toMatchObject({
    ...{ status: "accepted", decidedBy: null, decidedAt: "2024-02-01T10:00:00.000Z", taskId: null, messageId: null },
    ...{ urgency: "normal", thread: [{ text: "Which harbour?", createdAt: "2024-02-01T11:00:00.000Z" }] },
  });
  expect(of("Tides too")).toMatchObject({ status: "duplicate", duplicateOfTitle: "Twice the tides" });
  expect(of("Twice the tides")).toMatchObject({ status: "new", urgency: "normal", decidedAt: null });
  expect(of("Its own")).toMatchObject({ status: "duplicate", duplicateOf: null });
  expect(await database.db.$count(notifications)).toBe(0);
});

test("everyone sees what was imported as if it had been made here", async () => {
  const callers = createTestCallers(database.db);
  const meera = await database.db.query.users.findFirst({ where: eq(users.id, CLIENT_ID) });
  if (!meera) throw new Error("Meera was not imported.");
  const caller = await callers.as(meera);
  const { items } = await caller.projects.list({ scope: "mine" });
  expect(items.map(({ title }) => title).sort()).toEqual(["By name", "Harbour booking"]);
  const [conversation] = await caller.chat.conversations();
  expect(conversation).toMatchObject({ otherUser: { name: "Asha Rao" }, lastMessage: { text: "Odd time" } });
});

test("a file that is none is refused with line and column, and nothing is imported", async () => {
  await writeFile(join(folder, "broken.json"), '{"users": {\n  "a": {"email": "a@b.example"},\n  b }}');
  const before = await database.db.$count(users);
  const answer = await runImportCommand({
    args: ["broken.json"],
    connection: database.connection,
    folder,
    show: () => {},
    ask: null,
    timeZone: "UTC",
    intake: intakeBelow(folder),
  });
  expect(answer).toEqual({ ok: false, sentence: 'Line 3, column 3: this is no JSON (unexpected "b").' });
  expect(await database.db.$count(users)).toBe(before);
  const missing = await runImportCommand({
    args: ["none.json"],
    connection: database.connection,
    folder,
    show: () => {},
    ask: null,
    timeZone: "UTC",
    intake: intakeBelow(folder),
  });
  expect(missing).toEqual({ ok: false, sentence: `There is no file ${join(folder, "none.json")}.` });
});

test("a report that cannot be written is refused before anything is imported, and one that is written is for its owner alone", async () => {
  const before = await database.db.$count(users);
  await writeFile(join(folder, "new.json"), JSON.stringify({ users: { a: { email: "new@firm.example" } } }));
  const run = (report: string) =>
    runImportCommand({
      ...{ args: ["new.json", "--report", report], connection: database.connection, folder },
      ...{ show: () => {}, ask: null, timeZone: "UTC", intake: intakeBelow(folder) },
    });
  const at = (name: string) => join(folder, name);
  expect((await run("none/report.json")).sentence).toBe(
    `The report cannot be written. There is no ${at("none/report.json")}, or no folder for it.`,
  );
  expect((await run(".")).sentence).toBe(`The report cannot be written. ${folder} is a folder.`);
  expect((await run("new.json")).sentence).toBe(
    `The report would take the place of ${at("new.json")}: give it another name.`,
  );
  expect(await database.db.$count(users)).toBe(before);
  expect(await readFile(at("new.json"), "utf8")).toContain("new@firm.example");
  expect(await run("own.json")).toMatchObject({ ok: true });
  expect((await stat(at("own.json"))).mode & 0o777).toBe(0o600);
});

test("without any admin nothing is imported, and beside another import none; one that was killed is soon forgotten", async () => {
  const empty = await createTestDatabase();
  const run = (file: string) =>
    runImportCommand({
      args: [file],
      connection: empty.connection,
      folder,
      show: () => {},
      ask: null,
      timeZone: "UTC",
      intake: intakeBelow(folder),
    });
  try {
    await writeFile(join(folder, "people.json"), JSON.stringify({ users: { a: { email: "a@firm.example" } } }));
    expect(await run("people.json")).toMatchObject({
      ok: false,
      sentence: expect.stringContaining("There is no admin"),
    });
    expect(await empty.db.$count(users)).toBe(0);
    // The file's admin is somebody here who is none, or the younger of two.
    const { id } = await makeUser(empty.db, { email: "here@firm.example" });
    const admin = (email: string) => ({ email, accountType: "admin", createdAt: "2024-02-01T00:00:00Z" });
    const older = { email: "twin@firm.example", createdAt: "2024-01-01T00:00:00Z" };
    const people = { [id]: admin("a@firm.example"), b: admin("here@firm.example"), c: admin(older.email), older };
    await writeFile(join(folder, "people.json"), JSON.stringify({ users: people }));
    expect(await run("people.json")).toMatchObject({
      ok: false,
      sentence: expect.stringContaining("There is no admin"),
    });
    expect(await empty.db.$count(users)).toBe(1);
    const other = await empty.sql.reserve();
    await other`select pg_advisory_lock(467678)`;
    expect(await run("firm.json")).toMatchObject({
      ok: false,
      sentence: expect.stringContaining("Another import is under way"),
    });
    // The end of one that was killed is noticed a moment after the next one begins.
    const next = run("firm.json");
    await setTimeout(500);
    await other`select pg_advisory_unlock(467678)`;
    other.release();
    expect(await next).toMatchObject({ ok: true });
  } finally {
    await empty.close();
  }
});

test("--invite invites once whoever is active and cannot sign in, of earlier runs too, and says how many", async () => {
  async function importPeople(people: Record<string, object>, ...options: string[]) {
    const known = Object.entries(people).map(([id, more]) => [id, { email: `${id}@invite.example`, ...more }]);
    await writeFile(join(folder, "invite.json"), JSON.stringify({ users: Object.fromEntries(known) }));
    const { sentence } = await runImportCommand({
      args: ["invite.json", ...options, "--report", "invite-report.json"],
      connection: database.connection,
      folder,
      show: () => {},
      ask: null,
      timeZone: "UTC",
      intake: intakeBelow(folder),
    });
    return { sentence, ...JSON.parse(await readFile(join(folder, "invite-report.json"), "utf8")) };
  }
  const mails = () => database.db.$count(mailJobs, eq(mailJobs.template, INVITATION_TEMPLATE));
  const people = { one: {}, two: {}, gone: { accountStatus: "inactive" } };
  const dryRun = await importPeople(people, "--dry-run", "--invite");
  expect(dryRun.sentence).toContain(`Would invite ${dryRun.invited} people.`);
  expect(await mails()).toBe(0);
  expect((await importPeople(people)).invited).toBeUndefined();
  expect((await importPeople(people, "--invite")).invited).toBe(dryRun.invited);
  expect(await mails()).toBe(dryRun.invited);
  const { sentence } = await importPeople({ ...people, three: {} }, "--invite");
  expect(sentence).toContain("Invited 1 person: the running server sends the emails.");
  expect(await importPeople(people, "--invite")).toMatchObject({ invited: 0 });
  expect(await mails()).toBe(dryRun.invited + 1);
  const invited = (await database.db.select().from(invitations)).map(({ email }) => email);
  expect(invited).toEqual(expect.arrayContaining(["one@invite.example", "two@invite.example", "three@invite.example"]));
  expect(invited).not.toContain("gone@invite.example");
});
