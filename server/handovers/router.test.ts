import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeConversation, makeProject, makeTask, makeUser, type UserRow } from "../../db/factories";
import { auditEvents, projects, requests } from "../../db/schema";
import { createTestCallers, refusal, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

let database: TestDatabase;
let callers: TestCallers;
let asha: UserRow;
let vikram: UserRow;
let rohan: UserRow;
let meera: UserRow;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
});
afterAll(async () => {
  await callers.presence.close();
  await database.close();
});
beforeEach(async () => {
  const { db } = database;
  asha = await makeUser(db, { accountType: "admin" });
  vikram = await makeUser(db, { name: "Vikram Menon", accountType: "admin" });
  rohan = await makeUser(db, { name: "Rohan Iyer" });
  meera = await makeUser(db, { accountType: "client" });
  const project = await makeProject(db, {
    createdBy: vikram.id,
    clientId: meera.id,
    managers: [asha.id],
    assignedTo: [asha.id],
  });
  projectId = project.id;
  const common = { projectId, createdBy: vikram.id, assignedTo: [asha.id] };
  await makeTask(db, { ...common, title: "Open" });
  await makeTask(db, { ...common, title: "Open with Vikram", assignedTo: [asha.id, vikram.id] });
  await makeTask(db, { ...common, title: "Done", status: "completed" });
  await makeConversation(db, { between: [asha.id, meera.id], messages: [{ senderId: meera.id }] });
  await db.insert(requests).values({ projectId, title: "A report", text: "Each month.", createdBy: meera.id });
});

const usersOf = async (user: UserRow) => (await callers.as(user)).users;
const holdings = async () => (await usersOf(vikram)).holdings({ userId: asha.id });

test("what an admin holds goes to another admin: tasks, projects with their requests, and conversations as a cover", async () => {
  expect(await holdings()).toEqual({ tasks: 2, managerOf: 1, conversations: 1, requests: 1 });
  const left = await (await usersOf(vikram)).handOverAll({ userId: asha.id, toUserId: vikram.id });
  expect(left).toEqual({ tasks: 0, managerOf: 0, conversations: 0, requests: 0 });
  const caller = await callers.as(vikram);
  expect(await caller.projects.byId({ projectId })).toMatchObject({ managers: [vikram.id], assignedTo: [asha.id] });
  const assigned = (await caller.tasks.list({ projectId })).map(({ title, assignedTo }) => [title, assignedTo]);
  expect(Object.fromEntries(assigned)).toEqual({
    Open: [vikram.id],
    "Open with Vikram": [vikram.id],
    Done: [asha.id],
  });
  expect(await caller.chat.conversations()).toMatchObject([{ coversFor: { id: asha.id } }]);
  const audit = await database.db.select().from(auditEvents);
  expect(audit.filter(({ subjectId }) => subjectId === asha.id)).toMatchObject([
    { kind: "work.handed-over", actorId: vikram.id, details: { tasks: 2, managerOf: 1, conversations: 1 } },
  ]);
});

test("to a user go tasks and projects, whom they join; conversations only to an admin", async () => {
  const { handOverAll } = await usersOf(vikram);
  expect(await refusal(handOverAll({ userId: asha.id, toUserId: rohan.id }))).toMatchObject({ code: "BAD_REQUEST" });
  expect(await holdings()).toMatchObject({ tasks: 2 });
  await handOverAll({ userId: asha.id, toUserId: rohan.id, parts: ["tasks"] });
  expect(await holdings()).toMatchObject({ tasks: 0, managerOf: 1, conversations: 1 });
  expect(await (await callers.as(rohan)).projects.byId({ projectId })).toMatchObject({
    assignedTo: [asha.id, rohan.id],
    managers: [asha.id],
  });
});

test("of somebody who is deactivated it can still be handed over", async () => {
  await (await usersOf(vikram)).deactivate({ userId: asha.id });
  expect(await holdings()).toMatchObject({ tasks: 2, conversations: 1 });
  await (await usersOf(vikram)).handOverAll({ userId: asha.id, toUserId: vikram.id });
  expect(await holdings()).toEqual({ tasks: 0, managerOf: 0, conversations: 0, requests: 0 });
});

test("conversations never go to somebody who is deactivated while they are handed over", async () => {
  const { db } = database;
  const [kabir, gita] = [await makeUser(db, { accountType: "admin" }), await makeUser(db, { accountType: "admin" })];
  // Gita manages it already, so that the project keeps her.
  const { id } = await makeProject(db, { createdBy: vikram.id, managers: [kabir.id, gita.id] });
  await makeConversation(db, { between: [kabir.id, meera.id], messages: [] });
  const caller = await usersOf(vikram);
  // Somebody edits the project, and the hand-over waits for them after it has asked whether Gita is active.
  const { handing } = await db.transaction(async (tx) => {
    await tx.select().from(projects).where(eq(projects.id, id)).for("no key update");
    const handing = refusal(caller.handOverAll({ userId: kabir.id, toUserId: gita.id }));
    await database.untilWaiting();
    await caller.deactivate({ userId: gita.id });
    return { handing };
  });
  expect(await handing).toMatchObject({ code: "BAD_REQUEST", fieldErrors: { toUserId: [expect.any(String)] } });
  expect(await caller.holdings({ userId: kabir.id })).toMatchObject({ conversations: 1 });
});

test("not to a client, to somebody who is not active, or to themselves", async () => {
  const gone = await makeUser(database.db, { accountStatus: "inactive" });
  const { handOverAll } = await usersOf(vikram);
  for (const toUserId of [meera.id, gone.id, asha.id]) {
    expect((await refusal(handOverAll({ userId: asha.id, toUserId }))).code).toBe("BAD_REQUEST");
  }
});
