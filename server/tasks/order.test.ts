import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeProject, makeTask, makeUser, type UserRow } from "../../db/factories";
import { appendedRank, appendedRankOf, rankBetween } from "../../db/ranks";
import { projects, tasks } from "../../db/schema";
import { DAY_MS } from "../contract/days";
import { createTestCallers, refusal, type TestCaller, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

let database: TestDatabase;
let callers: TestCallers;
let rohan: UserRow;
let caller: TestCaller;

beforeAll(async () => {
  database = await createTestDatabase({ readTimeoutMs: 60_000, writeTimeoutMs: 60_000 });
  callers = createTestCallers(database.db);
  rohan = await makeUser(database.db);
  caller = await callers.as(rohan);
});
afterAll(() => database.close());

describe("ranks", () => {
  test("the database and the server give a number the same rank, and ranks sort like their numbers", async () => {
    const numbers = [1, 9, 10, 61, 62, 63, 3_843, 3_844, 238_327, 238_328, 14_776_335];
    for (const number of numbers) {
      const { db } = database;
      const project = await makeProject(db, { createdBy: rohan.id });
      await db.update(projects).set({ lastTaskNumber: number }).where(eq(projects.id, project.id));
      const [row] = await db
        .select({ rank: appendedRankOf(projects.lastTaskNumber) })
        .from(projects)
        .where(eq(projects.id, project.id));
      expect(row?.rank).toBe(appendedRank(number));
    }
    const ranks = numbers.map(appendedRank);
    expect(ranks.toSorted()).toEqual(ranks);
  });

  test("a move to the end stays before the next new task, however often", () => {
    let last = appendedRank(5);
    for (let time = 0; time < 50; time += 1) {
      const next = rankBetween(last, null, { lastNumber: 5 });
      expect(next > last && next < appendedRank(6)).toBe(true);
      last = next;
    }
  });
});

describe("moving a task", () => {
  test("puts it right after the other one, or first, and leaves its version alone", async () => {
    const { projectId, ids } = await threeTasks();
    const [a, b, c] = ids;
    expect(await caller.tasks.move({ taskId: c, afterTaskId: null })).toMatchObject({ id: c, version: 1 });
    expect(await order(projectId)).toEqual([c, a, b]);
    await caller.tasks.move({ taskId: c, afterTaskId: a });
    expect(await order(projectId)).toEqual([a, c, b]);
    await caller.tasks.move({ taskId: a, afterTaskId: b });
    expect(await order(projectId)).toEqual([c, b, a]);
  });

  test("keeps the order when it moves to where it stands, or after itself, and then tells nobody", async () => {
    const { projectId, ids } = await threeTasks();
    const before = await changeSeq(projectId);
    await caller.tasks.move({ taskId: ids[1], afterTaskId: ids[0] });
    await caller.tasks.move({ taskId: ids[1], afterTaskId: ids[1] });
    await caller.tasks.move({ taskId: ids[0], afterTaskId: null });
    expect(await order(projectId)).toEqual(ids);
    expect(await changeSeq(projectId)).toBe(before);
  });

  test("a task that is made after a move to the end stands behind it", async () => {
    const { projectId, ids } = await threeTasks();
    await caller.tasks.move({ taskId: ids[0], afterTaskId: ids[2] });
    const made = await caller.tasks.create({ projectId, title: "New", description: "Last." });
    expect((await order(projectId)).at(-1)).toBe(made.id);
  });

  test("completed tasks stand after open ones, wherever they were moved to", async () => {
    const { projectId, ids } = await threeTasks();
    await caller.tasks.setCompleted({ taskId: ids[0], completed: true });
    await caller.tasks.move({ taskId: ids[0], afterTaskId: null });
    expect(await order(projectId)).toEqual([ids[1], ids[2], ids[0]]);
  });

  test("two hundred moves at once leave every task with a place of its own", async () => {
    const project = await makeProject(database.db, { createdBy: rohan.id });
    const made = await Promise.all(
      Array.from({ length: 12 }, () => makeTask(database.db, { projectId: project.id, createdBy: rohan.id })),
    );
    const pick = (at: number) => made[at % made.length]?.id ?? "";
    await Promise.all(
      Array.from({ length: 200 }, (_, at) =>
        at % 10 === 0
          ? caller.tasks.create({ projectId: project.id, title: `New ${at}`, description: "Beside the moves." })
          : caller.tasks.move({ taskId: pick(at * 7), afterTaskId: at % 5 === 0 ? null : pick(at * 3) }),
      ),
    );
    const ranks = (await caller.tasks.list({ projectId: project.id })).map(({ rank }) => rank);
    expect(ranks).toHaveLength(32);
    expect(new Set(ranks).size).toBe(32);
    expect(ranks.toSorted()).toEqual(ranks);
  });

  test("keys that grow too long are made short again, and the order stays", async () => {
    const { projectId, ids } = await threeTasks();
    const [a, b, c] = ids;
    for (let time = 0; time < 200; time += 1) await caller.tasks.move({ taskId: time % 2 ? b : c, afterTaskId: a });
    const listed = await caller.tasks.list({ projectId });
    expect(listed.map(({ id }) => id)).toEqual([a, b, c]);
    expect(Math.max(...listed.map(({ rank }) => rank.length))).toBeLessThanOrEqual(40);
    const made = await caller.tasks.create({ projectId, title: "New", description: "Last." });
    expect((await order(projectId)).at(-1)).toBe(made.id);
  });

  test("a task of another project is no place to move to, be it visible or not", async () => {
    const { projectId, ids } = await threeTasks();
    const own = await threeTasks();
    const foreign = await makeForeignTask();
    const unknown = await refusal(caller.tasks.move({ taskId: ids[0], afterTaskId: randomUUID() }));
    expect(unknown.code).toBe("NOT_FOUND");
    expect(await refusal(caller.tasks.move({ taskId: ids[0], afterTaskId: own.ids[0] }))).toEqual(unknown);
    expect(await refusal(caller.tasks.move({ taskId: ids[0], afterTaskId: foreign }))).toEqual(unknown);
    expect(await order(projectId)).toEqual(ids);
  });
});

describe("my tasks", () => {
  test("are those assigned to me that I may see: by due day, without one last, then what I completed lately", async () => {
    const user = await makeUser(database.db);
    const mine = await callers.as(user);
    const project = await makeProject(database.db, { createdBy: user.id });
    const gone = await makeProject(database.db, { createdBy: rohan.id });
    const make = (title: string, changes: object = {}) =>
      makeTask(database.db, { projectId: project.id, createdBy: user.id, assignedTo: [user.id], title, ...changes });
    await make("No date");
    await make("Later", { dueDate: "2027-01-01" });
    await make("Sooner", { dueDate: "2026-01-01" });
    await make("Done", { status: "completed", dueDate: "2025-01-01" });
    await make("Done long ago", { status: "completed" });
    await database.db
      .update(tasks)
      .set({ completedAt: new Date(Date.now() - 2 * DAY_MS) })
      .where(eq(tasks.title, "Done long ago"));
    await make("Somebody else's", { assignedTo: [rohan.id] });
    await make("In a project I left", { projectId: gone.id });
    await mine.tasks.update({
      taskId:
        (await mine.tasks.list({ projectId: project.id })).find(({ title }) => title === "Done long ago")?.id ?? "",
      patch: { description: "Other words do not bring it back." },
    });
    const { items, open } = await mine.tasks.mine();
    expect(items.map(({ title }) => title)).toEqual(["Sooner", "Later", "No date", "Done"]);
    expect(items[0]?.project).toEqual({ id: project.id, key: project.key, title: project.title });
    expect(open).toBe(3);
  });

  test("are for a client those of their own projects, whoever they are assigned to", async () => {
    const client = await makeUser(database.db, { accountType: "client" });
    const own = await makeProject(database.db, { createdBy: rohan.id, clientId: client.id });
    const foreign = await makeProject(database.db, { createdBy: rohan.id });
    const make = (projectId: string, title: string, changes: object = {}) =>
      makeTask(database.db, { projectId, createdBy: rohan.id, title, ...changes });
    await make(own.id, "Assigned", { assignedTo: [rohan.id, (await makeUser(database.db)).id] });
    await make(own.id, "Nobody's", { dueDate: "2026-01-01" });
    await make(own.id, "Done", { status: "completed" });
    await make(foreign.id, "Elsewhere");
    const { items, open } = await (await callers.as(client)).tasks.mine();
    expect(items.map(({ title }) => title)).toEqual(["Nobody's", "Assigned", "Done"]);
    expect(open).toBe(2);
  });
});

async function threeTasks(): Promise<{ projectId: string; ids: [string, string, string] }> {
  const project = await makeProject(database.db, { createdBy: rohan.id });
  const make = async () => (await makeTask(database.db, { projectId: project.id, createdBy: rohan.id })).id;
  return { projectId: project.id, ids: [await make(), await make(), await make()] };
}

async function makeForeignTask(): Promise<string> {
  const other = await makeUser(database.db);
  const project = await makeProject(database.db, { createdBy: other.id });
  return (await makeTask(database.db, { projectId: project.id, createdBy: other.id })).id;
}

async function order(projectId: string): Promise<string[]> {
  return (await caller.tasks.list({ projectId })).map(({ id }) => id);
}

async function changeSeq(projectId: string): Promise<number | undefined> {
  const [row] = await database.db
    .select({ changeSeq: projects.changeSeq })
    .from(projects)
    .where(eq(projects.id, projectId));
  return row?.changeSeq;
}
