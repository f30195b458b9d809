import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeLabel, makeProject, makeTask, makeUser, type UserRow } from "../../db/factories";
import { labels } from "../../db/schema";
import { refusal, startTestProcess, type TestCaller, type TestProcess } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

let database: TestDatabase;
let callers: TestProcess;
let rohan: UserRow;
let team: TestCaller;
let meera: UserRow;
let client: TestCaller;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = await startTestProcess(database);
  rohan = await makeUser(database.db);
  meera = await makeUser(database.db, { accountType: "client" });
  [team, client] = [await callers.as(rohan), await callers.as(meera)];
});
beforeEach(async () => {
  await database.db.delete(labels);
});
afterAll(async () => {
  await callers.listener.close();
  await database.close();
});

/** A task with these labels, in a project of that client or of none. */
async function makeLabelled(labelIds: string[], clientId: string | null = null) {
  const project = await makeProject(database.db, { createdBy: rohan.id, clientId });
  return makeTask(database.db, { projectId: project.id, createdBy: rohan.id, labelIds });
}

test("labels are listed by name, and one of another's name is refused with that one, in capitals or not", async () => {
  const design = await team.labels.create({ name: " Design ", colour: "blue" });
  const bug = await team.labels.create({ name: "bug", colour: "red" });
  expect(await team.labels.list()).toEqual([bug, design]);
  const taken = { code: "CONFLICT", reason: "label-exists", current: design };
  expect(await refusal(team.labels.create({ name: "DESIGN", colour: "red" }))).toMatchObject(taken);
  expect(await refusal(team.labels.update({ labelId: bug.id, name: "design" }))).toMatchObject(taken);
  expect(await team.labels.update({ labelId: design.id, name: "DESIGN", colour: "green" })).toEqual({
    id: design.id,
    name: "DESIGN",
    colour: "green",
  });
  expect(await team.labels.update({ labelId: design.id, colour: "grey" })).toMatchObject({ name: "DESIGN" });
});

test("two people who make one label at once make one, and there are at most 200", async () => {
  const answers = await Promise.all(
    Array.from({ length: 4 }, () =>
      team.labels.create({ name: "Urgent", colour: "red" }).then(
        () => "made",
        (error: { code: string }) => error.code,
      ),
    ),
  );
  expect(answers.sort()).toEqual(["CONFLICT", "CONFLICT", "CONFLICT", "made"]);
  for (let count = 1; count < 200; count += 1) await makeLabel(database.db);
  const full = await refusal(team.labels.create({ name: "One more", colour: "red" }));
  expect(full).toMatchObject({ code: "CONFLICT", reason: "too-many" });
});

test("a name of 1 to 40 characters, and a colour of the five", async () => {
  const refused = async (input: object) =>
    Object.keys((await refusal(team.labels.create({ name: "Name", colour: "red", ...input }))).fieldErrors ?? {});
  expect(await refused({ name: "" })).toEqual(["name"]);
  expect(await refused({ name: "x".repeat(41) })).toEqual(["name"]);
  expect(await refused({ colour: "pink" })).toEqual(["colour"]);
  expect((await refusal(team.labels.update({ labelId: randomUUID(), name: "Name" }))).code).toBe("NOT_FOUND");
  expect((await refusal(team.labels.delete({ labelId: randomUUID() }))).code).toBe("NOT_FOUND");
});

test("a client sees the labels of tasks that they may see, and no others", async () => {
  const [own, foreign] = [await makeLabel(database.db), await makeLabel(database.db)];
  await makeLabelled([own.id], meera.id);
  await makeLabelled([foreign.id]);
  expect((await client.labels.list()).map(({ id }) => id)).toEqual([own.id]);
  expect(await team.labels.list()).toHaveLength(2);
});

test("before a label is deleted one learns on how many tasks it is", async () => {
  const [used, unused] = [await makeLabel(database.db), await makeLabel(database.db)];
  await makeLabelled([used.id], meera.id);
  await makeLabelled([used.id]);
  expect(await team.labels.usage({ labelId: used.id })).toEqual({ tasks: 2 });
  expect(await team.labels.usage({ labelId: unused.id })).toEqual({ tasks: 0 });
  expect((await refusal(client.labels.usage({ labelId: used.id }))).code).toBe("FORBIDDEN");
});

