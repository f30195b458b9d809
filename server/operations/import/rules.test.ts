import { randomUUID } from "node:crypto";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asc, eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeUser, type UserRow } from "../../../db/factories";
import { conversations, messages, projectMembers, projects, requestReplies, tasks, users } from "../../../db/schema";
import { createTestDatabase, type TestDatabase } from "../../test/db";
import { intakeBelow } from "../../test/import-file";
import { runImportCommand } from "./command";

let database: TestDatabase;
let folder: string;
let asha: UserRow;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "sangam-rules-"));
  asha = await makeUser(database.db, { name: "Asha", accountType: "admin", email: "asha@firm.example" });
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const DATED = { createdAt: "2024-01-10T09:00:00.000Z" };
const TODAY = `${new Date().toISOString().slice(0, 10)}T00:00:00.000Z`;
const USERS = {
  asha: { email: "asha@firm.example", name: "Asha", ...DATED },
  vikram: { email: "vikram@firm.example", name: "Vikram", accountType: "admin", ...DATED },
  rohan: { email: "rohan@firm.example", name: "Rohan", ...DATED },
  acme: { email: "meera@acme.example", name: "Acme", accountType: "client", ...DATED },
};
const project = (title: string, more: object = {}) => ({
  ...{ title, description: "d", startDate: "2024-02-01", createdBy: "asha", ...DATED },
  ...more,
});

async function importFile(file: object, timeZone = "UTC") {
  await writeFile(join(folder, "file.json"), JSON.stringify({ users: USERS, ...file }));
  const { ok, sentence } = await runImportCommand({
    ...{ args: ["file.json", "--report", "report.json"], folder, connection: database.connection },
    ...{ show: () => {}, ask: null, timeZone, intake: intakeBelow(folder) },
  });
  expect(sentence).toContain("Imported");
  expect(ok).toBe(true);
  const { imported, unmatched, changed } = JSON.parse(await readFile(join(folder, "report.json"), "utf8"));
  const rows = [
    ...unmatched.map((note: Note) => `${note.kind} ${note.id} ${note.field} ${JSON.stringify(note.value)}`),
    ...changed.map(
      (note: Note) =>
        `${note.kind} ${note.id} ${note.field} ${JSON.stringify(note.from)} -> ${JSON.stringify(note.to)}`,
    ),
  ];
  return { imported, rows };
}
type Note = { kind: string; id: string; field: string; value?: unknown; from?: unknown; to?: unknown };

test("of alternate fields the one with something in it is read, and another one that says otherwise is reported", async () => {
  const { rows } = await importFile({
    projects: {
      one: project("One", { managers: [], projectManagers: ["rohan"], client: { id: null, name: "Ac\u0000me" } }),
      two: project("Two", {
        name: "Deux",
        managers: ["rohan"],
        projectManagers: ["vikram"],
        clientId: "acme",
        client: { id: "acme" },
      }),
    },
  });
  expect(rows).toEqual([
    'project two name "Deux"',
    'project two projectManagers ["vikram"]',
    'project one client "Ac\\u0000me" -> "Acme"',
  ]);
  const managed = await database.db
    .select({ title: projects.title, client: projects.clientId, manager: users.email })
    .from(projects)
    .innerJoin(projectMembers, eq(projectMembers.projectId, projects.id))
    .innerJoin(users, eq(users.id, projectMembers.userId))
    .where(inArray(projects.title, ["One", "Two"]))
    .orderBy(asc(projects.title));
  const [acme] = await database.db.select().from(users).where(eq(users.name, "Acme"));
  expect(managed).toEqual(["One", "Two"].map((title) => ({ title, client: acme?.id, manager: "rohan@firm.example" })));
});

test("what nobody reads, or cannot be read, stands in the report; a secret without its value", async () => {
  const { rows } = await importFile({
    users: {
      ...USERS,
      deepa: {
        email: "deepa@firm.example",
        name: "Deepa",
        uid: "deepa",
        id: "deepa",
        agreeToTerms: "yes",
        passwordHash: "s3cret",
        ...DATED,
      },
    },
    projects: {
      rest: project("Rest", {
        ...{ budget: 900, invoices: { i1: { sum: 3 } }, notes: [], clientCollaboration: 1 },
        tasks: { t: { title: "T", description: "d", completed: "true", createdBy: "asha", estimate: 3, ...DATED } },
      }),
    },
    conversations: {
      rest: {
        ...{ participants: ["asha", "rohan"], updatedAt: "2024-03-05T00:00:00.000Z", muted: true, ...DATED },
        messages: {
          m: { text: "Hello", senderId: "asha", timestamp: "2024-01-11T00:00:00Z", read: "true", emoji: "+1" },
        },
      },
    },
  });
  expect(rows.sort()).toEqual(
    [
      'user deepa agreeToTerms "yes"',
      "user deepa passwordHash null",
      'user deepa uid "deepa"',
      "project rest budget 900",
      'project rest invoices {"i1":{"sum":3}}',
      "project rest clientCollaboration 1",
      'task rest/t completed "true"',
      "task rest/t estimate 3",
      "conversation rest muted true",
      'message rest/m read "true"',
      'message rest/m emoji "+1"',
    ].sort(),
  );
  const [conversation] = await database.db.select().from(conversations);
  expect(conversation?.updatedAt).toEqual(new Date("2024-03-05T00:00:00.000Z"));
});

