import { afterAll, beforeAll, expect, test } from "vitest";
import { makeProject, makeTask, makeUser, type UserRow } from "../../db/factories";
import type { ActivityChange } from "../contract/views";
import { cursorNow } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { type GitHubServer, gitHubCommit, startGitHubServer } from "../test/github-server";
import { passSeconds, type RepositoryProcess, startRepositoryProcess, untilRead } from "../test/repository-rig";

let database: TestDatabase;
let github: GitHubServer;
/** Two processes on one database: what one reads, watchers of the other receive. */
let here: RepositoryProcess;
let there: RepositoryProcess;
let asha: UserRow;
let rohan: UserRow;
let meera: UserRow;
let kabir: UserRow;
let counter = 0;

beforeAll(async () => {
  [database, github] = await Promise.all([createTestDatabase(), startGitHubServer()]);
  const { db } = database;
  asha = await makeUser(db, { accountType: "admin" });
  rohan = await makeUser(db);
  meera = await makeUser(db, { accountType: "client" });
  kabir = await makeUser(db, { accountType: "client" });
  here = await startRepositoryProcess(database, { apiUrl: github.url });
  there = await startRepositoryProcess(database, { apiUrl: github.url });
});
afterAll(async () => {
  await Promise.all([here.close(), there.close()]);
  await github.close();
  await database.close();
});

async function link(given: { clientId?: string; name?: string } = {}): Promise<{ id: string; name: string }> {
  counter += 1;
  const name = given.name ?? `konkan/repo-${counter}`;
  if (!given.name) github.repositories.set(name, { commits: [gitHubCommit()] });
  const { id } = await makeProject(database.db, { createdBy: rohan.id, clientId: given.clientId ?? null });
  const admin = await here.callers.as(asha);
  await admin.projects.update({ projectId: id, version: 1, patch: { githubRepo: `https://github.com/${name}` } });
  await untilRead(database);
  return { id, name };
}

async function watch(user: UserRow, projectId?: string) {
  const caller = await there.callers.as(user);
  const changes = await caller.github.onChange(projectId ? { projectId } : undefined);
  const iterator: AsyncIterator<ActivityChange> = changes[Symbol.asyncIterator]();
  return {
    next: async () => (await iterator.next()).value,
    /** Resolves once the project's change arrives. */
    async receive(id: string) {
      while (!(await iterator.next()).value?.projectIds.includes(id));
    },
    close: async () => void (await iterator.return?.()),
  };
}

async function push(name: string, message?: string): Promise<void> {
  const present = github.repositories.get(name);
  const older = present && "commits" in present ? present.commits : [];
  github.repositories.set(name, { commits: [gitHubCommit(message ? { message } : {}), ...older] });
  await passSeconds(database, 61);
  await (await here.callers.as(asha)).github.refresh();
  await untilRead(database);
}

test("new commits reach admins and the project's client on another process, and no other client", async () => {
  const [own, other] = [await link({ clientId: meera.id }), await link({ clientId: kabir.id })];
  const watchers = [await watch(asha), await watch(meera), await watch(asha, own.id)];
  const foreign = await watch(kabir);
  const received = Promise.all(watchers.map((watcher) => watcher.receive(own.id)));
  await push(own.name);
  await received;
  // The refresh asked for all: the other client receives the own project, and of that alone.
  expect(await foreign.next()).toEqual({ projectIds: [other.id] });
  const feed = await (await there.callers.as(meera)).github.commits();
  expect(feed.items).toHaveLength(2);
  await Promise.all([...watchers, foreign].map((watcher) => watcher.close()));
});

test("who asked for a refresh is notified that it is done, although nothing was new", async () => {
  const { id } = await link();
  const watcher = await watch(asha, id);
  await passSeconds(database, 61);
  const admin = await here.callers.as(asha);
  expect(await admin.github.refresh({ projectId: id })).toEqual({ now: 1, later: 0 });
  expect(await watcher.next()).toEqual({ projectIds: [id] });
  expect(await admin.github.commits({ projectId: id })).toMatchObject({ refreshing: 0 });
  await watcher.close();
});

