import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeProject, makeUser, type UserRow } from "../../db/factories";
import { projects, taskAssignees, tasks } from "../../db/schema";
import { createTestCallers, type TestCaller } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { repairTaskTotals } from "./totals";

let database: TestDatabase;
let caller: TestCaller;
let rohan: UserRow;
let mitali: UserRow;
let asha: UserRow;

beforeAll(async () => {
  database = await createTestDatabase();
  rohan = await makeUser(database.db, { name: "Rohan" });
  mitali = await makeUser(database.db, { name: "Mitali" });
  asha = await makeUser(database.db, { name: "Asha", accountType: "admin" });
  caller = await createTestCallers(database.db).as(rohan);
});
afterAll(() => database.close());

/** What a project shows of its tasks, after it was found to be what the tasks themselves say. */
async function agreed(projectId: string) {
  const { taskCounts, people } = await caller.projects.byId({ projectId });
  const list = await caller.tasks.list({ projectId });
  expect(taskCounts).toEqual({ total: list.length, completed: list.filter(({ completed }) => completed).length });
  const [row] = await database.db.select().from(projects).where(eq(projects.id, projectId));
  expect([...new Set(row?.taskAssigneeIds)].sort()).toEqual(
    [...new Set(list.flatMap(({ assignedTo }) => assignedTo))].sort(),
  );
  return { ...taskCounts, people: people.map(({ name }) => name).sort() };
}

test("what a project shows of its tasks agrees with them after each change of one", async () => {
  const { id: projectId } = await caller.projects.create({
    title: "Harbour",
    description: "Slots.",
    startDate: "2026-11-20",
    status: "todo",
    assignedTo: [mitali.id],
    managers: [],
    tasks: [
      { title: "One", description: "First." },
      { title: "Two", description: "Done.", status: "completed" },
    ],
  });
  const fields = { projectId, title: "Receipt", description: "On one page." };
  expect(await agreed(projectId)).toEqual({ total: 2, completed: 1, people: ["Mitali", "Rohan"] });
  const plain = await caller.tasks.create(fields);
  const done = await caller.tasks.create({ ...fields, status: "completed", assignedTo: [asha.id, mitali.id] });
  expect(await agreed(projectId)).toEqual({ total: 4, completed: 2, people: ["Asha", "Mitali", "Rohan"] });
  await caller.tasks.setCompleted({ taskId: plain.id, completed: true });
  await caller.tasks.setCompleted({ taskId: plain.id, completed: true });
  expect(await agreed(projectId)).toMatchObject({ completed: 3 });
  await caller.tasks.setCompleted({ taskId: done.id, completed: false });
  await caller.tasks.update({ taskId: plain.id, patch: { status: "inProgress" } });
  await caller.tasks.update({ taskId: plain.id, patch: { title: "New" } });
  expect(await agreed(projectId)).toMatchObject({ completed: 1 });
  await caller.tasks.update({ taskId: plain.id, patch: { status: "completed", assignedTo: [mitali.id] } });
  await caller.tasks.move({ taskId: plain.id, afterTaskId: null });
  expect(await agreed(projectId)).toMatchObject({ completed: 2, people: ["Asha", "Mitali", "Rohan"] });
  await caller.projects.update({ projectId, version: 1, patch: { assignedTo: [rohan.id] } });
  expect(await agreed(projectId)).toMatchObject({ people: ["Asha", "Rohan"] });
  await caller.tasks.delete({ taskId: done.id });
  expect(await agreed(projectId)).toEqual({ total: 3, completed: 2, people: ["Rohan"] });
});

test("they agree when tasks are written at once", async () => {
  const { id: projectId } = await makeProject(database.db, { createdBy: rohan.id, assignedTo: [mitali.id] });
  const fields = { projectId, title: "Receipt", description: "On one page." };
  const made = await Promise.all(
    Array.from({ length: 12 }, (_, at) =>
      caller.tasks.create({ ...fields, ...(at % 3 === 0 && { assignedTo: [mitali.id] }) }),
    ),
  );
  await Promise.all(
    made.map(({ id: taskId }, at) => {
      if (at % 4 === 0) return caller.tasks.delete({ taskId });
      if (at % 4 === 1) return caller.tasks.setCompleted({ taskId, completed: true });
      if (at % 4 === 2) return caller.tasks.update({ taskId, patch: { status: "completed", assignedTo: [] } });
      return caller.tasks.create(fields);
    }),
  );
  expect(await agreed(projectId)).toMatchObject({ total: 12, completed: 6 });
});

test("what a server of an earlier version wrote is counted, once", async () => {
  const { id: projectId } = await makeProject(database.db, { createdBy: rohan.id });
  const task = await caller.tasks.create({ projectId, title: "Receipt", description: "On one page." });
  await caller.tasks.setCompleted({ taskId: task.id, completed: true });
  await database.db.insert(taskAssignees).values({ taskId: task.id, userId: asha.id });
  await database.db.update(tasks).set({ title: "Other" }).where(eq(tasks.id, task.id));
  await database.db
    .update(projects)
    .set({ taskCount: 0, completedTaskCount: sql`7` })
    .where(eq(projects.id, projectId));
  const changeSeq = async () =>
    (await database.db.select().from(projects).where(eq(projects.id, projectId)))[0]?.changeSeq;
  const before = (await changeSeq()) ?? 0;
  await repairTaskTotals(database.db);
  await repairTaskTotals(database.db);
  expect(await changeSeq()).toBe(before + 1);
  expect(await agreed(projectId)).toEqual({ total: 1, completed: 1, people: ["Asha", "Rohan"] });
});
