import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeProject, makeTask, makeUser, type UserRow } from "../../db/factories";
import { makeRepository } from "../../db/repository-factory";
import { createTestCallers, type TestCaller, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

let database: TestDatabase;
let callers: TestCallers;
let rohan: UserRow;
let meera: UserRow;
let admin: TestCaller;
let client: TestCaller;
let counter = 0;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  rohan = await makeUser(database.db);
  meera = await makeUser(database.db, { accountType: "client" });
  client = await callers.as(meera);
  admin = await callers.as(await makeUser(database.db, { accountType: "admin" }));
});
beforeEach(async () => {
  await database.sql`delete from projects`;
  await database.sql`delete from repositories`;
});
afterAll(() => database.close());

const commitsOf = (count: number, message = "Change") =>
  Array.from({ length: count }, (_, at) => {
    counter += 1;
    return { sha: counter.toString(16).padStart(40, "0"), message: `${message} ${at}`, authorName: "Rohan Shah" };
  });

async function withTask() {
  counter += 1;
  const key = `HBP${counter}`;
  const repository = await makeRepository(database.db, {
    fullName: `konkan/tasks-${counter}`,
    commits: commitsOf(7, `${key}-1: step`).map((commit, at) => ({
      ...commit,
      message: `${commit.message}\n\nMore.`,
      mentions: [{ projectKey: key, taskNumber: 1, closes: at === 2 }],
    })),
  });
  const githubRepo = `https://github.com/${repository.fullName}`;
  const project = await makeProject(database.db, {
    key,
    createdBy: rohan.id,
    clientId: meera.id,
    repositoryId: repository.id,
    githubRepo,
  });
  const task = await makeTask(database.db, { projectId: project.id, createdBy: rohan.id, title: "Week view" });
  await makeTask(database.db, { projectId: project.id, createdBy: rohan.id });
  return { project, task, repository, key };
}

test("a task shows the newest five that name it, to employees too, and which of them finishes it", async () => {
  const { project, task } = await withTask();
  const employee = await callers.as(rohan);
  const [named, other] = await employee.tasks.list({ projectId: project.id });
  expect(named?.id).toBe(task.id);
  expect(named?.commits).toHaveLength(5);
  expect(named?.commits?.map(({ closes }) => closes)).toEqual([false, false, true, false, false]);
  expect(named?.commits?.[0]).toMatchObject({
    title: expect.stringMatching(/-1: step 0$/),
    authorName: "Rohan Shah",
    date: expect.stringMatching(/Z$/),
  });
  expect(other?.commits).toEqual([]);
});

test("the client's timeline says which task a commit names", async () => {
  const { task } = await withTask();
  const { items } = await client.github.commits();
  expect(items[2]?.tasks).toEqual([{ id: task.id, number: 1, title: "Week view", completed: false, closes: true }]);
});

test("a repository of two clients' projects shows each of them the own project and its tasks, and no other", async () => {
  const { project, task, repository } = await withTask();
  const kabir = await makeUser(database.db, { accountType: "client" });
  const other = await makeProject(database.db, {
    createdBy: rohan.id,
    clientId: kabir.id,
    repositoryId: repository.id,
    githubRepo: `https://github.com/${repository.fullName}`,
    title: "Kabir's own",
  });
  await makeTask(database.db, { projectId: other.id, createdBy: rohan.id, title: "Kabir's task" });
  const [hers, his] = [await client.github.commits(), await (await callers.as(kabir)).github.commits()];
  expect(hers.items.map(({ sha }) => sha)).toEqual(his.items.map(({ sha }) => sha));
  expect(new Set(hers.items.map((item) => item.project.id))).toEqual(new Set([project.id]));
  expect(hers.items[0]?.tasks).toMatchObject([{ id: task.id }]);
  expect(JSON.stringify(hers)).not.toContain("Kabir");
  // The key is the other project's: here it names nothing.
  expect(his.items.flatMap((item) => item.tasks)).toEqual([]);
  expect(JSON.stringify(his)).not.toContain("Week view");
  // Whoever loses the project loses its commits with it.
  await admin.projects.update({ projectId: project.id, version: 1, patch: { clientId: kabir.id } });
  expect(await client.github.commits()).toMatchObject({ items: [], problems: [], repositories: 0 });
  expect((await (await callers.as(kabir)).github.commits()).items).toHaveLength(14);
});

test("a task that is made after the commit that names it shows it, and one that is deleted is named no more", async () => {
  const { project, repository, key } = await withTask();
  await database.sql`update commit_mentions set task_number = 3 where repository_id = ${repository.id}`;
  expect((await client.github.commits()).items.flatMap((item) => item.tasks)).toEqual([]);
  const made = await admin.tasks.create({ projectId: project.id, title: "Later", description: "Later." });
  expect([key, made.number]).toEqual([project.key, 3]);
  expect((await admin.tasks.list({ projectId: project.id })).find(({ id }) => id === made.id)?.commits).toHaveLength(5);
  await admin.tasks.delete({ taskId: made.id });
  expect((await client.github.commits()).items.flatMap((item) => item.tasks)).toEqual([]);
  expect((await client.github.commits()).items).toHaveLength(7);
});

test("a key counts only in a repository that the very project links to", async () => {
  const { project, repository, key } = await withTask();
  const other = await makeRepository(database.db, {
    fullName: "konkan/elsewhere",
    commits: commitsOf(1).map((commit) => ({
      ...commit,
      mentions: [{ projectKey: key, taskNumber: 2, closes: true }],
    })),
  });
  await makeProject(database.db, {
    createdBy: rohan.id,
    repositoryId: other.id,
    githubRepo: "https://github.com/konkan/elsewhere",
  });
  const list = () => admin.tasks.list({ projectId: project.id });
  expect((await list())[1]?.commits).toEqual([]);
  await database.sql`update repositories set withheld = true where id = ${repository.id}`;
  expect((await list())[0]?.commits).toEqual([]);
  await database.sql`update projects set repository_id = ${other.id} where id = ${project.id}`;
  expect((await list()).map(({ commits }) => commits?.length)).toEqual([0, 1]);
});
