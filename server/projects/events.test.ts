import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeProject, makeSession, makeTask, makeUser, type UserRow } from "../../db/factories";
import { projectMembers, repositories, sessions, users } from "../../db/schema";
import type { ProjectChange } from "../contract/views";
import {
  createTestCallers,
  refusal,
  startTestProcess,
  type TestCaller,
  type TestCallers,
  type TestProcess,
} from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

let database: TestDatabase;
/** Two processes on one database: what one writes, watchers of the other receive. */
let here: TestProcess;
let there: TestProcess;
let rohan: UserRow;
let mitali: UserRow;
let client: UserRow;
let asha: UserRow;

beforeAll(async () => {
  database = await createTestDatabase();
  [here, there] = await Promise.all([startTestProcess(database), startTestProcess(database)]);
  rohan = await makeUser(database.db, { name: "Rohan Shah" });
  mitali = await makeUser(database.db, { name: "Mitali Deshpande" });
  client = await makeUser(database.db, { accountType: "client" });
  asha = await makeUser(database.db, { accountType: "admin" });
});
afterAll(async () => {
  await Promise.all([here, there].map(({ listener }) => listener.close()));
  await database.close();
});

const project = (changes: object = {}) =>
  makeProject(database.db, { createdBy: rohan.id, assignedTo: [rohan.id, mitali.id], ...changes });

test("a change made in one process reaches the watchers of another, each in their own view", async () => {
  const { id } = await project({ clientId: client.id });
  const watchers = await Promise.all([mitali, client, asha].map((user) => watch(there, user)));
  const writer = await here.as(rohan);
  await writer.projects.update({ projectId: id, version: 1, patch: { title: "Renamed" } });
  const changes = await Promise.all(watchers.map((watcher) => watcher.next()));
  for (const change of changes)
    expect(change).toMatchObject({ projectId: id, change: "project", project: { title: "Renamed" } });
  expect(changes.map((change) => change.project?.canEdit)).toEqual([true, false, true]);
  await Promise.all(watchers.map((watcher) => watcher.close()));
});

test("a task that is added and ticked arrives as tasks, with the new counts", async () => {
  const { id } = await project();
  const watcher = await watch(there, mitali, id);
  const writer = await here.as(rohan);
  const task = await writer.tasks.create({ projectId: id, title: "Receipt", description: "One page." });
  expect(await watcher.next()).toMatchObject({ change: "tasks", project: { taskCounts: { total: 1, completed: 0 } } });
  await writer.tasks.setCompleted({ taskId: task.id, completed: true });
  expect(await watcher.next()).toMatchObject({ change: "tasks", project: { taskCounts: { total: 1, completed: 1 } } });
  await watcher.close();
});

test("who joins receives the project, who leaves receives its removal and nothing more", async () => {
  const { id } = await project({ assignedTo: [rohan.id] });
  const own = await project();
  const watcher = await watch(there, mitali);
  const writer = await here.as(rohan);
  await writer.projects.update({ projectId: id, version: 1, patch: { assignedTo: [rohan.id, mitali.id] } });
  expect(await watcher.next()).toMatchObject({ projectId: id, change: "project" });
  await writer.projects.update({ projectId: id, version: 2, patch: { assignedTo: [rohan.id] } });
  expect(await watcher.next()).toEqual(removalOf(id));
  await writer.projects.update({ projectId: id, version: 3, patch: { title: "Not for Mitali" } });
  await writer.projects.update({ projectId: own.id, version: 1, patch: { title: "For Mitali" } });
  expect(await watcher.next()).toMatchObject({ projectId: own.id });
  await watcher.close();
});

test("a new project reaches its people and the admins, and nobody else", async () => {
  const outsider = await makeUser(database.db);
  const theirs = await makeProject(database.db, { createdBy: outsider.id });
  const watchers = await Promise.all([mitali, client, asha].map((user) => watch(there, user)));
  const stranger = await watch(there, outsider);
  const made = await (await here.as(rohan)).projects.create({
    title: "New one",
    description: "x",
    status: "todo",
    startDate: "2026-11-20",
    assignedTo: [mitali.id],
    managers: [],
    clientId: client.id,
  });
  // With its first tasks, as for people who join: My Tasks and the calendar read them.
  const event = { projectId: made.id, change: "project", kind: "people-changed" };
  for (const watcher of watchers) expect(await watcher.next()).toMatchObject(event);
  await (await here.as(asha)).projects.update({ projectId: theirs.id, version: 1, patch: { title: "Theirs" } });
  expect(await stranger.next()).toMatchObject({ projectId: theirs.id });
  await Promise.all([stranger, ...watchers].map((watcher) => watcher.close()));
});