test("characters that no database stores end no import and cost nobody their account", async () => {
  const { imported, rows } = await importFile({
    users: { ...USERS, kiran: { email: "kiran\u0000@firm.example", name: "Kiran", "odd\u0000": 1, ...DATED } },
    templates: {
      t: {
        title: "T",
        description: "d",
        tasks: [{ title: "a", description: "b", assignedTo: ["x\u0000y"] }],
        ...DATED,
      },
    },
    files: { f: { name: "a.txt", path: "files/\ud800a\u0000", uploadedBy: "asha", projectId: "gone", ...DATED } },
    projects: { long: project(`${"x".repeat(58)}\u{1F600}${"y".repeat(200)}`) },
  });
  expect(imported).toMatchObject({ users: 1, templates: 1 });
  expect(rows).toEqual(
    expect.arrayContaining([
      'user kiran email "kiran\\u0000@firm.example" -> "kiran@firm.example"',
      "user kiran odd\\u0000 1".replace("\\u0000", "\u0000"),
      'file f path "files/\\ud800a\\u0000" -> "files/\ufffda"',
      'template t tasks "xy"',
    ]),
  );
});

test("a conversation without a date begins with its earliest message, and whatever date is made up stands in the report", async () => {
  const { rows } = await importFile({
    users: { ...USERS, new: { email: "new@firm.example", name: "New" } },
    projects: {
      undated: {
        title: "Undated",
        description: "d",
        createdBy: "asha",
        tasks: { t: { title: "T", description: "d", createdBy: "asha" } },
      },
    },
    conversations: {
      undated: {
        participants: ["vikram", "acme"],
        messages: {
          m0: { text: "First", senderId: "vikram" },
          m1: { text: "Third", senderId: "acme", timestamp: "2024-02-03T10:00:00.000Z" },
          m2: { text: "Second", senderId: "acme", timestamp: "2024-02-02T10:00:00.000Z" },
        },
      },
      empty: { participants: ["vikram", "rohan"] },
    },
  });
  expect(rows.sort()).toEqual(
    [
      `project undated startDate null -> "${TODAY.slice(0, 10)}"`,
      'message undated/m0 timestamp null -> "2024-02-02T10:00:00.000Z"',
    ].sort(),
  );
  const stored = await database.db
    .select({ text: messages.text, since: conversations.createdAt })
    .from(messages)
    .innerJoin(conversations, eq(conversations.id, messages.conversationId))
    .where(inArray(messages.text, ["First", "Second", "Third"]))
    .orderBy(asc(messages.seq));
  const since = new Date("2024-02-02T10:00:00.000Z");
  expect(stored).toEqual(["First", "Second", "Third"].map((text) => ({ text, since })));
});

test("who is known by id alone keeps their own email; of two new people of one email the older one comes", async () => {
  const { imported, rows } = await importFile({
    users: {
      ...USERS,
      [asha.id]: { email: "other@firm.example", name: "Other", ...DATED },
      younger: { email: "twin@firm.example", name: "Younger", createdAt: "2024-05-01T00:00:00Z" },
      older: { email: "TWIN@firm.example", name: "Older", createdAt: "2023-05-01T00:00:00Z" },
    },
    projects: { twins: project("Twins", { createdBy: "younger", managers: [asha.id] }) },
  });
  expect(imported).toMatchObject({ users: 1 });
  expect(rows).toEqual(['user younger email "twin@firm.example"']);
  const { db } = database;
  expect(await db.$count(users, eq(users.email, "other@firm.example"))).toBe(0);
  const [twins] = await db
    .select({ creator: users.name, manager: projectMembers.userId })
    .from(projects)
    .innerJoin(users, eq(users.id, projects.createdBy))
    .innerJoin(projectMembers, eq(projectMembers.projectId, projects.id))
    .where(eq(projects.title, "Twins"));
  expect(twins).toEqual({ creator: "Older", manager: asha.id });
});

