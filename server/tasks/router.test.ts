import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeLabel, makeProject, makeTask, makeUser, type UserRow } from "../../db/factories";
import { MESSAGES } from "../contract/messages";
import { createTestCallers, refusal, type TestCaller, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

let database: TestDatabase;
let callers: TestCallers;
let rohan: UserRow;
let asha: UserRow;
let caller: TestCaller;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  rohan = await makeUser(database.db);
  asha = await makeUser(database.db, { accountType: "admin" });
  caller = await callers.as(rohan);
  projectId = (await makeProject(database.db, { createdBy: rohan.id })).id;
});
afterAll(() => database.close());

const create = (changes: object = {}) =>
  caller.tasks.create({ projectId, title: "Receipt PDF", description: "On one page.", ...changes });

const keyOf = async ({ number }: { number: number }) => `${(await caller.projects.byId({ projectId })).key}-${number}`;

test("a new task is open, goes to its creator and takes the next number", async () => {
  const first = await create();
  const second = await create({ dueDate: "2026-12-01" });
  expect(first).toMatchObject({
    status: "todo",
    completed: false,
    dueDate: null,
    assignedTo: [rohan.id],
    createdBy: rohan.id,
    version: 1,
  });
  expect(second.number).toBe(first.number + 1);
  expect(second.dueDate).toBe("2026-12-01");
});

test("a key names a task in capitals or not, and a stranger's task is refused like one that does not exist", async () => {
  const task = await create();
  const key = await keyOf(task);
  const named = await caller.tasks.byKey({ key: key.toLowerCase() });
  expect(named).toEqual({ ...task, commits: [] });
  const stranger = await callers.as(await makeUser(database.db));
  expect(await refusal(stranger.tasks.byKey({ key }))).toEqual(await refusal(caller.tasks.byKey({ key: "ZZZZZ99-1" })));
  for (const malformed of ["", "HBP", "HBP-", "HBP-0", "HBP-1x", "-1", `HBP-${"9".repeat(10)}`]) {
    expect((await refusal(caller.tasks.byKey({ key: malformed }))).code).toBe("BAD_REQUEST");
  }
});

describe("priority, labels and checklist", () => {
  test("come with a new task, change one by one, and stay when other fields change", async () => {
    const [bug, design] = [await makeLabel(database.db), await makeLabel(database.db)];
    const plain = await create();
    expect(plain).toMatchObject({ priority: "none", labelIds: [], checklist: [] });
    const item = { id: randomUUID(), text: "Print one", done: false };
    const task = await create({ priority: "high", labelIds: [bug.id], checklist: [item, { text: "Read it" }] });
    expect(task).toMatchObject({ priority: "high", labelIds: [bug.id] });
    expect(task.checklist).toEqual([item, { id: expect.any(String), text: "Read it", done: false }]);
    const edit = (patch: object) => caller.tasks.update({ taskId: task.id, patch });
    expect((await edit({ labelIds: [design.id, bug.id] })).labelIds.toSorted()).toEqual([bug.id, design.id].sort());
    expect(await edit({ priority: "urgent" })).toMatchObject({ priority: "urgent", checklist: task.checklist });
    expect((await edit({ checklist: task.checklist.toReversed() })).checklist).toEqual(task.checklist.toReversed());
    const last = await edit({ labelIds: [], checklist: [], priority: "none" });
    expect(last).toMatchObject({ priority: "none", labelIds: [], checklist: [], version: 5 });
    const listed = await caller.tasks.list({ projectId });
    expect(listed.find(({ id }) => id === task.id)).toEqual({ ...last, commits: [] });
  });

  test("keep within their limits, and an id that is no label's is refused", async () => {
    const labels = await Promise.all(Array.from({ length: 21 }, () => makeLabel(database.db)));
    const task = await create();
    const items = (count: number) => Array.from({ length: count }, () => ({ text: "x" }));
    const refused = async (patch: object) =>
      Object.keys((await refusal(caller.tasks.update({ taskId: task.id, patch }))).fieldErrors ?? {});
    expect(await refused({ labelIds: labels.map(({ id }) => id) })).toEqual(["patch.labelIds"]);
    expect(await refused({ labelIds: [randomUUID()] })).toEqual(["patch.labelIds"]);
    expect(await refused({ checklist: items(101) })).toEqual(["patch.checklist"]);
    expect(await refused({ checklist: [{ text: "x".repeat(201) }] })).toEqual(["patch.checklist.0.text"]);
    expect(await refused({ checklist: [{ text: " " }] })).toEqual(["patch.checklist.0.text"]);
    const [twice] = [{ id: randomUUID(), text: "x" }];
    expect(await refused({ checklist: [twice, twice] })).toEqual(["patch.checklist"]);
    expect(await refused({ priority: "later" })).toEqual(["patch.priority"]);
    expect((await refusal(create({ labelIds: [randomUUID()] }))).fieldErrors).toHaveProperty("labelIds");
    expect(await caller.tasks.byKey({ key: await keyOf(task) })).toEqual({ ...task, commits: [] });
    await caller.tasks.update({ taskId: task.id, patch: { checklist: items(100) } });
  });

  test("are in the version of a task: an edit of an older one is a conflict that carries it", async () => {
    const task = await create();
    const now = await caller.tasks.update({ taskId: task.id, version: 1, patch: { checklist: [{ text: "One" }] } });
    const stale = await refusal(caller.tasks.update({ taskId: task.id, version: 1, patch: { checklist: [] } }));
    expect(stale).toMatchObject({ code: "CONFLICT", reason: "stale-version", current: now });
  });
});