test("each way to change a task reaches whoever watches its project, at once", async () => {
  const { id: projectId } = await project();
  const other = await makeTask(database.db, { projectId, createdBy: rohan.id });
  const watcher = await watch(there, mitali, projectId);
  const writer = await here.as(rohan);
  const text = { title: "Receipt", description: "One page." };
  const { id: taskId } = await writer.tasks.create({ projectId, ...text });
  await received("create");
  const ways: [string, () => Promise<unknown>][] = [
    ["create for others", () => writer.tasks.create({ projectId, ...text, assignedTo: [mitali.id] })],
    ["update", () => writer.tasks.update({ taskId, patch: { title: "Receipts" } })],
    ["tick", () => writer.tasks.setCompleted({ taskId, completed: true })],
    ["move", () => writer.tasks.move({ taskId: other.id, afterTaskId: taskId })],
    ["delete", () => writer.tasks.delete({ taskId })],
  ];
  for (const [name, change] of ways) {
    await change();
    await received(name);
  }
  await watcher.close();

  async function received(name: string): Promise<void> {
    const late = new Promise<string>((resolve) => setTimeout(() => resolve(`${name}: nothing was received`), 10_000));
    expect(await Promise.race([watcher.next(), late])).toMatchObject({ change: "tasks", projectId });
  }
});