test("`completed` decides against `status`, statuses are kept or To Do, and a text over its limit is whole in the report", async () => {
  const long = "x".repeat(5_001);
  const { rows } = await importFile({
    projects: {
      cancelled: project("Cancelled", { status: "cancelled" }),
      statusless: project("Statusless", {
        description: long,
        tasks: {
          t: { title: "Undone", description: "d", createdBy: "asha", completed: false, status: "completed", ...DATED },
        },
      }),
    },
  });
  expect(rows).toEqual([
    'task statusless/t status "completed" -> "todo"',
    `project statusless description "${long}" -> "${long.slice(1)}"`,
  ]);
  const stored = await database.db
    .select({ title: projects.title, status: projects.status, task: tasks.status })
    .from(projects)
    .leftJoin(tasks, eq(tasks.projectId, projects.id))
    .where(inArray(projects.title, ["Cancelled", "Statusless"]))
    .orderBy(asc(projects.title));
  expect(stored).toEqual([
    { title: "Cancelled", status: "cancelled", task: null },
    { title: "Statusless", status: "todo", task: "todo" },
  ]);
});

test("a conversation is of two people of whom one is an admin", async () => {
  const of = (...participants: string[]) => ({
    ...{ participants, ...DATED },
    messages: { m: { text: "Hello", senderId: participants[0] ?? "asha", timestamp: "2024-01-11T00:00:00Z" } },
  });
  const { imported, rows } = await importFile({
    conversations: {
      admins: of("asha", "vikram"),
      three: of("asha", "rohan", "acme"),
      one: of("asha"),
      twice: of("asha", "asha"),
      none: of(),
      clients: of("rohan", "acme"),
    },
  });
  expect(imported).toMatchObject({ conversations: 1, messages: 1 });
  expect(rows).toEqual([
    'conversation three participants ["asha","rohan","acme"]',
    'conversation one participants ["asha"]',
    'conversation twice participants ["asha"]',
    "conversation none participants []",
    'conversation clients participants ["rohan","acme"]',
  ]);
});

test("a conversation whose id another pair's has here is left out and named, with its messages, and the rest comes", async () => {
  const of = (id: string, ...participants: string[]) => ({
    ...{ participants, ...DATED },
    messages: { [id]: { text: `Hello from ${id}`, senderId: participants[0], timestamp: "2024-01-11T00:00:00Z" } },
  });
  const people = { kavya: "kavya@firm.example", dev: "dev@firm.example", ila: "ila@firm.example" };
  const added = Object.entries(people).map(([name, email]) => [name, { email, name, ...DATED }]);
  const users = { ...USERS, ...Object.fromEntries(added) };
  await importFile({ users, conversations: { taken: of("first", "asha", "kavya") } });
  const { imported, rows } = await importFile({
    users,
    conversations: { taken: of("second", "asha", "dev"), free: of("third", "asha", "ila") },
  });
  expect(rows).toEqual(['conversation taken id "taken"']);
  expect(imported).toMatchObject({ conversations: 1, messages: 1 });
  const stored = await database.db.select({ text: messages.text }).from(messages).orderBy(messages.text);
  expect(stored.map(({ text }) => text).filter((text) => text.startsWith("Hello from"))).toEqual([
    "Hello from first",
    "Hello from third",
  ]);
});

test("the end of a cover is an instant that the database can hold; another one is left out and named", async () => {
  const of = (other: string, coverUntil: string) => ({
    ...{ participants: ["asha", other], coveredUserId: "asha", coverUserId: "vikram", coverUntil },
    ...DATED,
  });
  const { imported, rows } = await importFile({
    users: {
      ...USERS,
      uma: { email: "uma@firm.example", name: "Uma", ...DATED },
      omar: { email: "omar@firm.example", name: "Omar", ...DATED },
    },
    conversations: { never: of("uma", "0000-01-01T00:00:00Z"), far: of("omar", "2030-01-01T00:00:00+20:00") },
  });
  expect(rows).toEqual(['conversation never coverUntil "0000-01-01T00:00:00Z"']);
  expect(imported).toMatchObject({ conversations: 2 });
  const until = new Date("2029-12-31T04:00:00Z");
  expect(await database.db.$count(conversations, eq(conversations.coverUntil, until))).toBe(1);
});