describe("a deleted label", () => {
  test("is off every task, whose watchers are notified and whose lists have another version", async () => {
    const [gone, kept] = [await makeLabel(database.db), await makeLabel(database.db)];
    const task = await makeLabelled([gone.id, kept.id]);
    const stream = (await team.projects.onChange({ projectId: task.projectId }))[Symbol.asyncIterator]();
    await team.labels.delete({ labelId: gone.id });
    expect((await stream.next()).value).toMatchObject({ projectId: task.projectId, kind: "resync" });
    await stream.return?.();
    expect((await team.tasks.list({ projectId: task.projectId }))[0]?.labelIds).toEqual([kept.id]);
    expect((await team.labels.list()).map(({ id }) => id)).toEqual([kept.id]);
  });

  test("is not renamed by who asked for that while it was being deleted", async () => {
    const label = await makeLabel(database.db);
    const { projectId } = await makeLabelled([label.id]);
    const [answers] = await database.sql.begin(async (tx) => {
      await tx`select from projects where id = ${projectId} for update`;
      const deleting = team.labels.delete({ labelId: label.id });
      deleting.catch(() => {});
      await database.untilWaiting();
      const renaming = refusal(team.labels.update({ labelId: label.id, name: "Of no label" }));
      renaming.catch(() => {});
      await database.untilWaiting(2);
      return [Promise.all([deleting, renaming])];
    });
    expect(await answers).toMatchObject([{ id: label.id }, { code: "NOT_FOUND" }]);
    const both = { labelId: label.id, name: "Of no label", colour: "red" } as const;
    expect((await refusal(team.labels.update(both))).code).toBe("NOT_FOUND");
  });

  test("and a task that takes it at the same moment: one of the two wins, and nobody waits for ever", async () => {
    for (let round = 0; round < 5; round += 1) {
      const label = await makeLabel(database.db);
      const tasks = [await makeLabelled([label.id]), await makeLabelled([])];
      const patch = { labelIds: [label.id] };
      const answers = await Promise.allSettled([
        ...tasks.map(({ id: taskId }) => team.tasks.update({ taskId, patch })),
        team.labels.delete({ labelId: label.id }),
        ...tasks.map(({ id: taskId }) => team.tasks.update({ taskId, patch })),
      ]);
      const failures = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason.code] : []));
      expect(failures.filter((code) => code !== "BAD_REQUEST")).toEqual([]);
      for (const { projectId } of tasks)
        expect((await team.tasks.list({ projectId })).map(({ labelIds }) => labelIds)).toEqual([[]]);
    }
  });
});

test("a label that is deleted while a request becomes a task that has it: one of the two wins, and none fails otherwise", async () => {
  const client = await makeUser(database.db, { accountType: "client" });
  const asks = await callers.as(client);
  const admin = await callers.as(await makeUser(database.db, { accountType: "admin" }));
  for (let round = 0; round < 8; round += 1) {
    const { id: labelId } = await makeLabel(database.db);
    const { id: projectId } = await makeProject(database.db, {
      createdBy: rohan.id,
      clientId: client.id,
      clientCollaboration: true,
    });
    const labelled = { projectId, title: "Has it", description: "Already.", labelIds: [labelId] };
    await team.tasks.create(labelled);
    const { id: requestId } = await asks.requests.create({
      projectId,
      title: "More berths",
      text: "Ten of them.",
      urgency: "normal",
    });
    const task = { title: "More berths", description: "Soon.", labelIds: [labelId] };
    const answers = await Promise.allSettled([
      admin.requests.accept({ requestId, task }),
      team.labels.delete({ labelId }),
    ]);
    const failures = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason.code] : []));
    expect(failures.filter((code) => code !== "BAD_REQUEST")).toEqual([]);
  }
});

describe("labels.onChange", () => {
  test("brings all labels whenever one was made, has changed or is gone", async () => {
    const stream = (await team.labels.onChange())[Symbol.asyncIterator]();
    const label = await team.labels.create({ name: "Bug", colour: "red" });
    expect((await stream.next()).value).toEqual({ labels: [label] });
    const renamed = await team.labels.update({ labelId: label.id, name: "Defect" });
    expect((await stream.next()).value).toEqual({ labels: [renamed] });
    await team.labels.delete({ labelId: label.id });
    expect((await stream.next()).value).toEqual({ labels: [] });
    await stream.return?.();
  });

  test("brings a client a label that is put on a task of theirs", async () => {
    const client = await makeUser(database.db, { accountType: "client" });
    const label = await makeLabel(database.db);
    const { id: projectId } = await makeProject(database.db, { createdBy: rohan.id, clientId: client.id });
    const { id: taskId } = await makeTask(database.db, { projectId, createdBy: rohan.id });
    const stream = (await (await callers.as(client)).labels.onChange())[Symbol.asyncIterator]();
    await team.tasks.update({ taskId, patch: { labelIds: [label.id] } });
    expect((await stream.next()).value).toMatchObject({ labels: [{ id: label.id }] });
    const other = await makeLabel(database.db);
    await team.tasks.create({ projectId, title: "Another", description: "About it.", labelIds: [other.id] });
    expect((await stream.next()).value.labels).toHaveLength(2);
    await stream.return?.();
  });

  test("is silent to a client about labels of other people's tasks", async () => {
    const [own, foreign] = [await makeLabel(database.db), await makeLabel(database.db)];
    await makeLabelled([own.id], meera.id);
    await makeLabelled([foreign.id]);
    const stream = (await client.labels.onChange())[Symbol.asyncIterator]();
    await team.labels.update({ labelId: foreign.id, name: "Not for clients" });
    await team.labels.create({ name: "On no task", colour: "red" });
    const renamed = await team.labels.update({ labelId: own.id, name: "Theirs" });
    expect((await stream.next()).value).toEqual({ labels: [renamed] });
    await stream.return?.();
  });
});