test("a reading that finds nothing new makes no page read anything again, whether it succeeds or fails as before", async () => {
  const { name } = await link();
  github.repositories.set("konkan/gone", { status: 404 });
  await link({ name: "konkan/gone" });
  const calls = () => [name, "konkan/gone"].map((repository) => github.requestsFor(repository).length);
  const [of, before] = [calls(), await cursorNow(there.callers)];
  await passSeconds(database, 7 * 3600);
  await untilRead(database);
  expect(calls().every((count, at) => count > (of[at] ?? count))).toBe(true);

  await cursorNow(there.callers);
  const caller = await there.callers.as(asha);
  for await (const first of await caller.live.onEvent({ topics: ["github", "findings"], lastEventId: before })) {
    expect(first).toEqual({ topic: "github", event: { type: "resumed" } });
    break;
  }
});

test("a link that is made or changed reaches whoever has the feed open", async () => {
  const stored = await link();
  const { id } = await makeProject(database.db, { createdBy: rohan.id, clientId: meera.id });
  const [client, admin] = [await watch(meera), await watch(asha)];
  const received = [client.next(), admin.next()];
  const githubRepo = `https://github.com/${stored.name}`;
  await (await here.callers.as(rohan)).projects.update({ projectId: id, version: 1, patch: { githubRepo } });
  for (const change of await Promise.all(received)) expect(change.projectIds).toEqual([id]);
  await Promise.all([client.close(), admin.close()]);
});

test("a project that is deleted leaves the open feeds", async () => {
  const { id } = await link({ clientId: meera.id });
  const [client, admin] = [await watch(meera), await watch(asha)];
  const received = Promise.all([client.receive(id), admin.receive(id)]);
  await (await here.callers.as(asha)).projects.delete({ projectId: id });
  await received;
  await Promise.all([client.close(), admin.close()]);
});

test("a commit that names a task reaches the open panel of an employee", async () => {
  const { id, name } = await link();
  const [row] = await database.sql`select key from projects where id = ${id}`;
  const task = await makeTask(database.db, { projectId: id, createdBy: rohan.id });
  const employee = await there.callers.as(rohan);
  const changes = (await employee.projects.onChange({ projectId: id }))[Symbol.asyncIterator]();
  const received = changes.next();
  await push(name, `Fixes ${row?.key}-${task.number}: all of it\n\nAnd more.`);
  expect((await received).value).toMatchObject({ projectId: id, change: "tasks" });
  const [shown] = await employee.tasks.list({ projectId: id });
  expect(shown?.commits).toMatchObject([{ title: `Fixes ${row?.key}-1: all of it`, closes: true }]);
  await changes.return?.();
});

test("commits that a forced push took back leave the open feeds, and the tasks that they named", async () => {
  const { id, name } = await link({ clientId: meera.id });
  const [row] = await database.sql`select key from projects where id = ${id}`;
  const task = await makeTask(database.db, { projectId: id, createdBy: rohan.id });
  const before = github.repositories.get(name);
  await push(name, `${row?.key}-${task.number}: the password is hunter2`);
  const client = await there.callers.as(meera);
  expect(JSON.stringify(await client.github.commits())).toContain("hunter2");
  const employee = await there.callers.as(rohan);
  const changes = (await employee.projects.onChange({ projectId: id }))[Symbol.asyncIterator]();
  const watcher = await watch(meera, id);
  const received = Promise.all([watcher.receive(id), changes.next()]);
  if (before) github.repositories.set(name, before);
  await passSeconds(database, 61);
  await (await here.callers.as(asha)).github.refresh();
  await received;
  await untilRead(database);
  expect(JSON.stringify(await client.github.commits())).not.toContain("hunter2");
  expect((await employee.tasks.list({ projectId: id }))[0]?.commits).toEqual([]);
  await Promise.all([watcher.close(), changes.return?.()]);
});

test("a stream ends with the session", async () => {
  const someone = await makeUser(database.db, { accountType: "client" });
  const { name } = await link({ clientId: someone.id });
  const watcher = await watch(someone);
  const ended = watcher.next();
  await database.sql`delete from sessions where user_id = ${someone.id}`;
  await Promise.all([expect(ended).rejects.toMatchObject({ code: "UNAUTHORIZED" }), push(name)]);
});
