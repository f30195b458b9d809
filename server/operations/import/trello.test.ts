import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeUser, type UserRow } from "../../../db/factories";
import {
  comments,
  discussions,
  labels,
  notifications,
  projectMembers,
  projects,
  taskAssignees,
  taskLabels,
  tasks,
} from "../../../db/schema";
import { createTestDatabase, type TestDatabase } from "../../test/db";
import { intakeBelow } from "../../test/import-file";
import { runImportCommand } from "./command";

const BOARD_ID = "5f5e1000aaaaaaaaaaaaaaaa";
const LISTS = { ideas: "5f5e10010000000000000001", doing: "5f5e10010000000000000002", old: "5f5e10010000000000000003" };
const MEMBERS = {
  rohan: "5f5e10020000000000000001",
  mitali: "5f5e10020000000000000002",
  twin: "5f5e10020000000000000003",
};
const CARDS = { plain: "5f5e10030000000000000001", full: "5f5e10040000000000000002", kept: "5f5e10050000000000000003" };

/** As Trello exports it, less what nobody reads. */
const BOARD = {
  id: BOARD_ID,
  name: "Harbour\u0000",
  desc: "",
  closed: false,
  actions: [
    { type: "createCard", idMemberCreator: MEMBERS.rohan, data: { card: { id: CARDS.full } } },
    // The latest comes first.
    {
      ...{ id: "5f5e10060000000000000002", type: "commentCard", date: "2024-03-02T10:00:00.000Z" },
      idMemberCreator: "5f5e10020000000000000009",
      memberCreator: { fullName: "Priya N", username: "priya9" },
      data: { card: { id: CARDS.full }, text: "Left the board" },
    },
    {
      ...{ id: "5f5e10060000000000000001", type: "commentCard", date: "2024-03-01T10:00:00.000Z" },
      idMemberCreator: MEMBERS.rohan,
      data: { card: { id: CARDS.full }, text: "**Hm**\u0000" },
    },
    {
      ...{ id: "5f5e10060000000000000003", type: "commentCard", date: "2024-03-03T10:00:00.000Z" },
      idMemberCreator: MEMBERS.rohan,
      data: { card: { id: "5f5e10070000000000000001" }, text: "On a card that is gone" },
    },
    { type: "updateBoard", idMemberCreator: MEMBERS.rohan, data: {} },
  ],
  cards: [
    { id: CARDS.plain, name: "Plain", desc: "As it is", closed: false, idList: LISTS.ideas, idMembers: [] },
    {
      id: CARDS.full,
      name: "Full",
      desc: "First line",
      closed: false,
      due: "2024-05-01T20:00:00.000Z",
      dueComplete: true,
      start: "2024-04-01T00:00:00.000Z",
      idList: LISTS.doing,
      idMembers: [MEMBERS.rohan, MEMBERS.twin],
      labels: [
        { name: "", color: "green" },
        { name: "Ask\n first", color: "sky_dark" },
        { name: "", color: null },
      ],
      attachments: [
        { name: "plan.pdf", url: "https://trello.com/plan.pdf", isUpload: true },
        { name: "Tides", url: "https://tides.example/", isUpload: false },
      ],
      badges: { comments: 5 },
      pluginData: [{}],
      idMembersVoted: [MEMBERS.rohan],
      locationName: "The quay",
    },
    { id: CARDS.kept, name: "Kept", desc: "", closed: true, idList: LISTS.old, idMembers: [MEMBERS.mitali] },
    { name: "No card" },
  ],
  lists: [
    { id: LISTS.ideas, name: "Ideas", closed: false },
    { id: LISTS.doing, name: "Doing = now", closed: false },
    { id: LISTS.old, name: "Old", closed: true },
    { name: "Without an id" },
  ],
  members: [
    { id: MEMBERS.rohan, fullName: " rohan ŞAHİN", username: "rohan1" },
    { id: MEMBERS.mitali, fullName: "M. D.", username: "mitali1" },
    { id: MEMBERS.twin, fullName: "Asha Rao", username: "asha1" },
  ],
  memberships: [
    { idMember: MEMBERS.rohan, memberType: "admin" },
    { idMember: MEMBERS.mitali, memberType: "observer" },
  ],
  checklists: [
    { idCard: CARDS.full, name: "Later", pos: 2, checkItems: [] },
    {
      idCard: CARDS.full,
      name: "Now",
      pos: 1,
      checkItems: [
        { name: "second", state: "incomplete", pos: 2, due: "2024-03-01T10:00:00.000Z", idMember: null },
        { name: "first", state: "complete", pos: 1 },
      ],
    },
  ],
};
const MAPPED = [
  "--map",
  "ideas=todo",
  "--map",
  "Doing = now=inProgress",
  "--map-member",
  "mitali1=mitali@firm.example",
];