test("20 tasks created at once take 20 numbers in a row, and a deleted number is never used again", async () => {
  const project = await makeProject(database.db, { createdBy: rohan.id });
  const made = await Promise.all(Array.from({ length: 20 }, () => create({ projectId: project.id })));
  expect(made.map(({ number }) => number).sort((a, b) => a - b)).toEqual(Array.from({ length: 20 }, (_, at) => at + 1));
  const last = made.find(({ number }) => number === 20);
  await caller.tasks.delete({ taskId: last?.id ?? "" });
  expect((await create({ projectId: project.id })).number).toBe(21);
});

test("completed is exactly that the status is completed, and unticking returns to the status before", async () => {
  for (const status of ["todo", "inProgress"] as const) {
    const task = await create({ status });
    expect(await caller.tasks.setCompleted({ taskId: task.id, completed: true })).toMatchObject({
      status: "completed",
      completed: true,
    });
    expect(await caller.tasks.setCompleted({ taskId: task.id, completed: true })).toMatchObject({
      status: "completed",
    });
    expect(await caller.tasks.setCompleted({ taskId: task.id, completed: false })).toMatchObject({
      status,
      completed: false,
    });
  }
  const born = await create({ status: "completed" });
  expect(born.completed).toBe(true);
  expect(await caller.tasks.setCompleted({ taskId: born.id, completed: false })).toMatchObject({ status: "todo" });
});

test("editing the status and ticking agree", async () => {
  const task = await create({ status: "inProgress" });
  expect(await caller.tasks.update({ taskId: task.id, patch: { status: "completed" } })).toMatchObject({
    completed: true,
  });
  expect(await caller.tasks.setCompleted({ taskId: task.id, completed: false })).toMatchObject({
    status: "inProgress",
  });
});

test("open tasks come first, then completed ones, each by number", async () => {
  const project = await makeProject(database.db, { createdBy: rohan.id });
  for (const status of ["completed", "todo", "completed", "inProgress"] as const) {
    await makeTask(database.db, { projectId: project.id, createdBy: rohan.id, status });
  }
  const list = await caller.tasks.list({ projectId: project.id });
  expect(list.map(({ number }) => number)).toEqual([2, 4, 1, 3]);
});

test("a patch changes what it names; a stale version is refused with the task as it is now", async () => {
  const task = await create({ dueDate: "2026-12-01" });
  const edited = await caller.tasks.update({
    taskId: task.id,
    version: task.version,
    patch: { title: "New", dueDate: "" },
  });
  expect(edited).toMatchObject({ title: "New", description: task.description, dueDate: null, version: 2 });
  const stale = await refusal(caller.tasks.update({ taskId: task.id, version: task.version, patch: { title: "Old" } }));
  expect(stale).toMatchObject({
    code: "CONFLICT",
    message: MESSAGES.tasks.stale,
    current: { title: "New", version: 2 },
  });
  expect(await caller.tasks.update({ taskId: task.id, patch: {} })).toMatchObject({ title: "New" });
});

