import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeProject, makeTask, makeUser, type UserRow } from "../../db/factories";
import { projectEvents } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import type { Project, ProjectEvent } from "../contract/views";
import { createTestCallers, refusal, type TestCaller, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

let database: TestDatabase;
let callers: TestCallers;
let rohan: UserRow;
let mitali: UserRow;
let meera: UserRow;
let caller: TestCaller;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  rohan = await makeUser(database.db, { name: "Rohan Shah" });
  mitali = await makeUser(database.db, { name: "Mitali Deshpande" });
  meera = await makeUser(database.db, { name: "Meera Rao", accountType: "client" });
  caller = await callers.as(rohan);
});
afterAll(() => database.close());

const create = (changes: object = {}): Promise<Project> =>
  caller.projects.create({
    title: "Harbour booking portal",
    description: "Slot booking.",
    status: "todo",
    startDate: "2026-11-20",
    assignedTo: [],
    managers: [],
    ...changes,
  });
const eventsOf = async (projectId: string): Promise<ProjectEvent[]> =>
  (await caller.projects.history({ projectId })).items;

describe("a project's history", () => {
  test("tells of every kind of change, newest first, with who and when", async () => {
    const project = await create({ tasks: [{ title: "First", description: "From the start." }] });
    const task = await caller.tasks.create({ projectId: project.id, title: "Berths", description: "All of them." });
    await caller.tasks.setCompleted({ taskId: task.id, completed: true });
    await caller.tasks.setCompleted({ taskId: task.id, completed: false });
    await caller.tasks.update({ taskId: task.id, patch: { title: "Berth calendar" } });
    await caller.tasks.update({ taskId: task.id, patch: { status: "completed" } });
    await caller.tasks.delete({ taskId: task.id });
    await caller.projects.update({ projectId: project.id, version: 1, patch: { status: "inProgress" } });
    const events = await eventsOf(project.id);
    expect(events.map(({ kind, task: about }) => (about ? `${kind} ${about.title}` : kind))).toEqual([
      "project.updated",
      "task.deleted Berth calendar",
      "task.completed Berth calendar",
      "task.updated Berth calendar",
      "task.reopened Berths",
      "task.completed Berths",
      "task.created Berths",
      "task.created First",
      "project.created",
    ]);
    expect(events.every(({ actor, project: of }) => actor?.id === rohan.id && of.id === project.id)).toBe(true);
    expect(Math.abs(Date.parse(events[0]?.at ?? "") - Date.now())).toBeLessThan(60_000);
  });

  test("of a task has what happened to that one, for whoever may see it, a client too", async () => {
    const project = await create({ clientId: meera.id });
    const [one, other] = [
      await caller.tasks.create({ projectId: project.id, title: "One", description: "B" }),
      await caller.tasks.create({ projectId: project.id, title: "Other", description: "B" }),
    ];
    await caller.tasks.update({ taskId: other.id, patch: { priority: "low" } });
    await caller.tasks.update({ taskId: one.id, patch: { priority: "high", dueDate: "2026-12-24" } });
    const { items } = await caller.projects.history({ taskId: one.id });
    expect(items.map(({ kind, task }) => [kind, task?.id])).toEqual([
      ["task.updated", one.id],
      ["task.created", one.id],
    ]);
    const client = await callers.as(meera);
    expect((await client.projects.history({ taskId: one.id })).items).toEqual(items);
    const stranger = await callers.as(await makeUser(database.db));
    expect((await refusal(stranger.projects.history({ taskId: one.id }))).code).toBe("NOT_FOUND");
    const asha = await callers.as(await makeUser(database.db, { accountType: "admin" }));
    expect((await asha.projects.history({ taskId: one.id, asClientId: meera.id })).items).toEqual(items);
  });

  test("names labels as they are called then, and tells of a checklist what was added, removed and ticked", async () => {
    const project = await create();
    const { id: taskId } = await caller.tasks.create({ projectId: project.id, title: "A", description: "B" });
    const [bug, design] = [
      await caller.labels.create({ name: "Bug", colour: "red" }),
      await caller.labels.create({ name: "Design", colour: "blue" }),
    ];
    const edit = (patch: object) => caller.tasks.update({ taskId, patch });
    await edit({ priority: "high", labelIds: [bug.id] });
    await caller.labels.update({ labelId: bug.id, name: "Defect" });
    const { checklist } = await edit({ labelIds: [design.id], checklist: [{ text: "One" }, { text: "Two" }] });
    await edit({ checklist: [...checklist.map((item) => ({ ...item, done: true })), { text: "Three" }] });
    await edit({ checklist: [{ ...checklist[0], text: "First" }, { ...checklist[1] }] });
    await edit({
      checklist: [
        { ...checklist[1], done: false },
        { ...checklist[0], text: "First" },
      ],
    });
    const changes = (await eventsOf(project.id)).slice(0, 4).map((event) => event.changes);
    const none = { added: [], removed: [], checked: [], unchecked: [] };
    expect(changes).toEqual([
      [{ field: "checklist", ...none, added: ["First"], removed: ["One", "Three"], unchecked: ["Two"] }],
      [{ field: "checklist", ...none, added: ["Three"], checked: ["One", "Two"] }],
      [
        { field: "labels", added: ["Design"], removed: ["Defect"] },
        { field: "checklist", ...none, added: ["One", "Two"] },
      ],
      [
        { field: "priority", from: "none", to: "high" },
        { field: "labels", added: ["Bug"], removed: [] },
      ],
    ]);
  });

  test("names each field with what it was and is, people by id, and keeps long texts out", async () => {
    const project = await create({ managers: [mitali.id] });
    await caller.projects.update({
      projectId: project.id,
      version: 1,
      patch: {
        title: "Harbour portal",
        description: "Another text.",
        dueDate: "2026-12-24",
        clientId: meera.id,
        assignedTo: [mitali.id, rohan.id],
        managers: [],
      },
    });
    const { items, people } = await caller.projects.history({ projectId: project.id });
    expect(items[0]?.changes).toEqual([
      { field: "title", from: "Harbour booking portal", to: "Harbour portal" },
      { field: "dueDate", from: null, to: "2026-12-24" },
      { field: "clientId", from: null, to: meera.id },
      { field: "description", from: null, to: null },
      { field: "assignedTo", added: [mitali.id], removed: [] },
      { field: "managers", added: [], removed: [mitali.id] },
    ]);
    expect(people.map(({ id }) => id).sort()).toEqual([meera.id, mitali.id].sort());
    expect(JSON.stringify(people)).not.toContain("@");
  });

  test("names a task's fields and people, and keeps its text out", async () => {
    const project = await create({ assignedTo: [mitali.id] });
    const task = await caller.tasks.create({ projectId: project.id, title: "Berths", description: "All of them." });
    await caller.tasks.update({
      taskId: task.id,
      patch: { description: "A secret text.", dueDate: "2026-12-01", assignedTo: [mitali.id] },
    });
    const [event] = await eventsOf(project.id);
    expect(event?.changes).toEqual([
      { field: "dueDate", from: null, to: "2026-12-01" },
      { field: "description", from: null, to: null },
      { field: "assignedTo", added: [mitali.id], removed: [rohan.id] },
    ]);
  });

  test("never tells a client of another client", async () => {
    const rival = await makeUser(database.db, { name: "Rival Ltd", accountType: "client" });
    const project = await create({ clientId: rival.id });
    await caller.projects.update({ projectId: project.id, version: 1, patch: { clientId: meera.id } });
    const seen = await (await callers.as(meera)).projects.history({ projectId: project.id });
    expect(seen.items[0]?.changes).toEqual([{ field: "clientId", from: null, to: meera.id }]);
    expect(seen.people.map(({ id }) => id)).toEqual([meera.id]);
    expect(JSON.stringify(seen)).not.toContain(rival.id);
    const { people } = await caller.projects.history({ projectId: project.id });
    expect(people.map(({ name }) => name)).toContain("Rival Ltd");
  });

  test("says nothing of a save or a tick that changes nothing", async () => {
    const project = await create();
    const task = await caller.tasks.create({ projectId: project.id, title: "Berths", description: "All." });
    const before = (await eventsOf(project.id)).length;
    await caller.projects.update({ projectId: project.id, version: 1, patch: { title: project.title } });
    await caller.tasks.setCompleted({ taskId: task.id, completed: false });
    await caller.tasks.update({ taskId: task.id, patch: { title: task.title } });
    expect(await eventsOf(project.id)).toHaveLength(before);
  });

  test("a refused change leaves no line", async () => {
    const project = await create();
    const before = (await eventsOf(project.id)).length;
    await refusal(caller.projects.update({ projectId: project.id, version: 7, patch: { title: "Late" } }));
    await refusal(caller.projects.update({ projectId: project.id, version: 1, patch: { dueDate: "2026-01-01" } }));
    expect(await eventsOf(project.id)).toHaveLength(before);
  });

  test("is paged by a cursor without gap or double, and refuses a made-up one", async () => {
    const project = await create();
    for (let at = 0; at < 60; at += 1) {
      await database.db
        .insert(projectEvents)
        .values({ projectId: project.id, actorId: rohan.id, kind: "project.updated", changes: [] });
    }
    const first = await caller.projects.history({ projectId: project.id });
    const second = await caller.projects.history({ projectId: project.id, cursor: first.nextCursor });
    const ids = [...first.items, ...second.items].map(({ id }) => id);
    expect([first.items.length, second.items.length, new Set(ids).size]).toEqual([50, 11, 61]);
    expect(second.nextCursor).toBeNull();
    for (const cursor of ["made-up", Buffer.from("-1").toString("base64url"), Buffer.from("0.5").toString("base64url")])
      expect((await refusal(caller.projects.history({ cursor }))).code).toBe("BAD_REQUEST");
  });

  test("of all projects holds only what its reader takes part in, and goes with its project", async () => {
    const project = await create({ clientId: meera.id });
    const other = await create();
    const client = await callers.as(meera);
    const of = async () => new Set((await client.projects.history({})).items.map((event) => event.project.id));
    expect((await of()).has(project.id)).toBe(true);
    expect((await of()).has(other.id)).toBe(false);
    const asha = await makeUser(database.db, { accountType: "admin" });
    await (await callers.as(asha)).projects.delete({ projectId: project.id });
    expect((await of()).has(project.id)).toBe(false);
    const left = await database.db
      .select({ id: projectEvents.id })
      .from(projectEvents)
      .where(eq(projectEvents.projectId, project.id));
    expect(left).toEqual([]);
  });
});