describe("a change names its kind", () => {
  test("and a task as it is now, for each way to change one, to everyone who sees the project", async () => {
    const { id: projectId } = await project({ clientId: client.id });
    const other = await makeTask(database.db, { projectId, createdBy: rohan.id });
    const watchers = await Promise.all([mitali, client, asha].map((user) => watch(there, user)));
    const writer = await here.as(rohan);
    const text = { title: "Receipt", description: "One page." };
    const made = await writer.tasks.create({ projectId, ...text });
    const taskId = made.id;
    await expectAll({ kind: "task-created", task: made });
    const assigned = await writer.tasks.create({ projectId, ...text, assignedTo: [mitali.id] });
    await expectAll({ kind: "task-created", task: assigned });
    await expectAll({ kind: "task-changed", task: await writer.tasks.update({ taskId, patch: { title: "Two" } }) });
    await expectAll({ kind: "task-completed", task: await writer.tasks.setCompleted({ taskId, completed: true }) });
    await expectAll({ kind: "task-changed", task: await writer.tasks.setCompleted({ taskId, completed: false }) });
    const done = { status: "completed" as const };
    await expectAll({ kind: "task-completed", task: await writer.tasks.update({ taskId, patch: done }) });
    await expectAll({ kind: "task-moved", task: await writer.tasks.move({ taskId: other.id, afterTaskId: taskId }) });
    await writer.tasks.delete({ taskId });
    await expectAll({ kind: "task-removed", task: null, taskId });
    await Promise.all(watchers.map((watcher) => watcher.close()));

    async function expectAll({
      kind,
      task,
      taskId = task?.id,
    }: Pick<ProjectChange, "kind" | "task"> & { taskId?: string }) {
      for (const watcher of watchers)
        expect(await watcher.next()).toMatchObject({ projectId, change: "tasks", kind, taskId, task });
    }
  });

  test("and no task, for changes of the project itself and of its people", async () => {
    const { id: projectId } = await project({ assignedTo: [rohan.id] });
    const [leaver, newcomer] = await Promise.all([watch(there, rohan), watch(there, mitali)]);
    const writer = await here.as(asha);
    const none = { projectId, taskId: null, task: null, change: "project" };
    await writer.projects.update({ projectId, version: 1, patch: { title: "Renamed" } });
    expect(await leaver.next()).toMatchObject({ ...none, kind: "project-changed" });
    await writer.projects.update({ projectId, version: 2, patch: { managers: [mitali.id], status: "inProgress" } });
    for (const watcher of [leaver, newcomer])
      expect(await watcher.next()).toMatchObject({ ...none, kind: "people-changed" });
    await Promise.all([leaver.close(), newcomer.close()]);
  });

  test("and sends nothing of a task to who has lost sight of its project, or never saw it", async () => {
    const { id: projectId } = await project();
    const theirs = await makeProject(database.db, { createdBy: mitali.id });
    const outsider = await makeUser(database.db);
    const own = await makeProject(database.db, { createdBy: outsider.id });
    const [leaver, stranger] = await Promise.all([watch(there, mitali), watch(there, outsider)]);
    const writer = await here.as(asha);
    await database.db.delete(projectMembers).where(eq(projectMembers.projectId, projectId));
    await writer.tasks.create({ projectId, title: "Secret now", description: "x" });
    expect(await leaver.next()).toEqual(removalOf(projectId));
    for (const { id } of [theirs, own]) await writer.tasks.create({ projectId: id, title: "Seen", description: "x" });
    expect(await leaver.next()).toMatchObject({ projectId: theirs.id, task: { title: "Seen" } });
    expect(await stranger.next()).toMatchObject({ projectId: own.id, task: { title: "Seen" } });
    await Promise.all([leaver.close(), stranger.close()]);
  });

  test("of resync, once, when several changes came before it was read", async () => {
    const { id: projectId } = await project();
    const watcher = await watch(there, mitali, projectId);
    const task = await makeTask(database.db, { projectId, createdBy: rohan.id });
    await database.sql`update projects set change_seq = change_seq + 2 where id = ${projectId}`;
    there.hub.deliver({
      subject: `project:${projectId}`,
      topics: [],
      step: { kind: "task-completed", taskId: task.id },
    });
    there.hub.resyncAll();
    expect(await watcher.next()).toMatchObject({ kind: "resync", change: "tasks", taskId: null, task: null });
    await (await here.as(rohan)).tasks.setCompleted({ taskId: task.id, completed: true });
    expect(await watcher.next()).toMatchObject({ kind: "task-completed", taskId: task.id });
    await watcher.close();
  });

  test("of resync with what has become of each task and the project, when several changes come at once", async () => {
    const { id: projectId } = await project({ clientId: client.id });
    const task = (title: string) => makeTask(database.db, { projectId, createdBy: rohan.id, title });
    const [one, two, gone] = [await task("One"), await task("Two"), await task("Gone")];
    const watchers = await Promise.all([mitali, client].map((user) => watch(there, user, projectId)));
    await database.sql.begin(async (sql) => {
      const steps = [
        ["task-changed", one.id],
        ["task-completed", one.id],
        ["task-moved", two.id],
        ["project-changed", undefined],
        ["task-removed", gone.id],
      ] as const;
      await sql`update tasks set status = 'completed', status_before = 'todo', completed_at = now() where id = ${one.id}`;
      await sql`delete from tasks where id = ${gone.id}`;
      for (const [kind, taskId] of steps) {
        const [row] =
          await sql`update projects set change_seq = change_seq + 1 where id = ${projectId} returning change_seq::int as seq`;
        const payload = { subject: `project:${projectId}`, topics: [], step: { kind, taskId, seq: row?.seq } };
        await sql`select pg_notify('sangam', ${JSON.stringify(payload)})`;
      }
    });
    for (const watcher of watchers) {
      const first = await watcher.next();
      // The first notification wakes up at once, the others a tick later.
      const { steps, ...change } = first.steps ? first : await watcher.next();
      expect(change).toMatchObject({ kind: "resync", change: "tasks", taskId: null, task: null });
      expect(steps).toMatchObject([
        { kind: "task-completed", taskId: one.id, task: { title: "One", completed: true } },
        { kind: "task-moved", taskId: two.id, task: { title: "Two" } },
        { kind: "project-changed", taskId: null, task: null },
        { kind: "task-removed", taskId: gone.id, task: null },
      ]);
      await watcher.close();
    }
  });

  test("and 40 changes within 100 ms make few events, the last of which holds the last state", async () => {
    const { id: projectId } = await project();
    const watcher = await watch(there, mitali, projectId);
    const writer = await here.as(rohan);
    const tasks = await Promise.all(
      Array.from({ length: 40 }, () => makeTask(database.db, { projectId, createdBy: rohan.id })),
    );
    const startedAt = performance.now();
    await Promise.all(tasks.map(({ id: taskId }) => writer.tasks.setCompleted({ taskId, completed: true })));
    const ticks = Math.ceil((performance.now() - startedAt) / 16) + 2;
    const seen: ProjectChange[] = [];
    while (seen.at(-1)?.project?.taskCounts.completed !== 40) seen.push(await watcher.next());
    const named = () => new Set(seen.flatMap(({ steps, ...change }) => steps ?? [change]).map(({ taskId }) => taskId));
    while (named().size < 40) seen.push(await watcher.next());
    expect(seen.length).toBeLessThanOrEqual(ticks);
    expect(seen.filter(({ kind, steps }) => kind === "resync" && !steps)).toEqual([]);
    await watcher.close();
  });

  test("of what happened, not of resync, when the safety timer comes between a commit and its notification", async () => {
    const { id: projectId } = await project();
    const alone = createTestCallers(database.db);
    const step = { kind: "project-changed", seq: 2 } as const;
    alone.hub.startDelivery(async () => {
      alone.hub.deliver({ subject: `project:${projectId}`, topics: [], step });
      return true;
    });
    const watcher = await watch(alone, mitali);
    await database.sql`update projects set change_seq = ${step.seq}, version = version + 1 where id = ${projectId}`;
    alone.hub.resyncAll();
    expect(await watcher.next()).toMatchObject({ projectId, kind: "project-changed", change: "project" });
    await watcher.close();
  });

  test("of resync after a lost notification", async () => {
    const { id: projectId } = await project();
    const watcher = await watch(there, mitali, projectId);
    await database.sql`update projects set change_seq = change_seq + 1 where id = ${projectId}`;
    there.hub.resyncAll();
    expect(await watcher.next()).toMatchObject({ kind: "resync", taskId: null, task: null });
    await watcher.close();
  });
});

