import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeComments, makeConversation, makeProject, makeTask, makeUser, type UserRow } from "../../db/factories";
import { files, requests } from "../../db/schema";
import { createTestCallers, refusal, type TestCaller, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

let database: TestDatabase;
let callers: TestCallers;
let rohan: UserRow;
let meera: UserRow;
let caller: TestCaller;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  rohan = await makeUser(database.db, { name: "Rohan Shah" });
  meera = await makeUser(database.db, { name: "Meera Rao", accountType: "client" });
  await makeUser(database.db, { name: "Rohini Pending", accountStatus: "pending" });
  caller = await callers.as(rohan);
});
afterAll(() => database.close());

test("finds projects by title, description and key, tasks by title and by their key, people by name", async () => {
  const project = await makeProject(database.db, {
    createdBy: rohan.id,
    title: "Harbour portal",
    key: "HBP",
    description: "Berths for the fleet.",
  });
  const task = await makeTask(database.db, { projectId: project.id, createdBy: rohan.id, title: "Quay plan" });
  expect((await caller.search.all({ q: "harbour" })).projects).toEqual([
    { id: project.id, key: "HBP", title: "Harbour portal", status: "todo" },
  ]);
  expect((await caller.search.all({ q: "fleet" })).projects).toHaveLength(1);
  expect((await caller.search.all({ q: "hbp" })).projects).toHaveLength(1);
  expect((await caller.search.all({ q: "quay" })).tasks).toEqual([
    {
      id: task.id,
      number: 1,
      title: "Quay plan",
      status: "todo",
      completed: false,
      project: { id: project.id, key: "HBP", title: "Harbour portal" },
    },
  ]);
  expect((await caller.search.all({ q: "hbp-1" })).tasks.map(({ id }) => id)).toEqual([task.id]);
  expect((await caller.search.all({ q: "meera" })).people.map(({ id }) => id)).toEqual([meera.id]);
});

test("never finds what its reader may not see, and people without e-mails", async () => {
  const stranger = await makeUser(database.db, { name: "Stranger Stranger" });
  const hidden = await makeProject(database.db, { createdBy: stranger.id, title: "Secret works" });
  await makeTask(database.db, { projectId: hidden.id, createdBy: stranger.id, title: "Secret task" });
  for (const reader of [caller, await callers.as(meera)]) {
    const { projects, tasks } = await reader.search.all({ q: "secret" });
    expect([projects, tasks]).toEqual([[], []]);
  }
  const asha = await makeUser(database.db, { name: "Asha Kulkarni", accountType: "admin" });
  const all = await (await callers.as(asha)).search.all({ q: "secret" });
  expect([all.projects.length, all.tasks.length]).toEqual([1, 1]);
  expect(JSON.stringify(await caller.search.all({ q: "a" }))).not.toContain("@");
});

test("a client finds only people who share a project, and nobody finds who is not active", async () => {
  const leela = await makeUser(database.db, { name: "Leela Thomas", accountType: "client" });
  const client = await callers.as(leela);
  expect((await client.search.all({ q: "rohan" })).people).toEqual([]);
  await makeProject(database.db, { createdBy: rohan.id, clientId: leela.id });
  expect((await client.search.all({ q: "rohan" })).people.map(({ id }) => id)).toEqual([rohan.id]);
  expect((await caller.search.all({ q: "rohini" })).people).toEqual([]);
});

test("takes wildcards literally, gives eight of a kind at most, and refuses a blank search", async () => {
  for (let at = 0; at < 10; at += 1) {
    await makeProject(database.db, { createdBy: rohan.id, title: `Plan ${at}` });
  }
  const planned = await makeProject(database.db, { createdBy: rohan.id, title: "The plan of plans" });
  const { projects } = await caller.search.all({ q: "plan" });
  expect(projects).toHaveLength(8);
  expect(projects.map(({ id }) => id)).not.toContain(planned.id);
  expect((await caller.search.all({ q: "%" })).projects).toEqual([]);
  expect((await caller.search.all({ q: "P_an" })).projects).toEqual([]);
  expect((await refusal(caller.search.all({ q: "  " }))).code).toBe("BAD_REQUEST");
});

