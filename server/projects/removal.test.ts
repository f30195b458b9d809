import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeProject, makeTask, makeUser } from "../../db/factories";
import { createTestCallers, refusal, type TestCaller, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

/*
 * Somebody is removed from a project between the check of their call and the lock that it waits for: the answer is that of
 * an id that does not exist, and no row of the project leaves with it.
 */

let database: TestDatabase;
let callers: TestCallers;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
});
afterAll(() => database.close());

type Call = (caller: TestCaller, ids: { projectId: string; taskId: string }) => Promise<unknown>;

const CALLS: [string, Call][] = [
  [
    "projects.update",
    (caller, { projectId }) => caller.projects.update({ projectId, version: 1, patch: { title: "Mine" } }),
  ],
  [
    "tasks.update with a stale version",
    (caller, { taskId }) => caller.tasks.update({ taskId, version: 7, patch: { title: "Mine" } }),
  ],
  ["tasks.update", (caller, { taskId }) => caller.tasks.update({ taskId, patch: { title: "Mine" } })],
  ["tasks.setCompleted", (caller, { taskId }) => caller.tasks.setCompleted({ taskId, completed: true })],
  ["tasks.move", (caller, { taskId }) => caller.tasks.move({ taskId, afterTaskId: null })],
  ["tasks.delete", (caller, { taskId }) => caller.tasks.delete({ taskId })],
];

test.each(CALLS)("%s that waited while its caller was removed answers as for an unknown id", async (_name, call) => {
  const owner = await makeUser(database.db);
  const member = await makeUser(database.db);
  const assignedTo = [owner.id, member.id];
  const project = await makeProject(database.db, { createdBy: owner.id, title: "Secret tender", assignedTo });
  const task = await makeTask(database.db, { projectId: project.id, createdBy: owner.id, title: "Secret task" });
  const asMember = await callers.as(member);
  let waiting: Promise<unknown> = Promise.resolve();
  await database.sql.begin(async (sql) => {
    await sql`update projects set version = version + 1 where id = ${project.id}`;
    await sql`delete from project_members where project_id = ${project.id} and user_id = ${member.id}`;
    waiting = call(asMember, { projectId: project.id, taskId: task.id });
    waiting.catch(() => {});
    await database.untilWaiting();
  });
  const refused = await refusal(waiting);
  expect(refused).toEqual(await refusal(call(asMember, { projectId: randomUUID(), taskId: randomUUID() })));
  expect(refused.code).toBe("NOT_FOUND");
  expect(JSON.stringify(refused)).not.toContain("Secret");
});