test("commits on tasks of which the client sees nothing are found by the team after a lost notification, and by it alone", async () => {
  const { id } = await project({ clientId: client.id });
  const [repository] = await database.db
    .insert(repositories)
    .values({ owner: "konkan", name: "ledger", fullName: "konkan/ledger" })
    .returning();
  await database.sql`update projects set commit_mode = 'hidden', repository_id = ${repository?.id ?? ""} where id = ${id}`;
  const watchers = await Promise.all([mitali, asha, client].map((user) => watch(there, user, id)));
  await database.sql`update repositories set change_seq = change_seq + 1`;
  there.hub.resyncAll();
  for (const watcher of watchers.slice(0, 2))
    expect(await watcher.next()).toMatchObject({ projectId: id, change: "tasks", kind: "resync" });
  // Once; and its notification says nothing new when it comes after all.
  there.hub.resyncAll();
  there.hub.deliver({ subject: `project:${id}`, topics: [], step: { kind: "resync", seq: 1, teamOnly: true } });
  await (await here.as(rohan)).projects.update({ projectId: id, version: 1, patch: { title: "Next" } });
  for (const watcher of watchers)
    expect(await watcher.next()).toMatchObject({ kind: "project-changed", project: { title: "Next" } });
  await Promise.all(watchers.map((watcher) => watcher.close()));
});

test("another name or picture of a person reaches who sees a project that names them; what nobody sees there does not", async () => {
  const { db } = database;
  const picture = "/api/photos/0b6f0c1e-8f5c-4d3e-9a43-2d1e7c1d9f10";
  const tara = await makeUser(db, { name: "Tara Iyer", accountType: "admin" });
  await db.update(users).set({ profileImgLink: picture }).where(eq(users.id, tara.id));
  const own = await makeProject(db, { createdBy: tara.id, assignedTo: [mitali.id] });
  const assigned = await project();
  await makeTask(db, { projectId: assigned.id, createdBy: rohan.id, assignedTo: [tara.id] });
  await project();
  const watcher = await watch(there, mitali);
  const seen = async () => {
    const changes = [await watcher.next(), await watcher.next()];
    expect(changes.map(({ projectId }) => projectId).sort()).toEqual([own.id, assigned.id].sort());
    const [shown, ...others] = new Set(
      changes.map(({ kind, project: shown }) => {
        const { name, profileImgLink } = shown?.people.find(({ id }) => id === tara.id) ?? {};
        return [kind, name, profileImgLink].join(" ");
      }),
    );
    expect(others).toEqual([]);
    return shown;
  };
  const person = await here.as(tara);
  await person.users.updateProfile({ displayName: "Tara Menon", mobile: "+91 98765 43210" });
  expect(await seen()).toBe(`people-changed Tara Menon ${picture}`);
  await person.users.updateProfile({ displayName: "Tara Menon", mobile: null });
  await person.users.setPhoto({ fileId: null });
  expect(await seen()).toBe("people-changed Tara Menon ");
  await (await here.as(asha)).users.erasePerson({ userId: tara.id });
  expect(await seen()).toBe("people-changed Unknown User ");
  await watcher.close();
});

test("a deleted project arrives as removed", async () => {
  const { id } = await project();
  const watcher = await watch(there, mitali, id);
  await (await here.as(asha)).projects.delete({ projectId: id });
  expect(await watcher.next()).toEqual(removalOf(id));
  await watcher.close();
});