test("of replies of one id, in the file or here, the first stays and the others are named; one without an id is kept", async () => {
  const id = randomUUID();
  const reply = (text: string, more: object = {}) => ({ authorId: "asha", text, createdAt: TODAY, ...more });
  const request = (...thread: object[]) => ({ title: "R", text: "Please", createdBy: "acme", thread, ...DATED });
  const { imported, rows } = await importFile({
    projects: {
      threads: project("Threads", {
        requests: {
          named: request(reply("One", { id: "a" }), reply("Double", { id: "a" })),
          numbered: request(reply("Two", { id: "1" }), reply("Three")),
          first: request(reply("Four", { id })),
          second: request(reply("Elsewhere", { id })),
        },
      }),
    },
  });
  expect(imported).toMatchObject({ requests: 4 });
  expect(rows).toEqual([
    `request threads/named thread ${JSON.stringify(reply("Double", { id: "a" }))}`,
    `request threads/second thread ${JSON.stringify(reply("Elsewhere", { id }))}`,
  ]);
  const later = await importFile({
    projects: { later: project("Later", { requests: { r: request(reply("Here already", { id }), reply("Five")) } }) },
  });
  expect(later.rows).toEqual([`request later/r thread "${id}"`]);
  const stored = await database.db.select({ text: requestReplies.text }).from(requestReplies);
  expect(stored.map(({ text }) => text).sort()).toEqual(["Five", "Four", "One", "Three", "Two"]);
});

test("a day that is kept as a moment is the organisation's day, and one that is written as a day stays it", async () => {
  const started = (startDate: unknown) => ({ startDate, dueDate: null });
  const seconds = { _seconds: Date.parse("2024-02-29T18:30:00Z") / 1_000 };
  const days = {
    "a local midnight": started("2024-02-29T18:30:00.000Z"),
    "b the same in seconds": started(seconds),
    "c midnight in UTC": started("2024-03-01T00:00:00.000Z"),
    "d with its offset": started("2024-03-01T00:00:00+05:30"),
    "e a day": started("2024-03-01"),
    "f of its creation": { startDate: null, createdAt: "2024-02-29T20:00:00.000Z" },
  };
  const named = Object.entries(days).map(([title, day]) => [title, project(title, day)]);
  await importFile({ projects: Object.fromEntries(named) }, "Asia/Kolkata");
  const rows = await database.db
    .select({ title: projects.title, startDate: projects.startDate })
    .from(projects)
    .where(inArray(projects.title, Object.keys(days)))
    .orderBy(asc(projects.title));
  expect(rows).toEqual(Object.keys(days).map((title) => ({ title, startDate: "2024-03-01" })));
});

test("west of Greenwich, a day that was stored as midnight in UTC is not the one before", async () => {
  await importFile(
    { projects: { west: project("West", { dueDate: "2024-03-09T00:00:00.000Z" }) } },
    "America/New_York",
  );
  const [west] = await database.db.select().from(projects).where(eq(projects.title, "West"));
  expect(west?.dueDate).toBe("2024-03-09");
});

test("a later run of a file reports again what an earlier one has changed of it: keys, numbers and usernames", async () => {
  const file = {
    users: { ...USERS, named: { email: "named@firm.example", name: "Named", username: "No Such NAME", ...DATED } },
    projects: {
      keyed: project("Keyed", { key: "KEY" }),
      again: project("Again", {
        key: "KEY",
        tasks: Object.fromEntries(
          ["t1", "t2"].map((id) => [id, { title: id, description: "d", number: 7, createdBy: "asha", ...DATED }]),
        ),
      }),
    },
  };
  const first = await importFile(file);
  expect(first.rows.map((row) => row.split(" -> ")[0])).toEqual([
    'user named username "No Such NAME"',
    'project again key "KEY"',
    "task again/t2 number 7",
  ]);
  const { imported, rows } = await importFile(file);
  expect(imported).toMatchObject({ users: 0, projects: 0, tasks: 0 });
  expect(rows).toEqual(first.rows);
});

test("a secret is in no report, however deep it lies, and a client's name that says otherwise than the id is", async () => {
  const { rows } = await importFile({
    token: "ghp_outside",
    projects: {
      deep: project("Deep", { clientId: "acme", clientName: "Somebody Else", hosting: { at: "us", apiKey: "s3cret" } }),
    },
  });
  expect(rows).toEqual([
    "collection token token null",
    'project deep hosting {"at":"us","apiKey":null}',
    'project deep clientName "Somebody Else"',
  ]);
  expect(await readFile(join(folder, "report.json"), "utf8")).not.toMatch(/ghp_outside|s3cret/);
});