describe("the calendar", () => {
  test("holds what is due within its days, first and last included, of projects one takes part in", async () => {
    const project = await makeProject(database.db, { createdBy: rohan.id, dueDate: "2027-03-31" });
    const task = (dueDate: string | null) =>
      makeTask(database.db, { projectId: project.id, createdBy: rohan.id, title: String(dueDate), dueDate });
    for (const day of ["2027-02-28", "2027-03-01", "2027-03-31", "2027-04-01", null]) await task(day);
    const foreign = await makeProject(database.db, { createdBy: mitali.id, dueDate: "2027-03-10" });
    await makeTask(database.db, { projectId: foreign.id, createdBy: mitali.id, dueDate: "2027-03-10" });
    const march = await caller.projects.calendar({ from: "2027-03-01", to: "2027-03-31" });
    expect(march.projects.map(({ id }) => id)).toEqual([project.id]);
    expect(march.tasks.map(({ title }) => title)).toEqual(["2027-03-01", "2027-03-31"]);
    expect(march.tasks[0]).toMatchObject({ project: { id: project.id }, canEdit: true, completed: false });
  });

  test("is for an admin what the admin takes part in, and the admin's own tasks elsewhere", async () => {
    const asha = await makeUser(database.db, { accountType: "admin" });
    const project = await makeProject(database.db, { createdBy: rohan.id, dueDate: "2028-05-05" });
    const theirs = { projectId: project.id, createdBy: rohan.id, dueDate: "2028-05-05" };
    const own = await makeTask(database.db, { ...theirs, assignedTo: [asha.id] });
    await makeTask(database.db, theirs);
    const may = await (await callers.as(asha)).projects.calendar({ from: "2028-05-01", to: "2028-05-31" });
    expect(may.projects).toEqual([]);
    expect(may.tasks.map(({ id }) => id)).toEqual([own.id]);
  });

  test("holds no task of a project that one left, even when one is still assigned to it", async () => {
    const left = await makeUser(database.db);
    const project = await makeProject(database.db, { createdBy: rohan.id });
    await makeTask(database.db, {
      projectId: project.id,
      createdBy: rohan.id,
      assignedTo: [left.id],
      dueDate: "2028-07-07",
    });
    const july = await (await callers.as(left)).projects.calendar({ from: "2028-07-01", to: "2028-07-31" });
    expect(july).toEqual({ projects: [], tasks: [] });
  });

  test("is read-only for a client, and refuses a range that is turned round or too long", async () => {
    const project = await makeProject(database.db, { createdBy: rohan.id, clientId: meera.id, dueDate: "2029-05-05" });
    const client = await callers.as(meera);
    const may = await client.projects.calendar({ from: "2029-05-01", to: "2029-05-31" });
    expect(may.projects.map(({ id, canEdit }) => ({ id, canEdit }))).toEqual([{ id: project.id, canEdit: false }]);
    for (const [to, sentence] of [
      ["2029-04-30", MESSAGES.projects.endBeforeStart],
      ["2030-12-31", MESSAGES.projects.rangeTooLong],
    ] as const) {
      const { code, fieldErrors } = await refusal(client.projects.calendar({ from: "2029-05-01", to }));
      expect([code, fieldErrors]).toEqual(["BAD_REQUEST", { to: [sentence] }]);
    }
  });
});