test("assignees are people of the project or admins", async () => {
  const stranger = await makeUser(database.db);
  const client = await makeUser(database.db, { accountType: "client" });
  const member = await makeUser(database.db);
  const project = await makeProject(database.db, { createdBy: rohan.id, managers: [member.id], clientId: client.id });
  for (const id of [stranger.id, client.id, randomUUID()]) {
    const refused = await refusal(create({ projectId: project.id, assignedTo: [id] }));
    expect([refused.code, refused.fieldErrors]).toEqual([
      "BAD_REQUEST",
      { assignedTo: [MESSAGES.tasks.notAssignable] },
    ]);
  }
  const task = await create({ projectId: project.id, assignedTo: [member.id, asha.id] });
  expect([...task.assignedTo].sort()).toEqual([member.id, asha.id].sort());
  const refused = await refusal(caller.tasks.update({ taskId: task.id, patch: { assignedTo: [stranger.id] } }));
  expect(refused.fieldErrors).toEqual({ "patch.assignedTo": [MESSAGES.tasks.notAssignable] });
  expect((await caller.tasks.update({ taskId: task.id, patch: { assignedTo: [] } })).assignedTo).toEqual([]);
});

test("whoever is removed at this very moment neither writes nor stays assigned", async () => {
  const member = await makeUser(database.db);
  const asMember = await callers.as(member);
  for (let round = 0; round < 15; round += 1) {
    const project = await makeProject(database.db, { createdBy: rohan.id, assignedTo: [rohan.id, member.id] });
    await Promise.allSettled([
      caller.projects.update({ projectId: project.id, version: 1, patch: { assignedTo: [rohan.id] } }),
      asMember.tasks.create({ projectId: project.id, title: "Mine", description: "Still." }),
      caller.tasks.create({ projectId: project.id, title: "Yours", description: "Still.", assignedTo: [member.id] }),
    ]);
    const list = await caller.tasks.list({ projectId: project.id });
    expect(list.flatMap(({ assignedTo }) => assignedTo)).not.toContain(member.id);
  }
});

test("a task that waits for somebody's removal to be done is judged after it", async () => {
  const member = await makeUser(database.db);
  const asMember = await callers.as(member);
  const project = await makeProject(database.db, { createdBy: rohan.id, assignedTo: [rohan.id, member.id] });
  let adding: Promise<unknown> = Promise.resolve();
  await database.sql.begin(async (sql) => {
    await sql`update projects set version = version + 1 where id = ${project.id}`;
    await sql`delete from project_members where project_id = ${project.id} and user_id = ${member.id}`;
    adding = asMember.tasks.create({ projectId: project.id, title: "Mine", description: "Still." });
    adding.catch(() => {});
    await database.untilWaiting();
  });
  expect((await refusal(adding)).code).toBe("NOT_FOUND");
});

test("a task is authorised through its own project, never through a second id in the input", async () => {
  const other = await makeUser(database.db);
  const theirs = await makeProject(database.db, { createdBy: other.id });
  const task = await makeTask(database.db, { projectId: theirs.id, createdBy: other.id });
  expect(await refusal(caller.tasks.setCompleted({ taskId: task.id, completed: true }))).toMatchObject({
    code: "NOT_FOUND",
  });
  const attack = { taskId: task.id, projectId, patch: { title: "Mine now" } };
  expect(await refusal(caller.tasks.update(attack))).toMatchObject({
    code: "BAD_REQUEST",
    fieldErrors: { projectId: ["This field cannot be set."] },
  });
  expect((await (await callers.as(other)).tasks.list({ projectId: theirs.id }))[0]).toMatchObject({
    title: "A task",
    completed: false,
  });
});

test.each([
  ["title", " "],
  ["description", ""],
])("a blank %s is refused in the words of the specification", async (field, value) => {
  const refused = await refusal(create({ [field]: value }));
  expect(refused.fieldErrors).toEqual({ [field]: [MESSAGES.tasks.required] });
});

test.each(["completed", "number", "createdBy", "id", "version"])("nobody writes %s of a new task", async (field) => {
  expect((await refusal(create({ [field]: 1 }))).fieldErrors).toEqual({ [field]: ["This field cannot be set."] });
});

test("a task that is deleted meanwhile is not there for anyone", async () => {
  const task = await create();
  await caller.tasks.delete({ taskId: task.id });
  for (const call of [
    () => caller.tasks.delete({ taskId: task.id }),
    () => caller.tasks.setCompleted({ taskId: task.id, completed: true }),
    () => caller.tasks.update({ taskId: task.id, patch: { title: "x" } }),
  ]) {
    expect(await refusal(call())).toMatchObject({ code: "NOT_FOUND", message: MESSAGES.tasks.notFound });
  }
});