test("many changes while nobody reads cost one wake, and end in the last state", async () => {
  const { id } = await project();
  const watcher = await watch(there, mitali, id);
  const writer = await here.as(rohan);
  for (let version = 1; version <= 20; version += 1) {
    await writer.projects.update({ projectId: id, version, patch: { title: `Title ${version}` } });
  }
  const seen: ProjectChange[] = [];
  while (seen.at(-1)?.project?.title !== "Title 20") seen.push(await watcher.next());
  expect(seen.length).toBeLessThanOrEqual(20);
  expect(new Set(seen.map((change) => change.project?.version)).size).toBe(seen.length);
  await watcher.close();
});

test("what happened while the listening connection was away arrives when it is back", async () => {
  const { id } = await project();
  const gone = await project();
  const watcher = await watch(there, mitali);
  await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'sangam listener'`;
  await (await here.as(rohan)).projects.update({ projectId: id, version: 1, patch: { title: "While away" } });
  await database.db.delete(projectMembers).where(eq(projectMembers.projectId, gone.id));
  const events = [await watcher.next(), await watcher.next()];
  expect(events).toContainEqual(expect.objectContaining({ projectId: id, change: "project" }));
  expect(events).toContainEqual(removalOf(gone.id));
  await watcher.close();
});

describe("the end of a session", () => {
  test.each([
    [
      "signing out",
      "UNAUTHORIZED",
      (userId: string) => database.db.delete(sessions).where(eq(sessions.userId, userId)),
    ],
    [
      "deactivation",
      "FORBIDDEN",
      (userId: string) => database.db.update(users).set({ accountStatus: "inactive" }).where(eq(users.id, userId)),
    ],
  ])("by %s ends the stream with %s before it emits anything written after", async (_name, code, end) => {
    const leaving = await makeUser(database.db);
    const { id } = await project({ assignedTo: [rohan.id, leaving.id] });
    const watcher = await watch(there, leaving);
    await end(leaving.id);
    await (await here.as(rohan)).projects.update({ projectId: id, version: 1, patch: { title: "Secret now" } });
    expect(await refusal(watcher.next())).toMatchObject({ code });
    await watcher.close();
  });
});

test("watching one project that is not visible is refused like one that does not exist", async () => {
  const { id } = await project({ assignedTo: [] });
  const caller = await there.as(mitali);
  expect(await refusal(caller.projects.onChange({ projectId: id }))).toMatchObject({ code: "NOT_FOUND" });
});

test("a watcher that ends leaves nothing behind in the hub", async () => {
  const before = there.hub.size();
  const { token } = await makeSession(database.db, { userId: mitali.id });
  const watcher = iteratorOf(await there.withToken(token).projects.onChange());
  expect(there.hub.size()).toBe(before + 1);
  await watcher.close();
  expect(there.hub.size()).toBe(before);
});

test("the safety timer finds what was lost also when it has found nothing before", async () => {
  const { id } = await project();
  const watcher = await watch(there, mitali);
  for (const title of ["Found", "Found again"]) {
    // The second comparison is the first that may be left out.
    for (let round = 0; round < 3; round += 1) {
      there.hub.resyncAll();
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
    await database.sql`update projects set change_seq = change_seq + 1, title = ${title} where id = ${id}`;
    there.hub.resyncAll();
    expect(await watcher.next()).toMatchObject({ projectId: id, project: { title } });
  }
  await watcher.close();
});

test("a task row written by another hand is found by the safety timer's comparison", async () => {
  const { id } = await project();
  const watcher = await watch(there, mitali, id);
  await makeTask(database.db, { projectId: id, createdBy: rohan.id });
  await database.sql`update projects set change_seq = change_seq + 1 where id = ${id}`;
  there.hub.resyncAll();
  expect(await watcher.next()).toMatchObject({ projectId: id, change: "tasks" });
  await watcher.close();
});

function removalOf(projectId: string): ProjectChange {
  return { projectId, change: "removed", kind: "removed", taskId: null, project: null, task: null };
}

interface Watcher {
  next(): Promise<ProjectChange>;
  close(): Promise<void>;
}

async function watch(callers: TestCallers, user: UserRow, projectId?: string): Promise<Watcher> {
  const caller: TestCaller = await callers.as(user);
  return iteratorOf(await caller.projects.onChange(projectId ? { projectId } : undefined));
}

function iteratorOf(changes: AsyncIterable<ProjectChange>): Watcher {
  const iterator = changes[Symbol.asyncIterator]();
  return {
    async next() {
      const result = await iterator.next();
      if (result.done) throw new Error("the stream has ended");
      return result.value;
    },
    async close() {
      await iterator.return?.();
    },
  };
}