test("finds requests by title and text for whoever sees their project, and for nobody else", async () => {
  const project = await makeProject(database.db, {
    createdBy: rohan.id,
    clientId: meera.id,
    title: "Locks",
    key: "LCK",
  });
  const [request] = await database.db
    .insert(requests)
    .values({ projectId: project.id, createdBy: meera.id, title: "Sluice times", text: "When does it open for dhows?" })
    .returning();
  const found = { id: request?.id, title: "Sluice times", status: "new", project: { key: "LCK" } };
  for (const q of ["sluice", "dhows"])
    for (const reader of [caller, await callers.as(meera)])
      expect((await reader.search.all({ q })).requests).toMatchObject([
        { ...found, excerpt: expect.stringContaining("dhows") },
      ]);
  const stranger = await callers.as(await makeUser(database.db, { accountType: "client" }));
  expect((await stranger.search.all({ q: "sluice" })).requests).toEqual([]);
});

describe("comments, messages and files", () => {
  test("are found by words in any order and by pieces of them, with a line about it and names of whom they mention", async () => {
    const { db } = database;
    const project = await makeProject(db, { createdBy: rohan.id, clientId: meera.id, title: "Tides", key: "TDS" });
    const task = await makeTask(db, { projectId: project.id, createdBy: rohan.id, title: "Gauge" });
    const text = `@[](person:${meera.id}) the barometer at the quay ${"and so on ".repeat(20)} reads millibars`;
    const [id] = await makeComments(db, {
      projectId: project.id,
      taskId: task.id,
      comments: [{ authorId: rohan.id, text, mentions: [meera.id] }],
    });
    for (const q of ["quay barometer", "aromet", "MILLIBAR", "at quay", "millibars - the"]) {
      const { comments } = await caller.search.all({ q });
      expect(comments, q).toMatchObject([{ id, projectId: project.id, taskId: task.id, taskNumber: 1 }]);
    }
    expect((await caller.search.all({ q: "barometer" })).comments[0]?.excerpt).toMatch(/^@Meera Rao the barometer at/);
    expect((await caller.search.all({ q: "millibars" })).comments[0]?.excerpt).toMatch(/^….*reads millibars$/);
    expect((await caller.search.all({ q: "millibars of" })).comments).toEqual([]);
    // An id of somebody mentioned is nothing that anybody wrote.
    expect((await caller.search.all({ q: meera.id.slice(0, 8) })).comments).toEqual([]);
  });

  test("show nobody what they may not see: a client no team comment or file, nobody another's conversation", async () => {
    const { db } = database;
    const asha = await makeUser(db, { accountType: "admin" });
    const project = await makeProject(db, { createdBy: rohan.id, clientId: meera.id, title: "Piers", key: "PRS" });
    await makeComments(db, {
      projectId: project.id,
      comments: [
        { authorId: rohan.id, text: "Zanzibar for the team" },
        { authorId: rohan.id, text: "Zanzibar for the client", visibility: "client" },
      ],
    });
    const file = { uploadedBy: rohan.id, hash: "a".repeat(64), size: 1, type: "text/plain", projectId: project.id };
    await db.insert(files).values([
      { ...file, name: "zanzibar-team.txt", visibility: "team", attachedAt: new Date() },
      { ...file, name: "zanzibar-client.txt", visibility: "client", attachedAt: new Date() },
      { ...file, name: "zanzibar-alone.txt", projectId: null },
    ]);
    const conversation = await makeConversation(db, {
      between: [asha.id, meera.id],
      messages: [{ senderId: meera.id, text: "Zanzibar between two" }],
    });
    const findsOf = async (user: UserRow) => {
      const found = await (await callers.as(user)).search.all({ q: "zanzibar" });
      return [
        found.comments.map(({ excerpt }) => excerpt).sort(),
        found.messages.map(({ conversationId }) => conversationId),
        found.files.map(({ name }) => name).sort(),
      ];
    };
    expect(await findsOf(rohan)).toEqual([
      ["Zanzibar for the client", "Zanzibar for the team"],
      [],
      ["zanzibar-client.txt", "zanzibar-team.txt"],
    ]);
    expect(await findsOf(meera)).toEqual([["Zanzibar for the client"], [conversation.id], ["zanzibar-client.txt"]]);
    expect((await findsOf(asha))[1]).toEqual([conversation.id]);
    expect(await findsOf(await makeUser(db))).toEqual([[], [], []]);
    expect(await findsOf(await makeUser(db, { accountType: "client" }))).toEqual([[], [], []]);
  });
});