let database: TestDatabase;
let folder: string;
let rohan: UserRow;
let mitali: UserRow;
let admin: UserRow;

beforeAll(async () => {
  database = await createTestDatabase();
  admin = await makeUser(database.db, { name: "Asha Rao", accountType: "admin" });
  await makeUser(database.db, { name: "Asha Rao" });
  rohan = await makeUser(database.db, { name: "Rohan ŞAHİN" });
  // Not the one on the board: whoever signs up gives themselves a name.
  await makeUser(database.db, { name: "Rohan ŞAHİN", accountStatus: "pending" });
  mitali = await makeUser(database.db, { name: "Mitali Deshpande", email: "mitali@firm.example" });
  folder = await mkdtemp(join(tmpdir(), "sangam-trello-"));
  await writeFile(join(folder, "board.json"), JSON.stringify(BOARD, null, 1));
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

function run(args: string[], ask: ((question: string) => Promise<string>) | null = null) {
  return runImportCommand({
    args: ["board.json", "--from", "trello", ...args],
    connection: database.connection,
    folder,
    show: () => {},
    ask,
    timeZone: "Asia/Kolkata",
    intake: intakeBelow(folder),
  });
}

async function reportOf(...args: string[]) {
  const { ok, sentence } = await run([...args, "--report", "report.json"]);
  expect({ ok, sentence }).toMatchObject({ ok: true });
  return JSON.parse(await readFile(join(folder, "report.json"), "utf8"));
}

test("lists need a status: without one, the options to add are named, and nothing is imported", async () => {
  expect(await run(["--map", "Ideas=todo"])).toEqual({
    ok: false,
    sentence: expect.stringContaining('--map "Doing = now=inProgress"'),
  });
  expect((await run(["--map", "Ideas=later"])).sentence).toContain("todo, inProgress or completed");
  expect((await run(["--map", "Idea=todo"])).sentence).toContain('the board has "Ideas", "Doing = now"');
  expect((await run([...MAPPED, "--map-member", "nobody=a@firm.example"])).sentence).toContain('"M. D."');
  expect((await run([...MAPPED, "--map-member", "rohan1=a"])).sentence).toContain("no email");
  expect((await run(["--map", "Ideas"])).sentence).toContain('"Name=value"');
  expect(await database.db.$count(projects)).toBe(0);
});

test("who is there is asked for each list that has no status, again after a wrong answer", async () => {
  const asked: string[] = [];
  const answers = ["soon", "todo", ""];
  const { ok, sentence } = await run(["--dry-run"], async (question) => {
    asked.push(question);
    return answers[asked.length - 1] ?? "";
  });
  expect({ ok, sentence }).toMatchObject({ ok: true, sentence: expect.stringContaining("would import") });
  expect(asked.map((question) => /"(.*)".*\[(.*)\]/.exec(question)?.slice(1))).toEqual([
    ["Ideas", "todo"],
    ["Ideas", "todo"],
    ["Doing = now", "inProgress"],
  ]);
});

test("a file that is no board is refused, as is a board without --from", async () => {
  await writeFile(join(folder, "list.json"), '{\n  "users": {}\n}');
  const { connection } = database;
  const call = (args: string[]) =>
    runImportCommand({
      args,
      connection,
      folder,
      show: () => {},
      ask: null,
      timeZone: "UTC",
      intake: intakeBelow(folder),
    });
  expect((await call(["list.json", "--from", "trello"])).sentence).toBe(
    "Line 3, column 1: this is no board that Trello has exported as JSON.",
  );
  expect((await call(["list.json", "--from", "jira"])).sentence).toMatch(/^Usage/);
  expect((await call(["list.json", "--map", "Ideas=todo"])).sentence).toMatch(/^Usage/);
});

test("a dry run says what the import then does, and leaves nothing", async () => {
  const dry = await reportOf("--dry-run", ...MAPPED);
  expect(await database.db.$count(projects)).toBe(0);
  expect(await reportOf(...MAPPED)).toEqual(dry);
  expect(dry.imported).toEqual({ users: 0, projects: 1, tasks: 3, comments: 2, conversations: 0, messages: 0 });
  const stranger = { kind: "comment", field: "authorId", from: "5f5e10020000000000000009", to: admin.id };
  expect(dry.changed).toEqual(expect.arrayContaining([expect.objectContaining(stranger)]));
});

test("a board is a project of its members, and its cards are tasks with their checklists, in their lists' status", async () => {
  const [project] = await database.db.select().from(projects);
  expect(project).toMatchObject({
    title: "Harbour",
    description: "Harbour",
    status: "inProgress",
    createdBy: rohan.id,
  });
  const people = await database.db
    .select()
    .from(projectMembers)
    .where(eq(projectMembers.projectId, project?.id ?? ""));
  expect(people.map(({ userId, role }) => [userId, role]).sort()).toEqual(
    [
      [rohan.id, "assigned"],
      [rohan.id, "manager"],
    ].sort(),
  );
  const found = await database.db.select().from(tasks).orderBy(asc(tasks.number));
  expect(found).toMatchObject([
    { title: "Plain", description: "As it is", status: "todo", dueDate: null, createdBy: admin.id },
    {
      title: "Full",
      description: "First line\n\nNow\n- [x] first\n- [ ] second\n\nLater\n\n- Tides: https://tides.example/",
      status: "completed",
      // In Kolkata.
      dueDate: "2024-05-02",
      createdBy: rohan.id,
    },
    { title: "Kept", description: "Kept", status: "completed", createdBy: admin.id },
  ]);
  const assigned = await database.db.select().from(taskAssignees).orderBy(asc(taskAssignees.userId));
  expect(assigned.map(({ taskId, userId }) => [taskId, userId])).toEqual(
    [
      [found[1]?.id, rohan.id],
      [found[2]?.id, mitali.id],
    ].sort(([, one], [, other]) => ((one ?? "") < (other ?? "") ? -1 : 1)),
  );
});

test("labels are the task's, and comments its team's, by whom and when they were written", async () => {
  const named = await database.db
    .select({ task: tasks.title, name: labels.name, colour: labels.colour })
    .from(taskLabels)
    .innerJoin(labels, eq(labels.id, taskLabels.labelId))
    .innerJoin(tasks, eq(tasks.id, taskLabels.taskId))
    .orderBy(asc(labels.name));
  expect(named).toEqual([
    { task: "Full", name: "Ask first", colour: "blue" },
    { task: "Full", name: "green", colour: "green" },
  ]);
  const written = await database.db
    .select({
      ...{ task: tasks.title, authorId: comments.authorId, visibility: comments.visibility, text: comments.text },
      createdAt: comments.createdAt,
    })
    .from(comments)
    .innerJoin(discussions, eq(discussions.id, comments.discussionId))
    .innerJoin(tasks, eq(tasks.id, discussions.taskId))
    .orderBy(asc(comments.seq));
  const ofTeam = { task: "Full", visibility: "team" };
  expect(written).toEqual([
    { ...ofTeam, authorId: rohan.id, text: "**Hm**", createdAt: new Date("2024-03-01T10:00:00Z") },
    { ...ofTeam, authorId: admin.id, text: "Priya N: Left the board", createdAt: new Date("2024-03-02T10:00:00Z") },
  ]);
  expect(await database.db.$count(notifications)).toBe(0);
});

test("what a task has no place for, and whom nobody knows, stands in the report; a second run adds nothing", async () => {
  const report = await reportOf(...MAPPED);
  expect(report.imported).toEqual({ users: 0, projects: 0, tasks: 0, conversations: 0, messages: 0 });
  const full = `${BOARD_ID}/${CARDS.full}`;
  expect(report.unmatched).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ kind: "user", id: MEMBERS.twin, field: "name", value: "Asha Rao" }),
      expect.objectContaining({ kind: "project", id: BOARD_ID, field: "memberships", value: "M. D." }),
      expect.objectContaining({ kind: "task", id: full, field: "labels", value: null }),
      expect.objectContaining({
        ...{ kind: "task", id: full, field: "attachments" },
        value: "plan.pdf https://trello.com/plan.pdf",
      }),
      expect.objectContaining({ kind: "task", id: full, field: "comments", value: 3 }),
      expect.objectContaining({ kind: "task", id: full, field: "checklists", value: 1 }),
      expect.objectContaining({ kind: "task", id: full, field: "pluginData", value: 1 }),
      expect.objectContaining({ kind: "task", id: full, field: "idMembersVoted", value: 1 }),
      expect.objectContaining({ kind: "task", id: full, field: "locationName", value: "The quay" }),
      expect.objectContaining({ kind: "comment", field: "taskId", value: "5f5e10070000000000000001" }),
      expect.objectContaining({ kind: "task", id: full, field: "start" }),
      expect.objectContaining({ kind: "task", id: full, field: "assignedTo", value: MEMBERS.twin }),
      expect.objectContaining({ kind: "task", id: `${BOARD_ID}/3`, field: "" }),
      expect.objectContaining({ kind: "collection", id: "actions", value: 2 }),
      expect.objectContaining({ kind: "project", id: BOARD_ID, field: "lists/3" }),
    ]),
  );
  expect(report.changed).toEqual(
    expect.arrayContaining([
      expect.objectContaining({ id: `${BOARD_ID}/${CARDS.kept}`, field: "closed", to: "completed" }),
      expect.objectContaining({ id: full, field: "status", from: "inProgress", to: "completed" }),
      expect.objectContaining({ id: full, field: "labels", from: "sky_dark", to: "blue" }),
    ]),
  );
});
