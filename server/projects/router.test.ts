import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeProject, makeTask, makeUser, type UserRow } from "../../db/factories";
import { projects, taskAssignees, tasks, users } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import type { Project } from "../contract/views";
import type { Actor } from "../core/context";
import { createTestCallers, refusal, type TestCaller, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { involvingPerson, isVisibleTo } from "./policy";
import { findProjectRows, findTaskRows } from "./queries";

let database: TestDatabase;
let callers: TestCallers;
let rohan: UserRow;
let mitali: UserRow;
let outsider: UserRow;
let client: UserRow;
let asha: UserRow;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  const { db } = database;
  rohan = await makeUser(db, { name: "Rohan Shah" });
  mitali = await makeUser(db, { name: "Mitali Deshpande" });
  outsider = await makeUser(db, { name: "Outsider" });
  client = await makeUser(db, { name: "Meera Rao", accountType: "client" });
  asha = await makeUser(db, { name: "Asha Kulkarni", accountType: "admin" });
});
afterAll(() => database.close());

const fields = (changes: object = {}) => ({
  title: "Harbour booking portal",
  description: "Slot booking.",
  status: "todo" as const,
  startDate: "2026-11-20",
  assignedTo: [],
  managers: [],
  ...changes,
});
const create = async (changes?: object, by: UserRow = rohan) => (await callers.as(by)).projects.create(fields(changes));
const update = async (project: Project, patch: object, by: UserRow = rohan) =>
  (await callers.as(by)).projects.update({ projectId: project.id, version: project.version, patch });

describe("creating", () => {
  test("answers the whole view, with the creator assigned, a key, people and the client", async () => {
    const project = await create({
      clientId: client.id,
      managers: [asha.id],
      assignedTo: [mitali.id, mitali.id],
      dueDate: "2026-12-24",
      githubRepo: "konkan/harbour",
      liveLink: "",
    });
    expect(project).toMatchObject({
      key: "HBP",
      dueDate: "2026-12-24",
      startDate: "2026-11-20",
      githubRepo: "https://github.com/konkan/harbour",
      liveLink: null,
      projectType: null,
      client: { id: client.id, name: "Meera Rao", accountType: "client", profileImgLink: null },
      assignedTo: [rohan.id, mitali.id],
      managers: [asha.id],
      taskCounts: { total: 0, completed: 0 },
      createdBy: rohan.id,
      version: 1,
      canEdit: true,
    });
    expect(project.people.map(({ name }) => name).sort()).toEqual(["Asha Kulkarni", "Mitali Deshpande", "Rohan Shah"]);
    expect(project.createdAt).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
  });

  test("takes first tasks along, numbered and assigned to the creator", async () => {
    const project = await create({
      tasks: [
        { title: "One", description: "First." },
        { title: "Two", description: "Done.", status: "completed" },
      ],
    });
    expect(project.taskCounts).toEqual({ total: 2, completed: 1 });
    const list = await (await callers.as(rohan)).tasks.list({ projectId: project.id });
    expect(list.map(({ number, title, assignedTo }) => [number, title, assignedTo])).toEqual([
      [1, "One", [rohan.id]],
      [2, "Two", [rohan.id]],
    ]);
  });

  test("gives ten projects of one title at once ten keys", async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => create({ title: "Zebra quiz yard" })));
    expect(made.map(({ key }) => key).sort()).toEqual(
      ["ZQY", ...Array.from({ length: 9 }, (_, at) => `ZQY${at + 2}`)].sort(),
    );
  });

  test.each([
    ["title", "  ", "Please enter a title."],
    ["title", "x".repeat(151), "Title may have at most 150 characters."],
    ["description", "", "Please enter a description."],
    ["status", "active", "Choose a status."],
    ["startDate", "2026-02-30", "Enter a real date between 2000 and 2100."],
    ["startDate", "1999-12-31", "Enter a real date between 2000 and 2100."],
    ["dueDate", "2026-11-19", MESSAGES.projects.dueBeforeStart],
    ["githubRepo", "javascript:alert(1)", "Enter a full URL, such as https://github.com/owner/repo"],
    ["liveLink", "javascript:alert(1)", "Enter a full URL, such as https://example.com"],
    ["liveLink", "harbour.example", "Enter a full URL, such as https://example.com"],
    ["clientId", "someone", "This is not a valid id."],
    ["createdBy", randomUUID(), "This field cannot be set."],
    ["version", 7, "This field cannot be set."],
  ])("refuses %s = %j with words", async (field, value, sentence) => {
    const { code, fieldErrors } = await refusal(create({ [field]: value }));
    expect([code, fieldErrors?.[field]]).toEqual(["BAD_REQUEST", [sentence]]);
  });

  test("assigns only active users and admins, and takes only an active client", async () => {
    const resting = await makeUser(database.db, { accountStatus: "inactive" });
    for (const id of [resting.id, client.id, randomUUID()]) {
      const { fieldErrors } = await refusal(create({ assignedTo: [id] }));
      expect(fieldErrors).toEqual({ assignedTo: [MESSAGES.projects.notAssignable] });
      expect((await refusal(create({ managers: [id] }))).fieldErrors).toHaveProperty("managers");
    }
    for (const id of [rohan.id, randomUUID()]) {
      expect((await refusal(create({ clientId: id }))).fieldErrors).toEqual({
        clientId: [MESSAGES.projects.notClient],
      });
    }
  });
});

describe("editing", () => {
  test("changes what the patch names, clears what is null, keeps the rest, and counts the version", async () => {
    const project = await create({ clientId: client.id, dueDate: "2026-12-01", liveLink: "https://a.example" });
    const edited = await update(project, { title: "New title", dueDate: null, status: "on-hold" });
    expect(edited).toMatchObject({
      title: "New title",
      dueDate: null,
      status: "on-hold",
      clientId: client.id,
      liveLink: "https://a.example",
      key: project.key,
      version: 2,
    });
    expect((await update(edited, { startDate: "2026-11-25" })).startDate).toBe("2026-11-25");
  });

  test("refuses a stale save with the row as it is now, and of ten saves at once takes one", async () => {
    const project = await create();
    await update(project, { title: "First" });
    const { code, current } = await refusal(update(project, { title: "Second" }, asha));
    expect(code).toBe("CONFLICT");
    expect(current).toMatchObject({ title: "First", version: 2, canEdit: true });
    const again = await create();
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, at) => update(again, { title: `T${at}` })),
    );
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("ticking a task makes no open edit form stale", async () => {
    const project = await create({ tasks: [{ title: "One", description: "First." }] });
    const caller = await callers.as(rohan);
    const [task] = await caller.tasks.list({ projectId: project.id });
    await caller.tasks.setCompleted({ taskId: task?.id ?? "", completed: true });
    expect((await update(project, { title: "Still mine" })).title).toBe("Still mine");
  });

  test("keeps due behind start, also when only one of them changes", async () => {
    const project = await create({ startDate: "2026-11-20", dueDate: "2026-11-25" });
    for (const patch of [{ startDate: "2026-11-26" }, { dueDate: "2026-11-19" }]) {
      expect((await refusal(update(project, patch))).fieldErrors).toEqual({
        "patch.dueDate": [MESSAGES.projects.dueBeforeStart],
      });
    }
    expect((await update(project, { startDate: "2026-11-26", dueDate: "2026-11-27" })).dueDate).toBe("2026-11-27");
  });

  test("lets a person who became inactive stay, but not be added", async () => {
    const leaving = await makeUser(database.db);
    const project = await create({ assignedTo: [leaving.id] });
    await database.db.update(users).set({ accountStatus: "inactive" }).where(eq(users.id, leaving.id));
    const kept = await update(project, { assignedTo: [rohan.id, leaving.id], title: "Kept" });
    expect(kept.assignedTo).toEqual([rohan.id, leaving.id]);
    const without = await update(kept, { assignedTo: [rohan.id] });
    expect((await refusal(update(without, { assignedTo: [rohan.id, leaving.id] }))).code).toBe("BAD_REQUEST");
  });

  test("who leaves the project loses its tasks and sees it no more", async () => {
    const project = await create({ assignedTo: [mitali.id] });
    const task = await makeTask(database.db, {
      projectId: project.id,
      createdBy: rohan.id,
      assignedTo: [mitali.id, asha.id],
    });
    await update(project, { assignedTo: [rohan.id] });
    const left = await database.db.select().from(taskAssignees).where(eq(taskAssignees.taskId, task.id));
    expect(left.map(({ userId }) => userId)).toEqual([asha.id]);
    expect((await refusal((await callers.as(mitali)).projects.byId({ projectId: project.id }))).code).toBe("NOT_FOUND");
  });

  test.each(["id", "createdBy", "createdAt", "updatedAt", "key", "canEdit"])("refuses to write %s", async (key) => {
    const project = await create();
    const { code, fieldErrors } = await refusal(update(project, { [key]: "x" }));
    expect([code, fieldErrors]).toEqual(["BAD_REQUEST", { [`patch.${key}`]: ["This field cannot be set."] }]);
  });

  test.each([3_000_000_000, -1, 1.5, Number.NaN])("refuses version %s, which no row can have", async (version) => {
    const project = await create();
    const call = (await callers.as(rohan)).projects.update({ projectId: project.id, version, patch: {} });
    expect((await refusal(call)).code).toBe("BAD_REQUEST");
  });

  test("takes an id in capitals for the same id", async () => {
    const project = await create({ assignedTo: [mitali.id.toUpperCase()] });
    expect(project.assignedTo).toEqual([rohan.id, mitali.id]);
    const shown = await (await callers.as(mitali)).projects.byId({ projectId: project.id.toUpperCase() });
    expect(shown.id).toBe(project.id);
  });

  test("an empty patch changes nothing but the version", async () => {
    const project = await create();
    const { version, updatedAt: _, ...rest } = await update(project, {});
    const { version: before, updatedAt: __, ...same } = project;
    expect([version, rest]).toEqual([before + 1, same]);
  });
});

test("deleting takes all tasks along, and once only", async () => {
  const project = await create({ tasks: [{ title: "One", description: "First." }] });
  const admin = await callers.as(asha);
  expect(await admin.projects.delete({ projectId: project.id })).toEqual({ id: project.id });
  expect(await database.db.select().from(tasks).where(eq(tasks.projectId, project.id))).toEqual([]);
  expect(await refusal(admin.projects.delete({ projectId: project.id }))).toMatchObject({ code: "NOT_FOUND" });
});

describe("visibility", () => {
  test("the SQL predicate and the one over a read row agree for every kind of involvement", async () => {
    const kinds = [
      { createdBy: rohan.id, assignedTo: [], managers: [] },
      { createdBy: client.id, assignedTo: [], managers: [] },
      { createdBy: asha.id, assignedTo: [mitali.id], managers: [] },
      { createdBy: asha.id, assignedTo: [], managers: [client.id] },
      { createdBy: asha.id, assignedTo: [], managers: [rohan.id], clientId: client.id },
      { createdBy: asha.id, assignedTo: [outsider.id], managers: [outsider.id] },
      // Of the people of a client, users and admins are none.
      { createdBy: asha.id, assignedTo: [], clientPeople: [client.id, outsider.id, asha.id] },
    ];
    const made = await Promise.all(kinds.map((kind) => makeProject(database.db, kind)));
    const rows = await findProjectRows(
      database.db,
      made.map(({ id }) => id),
    );
    for (const user of [rohan, mitali, outsider, client, asha]) {
      const actor: Actor = { ...user, displayName: user.name };
      const caller = await callers.as(user);
      const seenBySql = database.db
        .select({ id: projects.id })
        .from(projects)
        .innerJoin(users, eq(users.id, user.id))
        .where(involvingPerson(users));
      const involved = new Set((await seenBySql).map(({ id }) => id));
      for (const row of rows) {
        const seen = await caller.projects.byId({ projectId: row.id }).then(
          () => true,
          () => false,
        );
        expect(seen, `${user.name} on ${row.id}`).toBe(isVisibleTo(actor, row));
        if (user.accountType !== "admin") expect(seen, `${user.name} on ${row.id}`).toBe(involved.has(row.id));
      }
    }
  });

  test("rows of one project and of many, and of their tasks, are read by one statement each", async () => {
    const own = await createTestDatabase({ max: 1 });
    const { id: createdBy } = await makeUser(own.db);
    const ids: string[] = [];
    for (const count of [1, 2, 3]) {
      const { id: projectId } = await makeProject(own.db, { createdBy });
      const { id: taskId } = await makeTask(own.db, { projectId, createdBy });
      ids.push(projectId);
      expect((await findProjectRows(own.db, ids)).map(({ id }) => id).toSorted()).toEqual(ids.toSorted());
      const taskIds = [taskId, ...ids].slice(0, count);
      expect((await findTaskRows(own.db, { projectId, taskIds })).map(({ id }) => id)).toEqual([taskId]);
    }
    const [shows, writes] = ["client_people|checklist", "^insert"];
    const statements = await own.sql`
      select statement from pg_prepared_statements where statement ~ ${shows} and statement !~ ${writes}`;
    await own.close();
    expect(statements).toHaveLength(2);
  });

  test("a client reads names of the team, and never an e-mail, a phone or a way to edit", async () => {
    const project = await create({ clientId: client.id, tasks: [{ title: "One", description: "First." }] });
    const caller = await callers.as(client);
    const shown = await caller.projects.byId({ projectId: project.id });
    const listed = await caller.projects.list({ scope: "mine" });
    const tasksShown = await caller.tasks.list({ projectId: project.id });
    expect(shown.canEdit).toBe(false);
    for (const text of [shown, listed, tasksShown].map((value) => JSON.stringify(value))) {
      expect(text).not.toMatch(/@sangam\.example|\+91/);
    }
  });

  test("renaming oneself gives no one another's projects", async () => {
    const project = await create({ clientId: client.id });
    const impostor = await makeUser(database.db, { name: client.name, accountType: "client" });
    const caller = await callers.as(impostor);
    expect((await caller.projects.list({ scope: "mine" })).items).toEqual([]);
    expect((await refusal(caller.projects.byId({ projectId: project.id }))).code).toBe("NOT_FOUND");
  });

  test("an assignee of a task who is not on the project is named to those who read it", async () => {
    const project = await create();
    await makeTask(database.db, { projectId: project.id, createdBy: rohan.id, assignedTo: [asha.id] });
    const shown = await (await callers.as(rohan)).projects.byId({ projectId: project.id });
    expect(shown.people.map(({ name }) => name)).toContain("Asha Kulkarni");
  });
});

describe("the list", () => {
  test("filters, searches and counts within what the person may see, never beyond", async () => {
    const own = await createTestDatabase();
    try {
      const me = await makeUser(own.db, { name: "Me" });
      const boss = await makeUser(own.db, { name: "Boss", accountType: "admin" });
      const payer = await makeUser(own.db, { name: "Konkan Ports", accountType: "client" });
      const mine = await makeProject(own.db, { createdBy: me.id, title: "Alpha", clientId: payer.id });
      await makeProject(own.db, { createdBy: boss.id, title: "Beta", managers: [me.id], status: "inProgress" });
      await makeProject(own.db, { createdBy: boss.id, title: "Gamma", assignedTo: [me.id], status: "on-hold" });
      await makeProject(own.db, { createdBy: boss.id, title: "Hidden alpha", status: "completed" });
      await makeTask(own.db, { projectId: mine.id, createdBy: me.id, title: "Receipt 100%" });
      const list = async (query: object, user = me) => {
        const caller = await createTestCallers(own.db).as(user);
        const page = await caller.projects.list({ scope: "mine", ...query });
        return [page.items.map(({ title }) => title).sort(), page.counts];
      };
      const counts = (todo: number, inProgress: number, completed: number) => ({ todo, inProgress, completed });
      expect(await list({})).toEqual([["Alpha", "Beta", "Gamma"], counts(2, 1, 0)]);
      expect(await list({ filter: "client" })).toEqual([["Alpha"], counts(1, 0, 0)]);
      expect(await list({ filter: "internal" })).toEqual([["Beta", "Gamma"], counts(1, 1, 0)]);
      expect(await list({ filter: "assigned" })).toEqual([["Alpha", "Gamma"], counts(2, 0, 0)]);
      expect(await list({ filter: "managed" })).toEqual([["Beta"], counts(0, 1, 0)]);
      expect(await list({ q: "ALPHA" })).toEqual([["Alpha"], counts(1, 0, 0)]);
      expect(await list({ q: "konkan" })).toEqual([["Alpha"], counts(1, 0, 0)]);
      expect(await list({ q: "receipt" })).toEqual([["Alpha"], counts(1, 0, 0)]);
      expect(await list({ q: "100%" })).toEqual([["Alpha"], counts(1, 0, 0)]);
      expect(await list({ q: "_" })).toEqual([[], counts(0, 0, 0)]);
      expect(await list({}, boss)).toEqual([["Beta", "Gamma", "Hidden alpha"], counts(1, 1, 1)]);
      expect(await list({ scope: "all" }, boss)).toEqual([["Alpha", "Beta", "Gamma", "Hidden alpha"], counts(2, 1, 1)]);
      expect(await list({}, payer)).toEqual([["Alpha"], counts(1, 0, 0)]);
    } finally {
      await own.close();
    }
  });

  test("pages by 500, newest first, without a gap or a double", async () => {
    const own = await createTestDatabase();
    try {
      const boss = await makeUser(own.db, { accountType: "admin" });
      await own.db.insert(projects).values(
        Array.from({ length: 510 }, (_, at) => ({
          key: `AB${at}`,
          title: `P${at}`,
          description: "x",
          startDate: "2026-01-01",
          createdBy: boss.id,
          createdAt: new Date(1_700_000_000_000 + Math.floor(at / 20) * 1000),
        })),
      );
      const caller = await createTestCallers(own.db).as(boss);
      const first = await caller.projects.list({ scope: "all" });
      const second = await caller.projects.list({ scope: "all", cursor: first.nextCursor });
      expect([first.items.length, second.items.length, second.nextCursor]).toEqual([500, 10, null]);
      expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(510);
      expect(second.counts).toEqual(first.counts);
      expect(first.items[0]?.createdAt ?? "").toBe(
        first.items
          .map(({ createdAt }) => createdAt)
          .sort()
          .at(-1),
      );
    } finally {
      await own.close();
    }
  });
});

test("the database itself refuses a due date before the start, a doubled key and an unknown client", async () => {
  const insert = (changes: object) => makeProject(database.db, { createdBy: rohan.id, ...changes });
  await expect(insert({ startDate: "2026-11-20", dueDate: "2026-11-19" })).rejects.toMatchObject({
    cause: { code: "23514" },
  });
  await expect(insert({ clientId: randomUUID() })).rejects.toMatchObject({ cause: { code: "23503" } });
  await insert({ key: "TWICE" });
  await expect(insert({ key: "TWICE" })).rejects.toMatchObject({ cause: { code: "23505" } });
});

test("client collaboration is off at first, and switched by managers and admins only, on the record", async () => {
  const { db } = database;
  const [creator, manager] = [await makeUser(db), await makeUser(db)];
  const admin = await callers.as(await makeUser(db, { accountType: "admin" }));
  const [ofCreator, ofManager] = [await callers.as(creator), await callers.as(manager)];
  const made = await ofCreator.projects.create({
    ...{ title: "Tides", description: "Hourly.", status: "todo", startDate: "2026-11-20" },
    ...{ assignedTo: [], managers: [manager.id] },
  });
  expect(made.clientCollaboration).toBe(false);
  const edit = (caller: TestCaller, version: number, clientCollaboration: boolean) =>
    caller.projects.update({ projectId: made.id, version, patch: { clientCollaboration } });
  expect(await refusal(edit(ofCreator, 1, true))).toMatchObject({ code: "FORBIDDEN" });
  expect(await edit(ofManager, 1, true)).toMatchObject({ clientCollaboration: true, version: 2 });
  expect(await edit(admin, 2, true)).toMatchObject({ clientCollaboration: true, version: 3 });
  expect(await edit(admin, 3, false)).toMatchObject({ clientCollaboration: false });
  const { items } = await admin.audit.list({ kind: "project.collaboration-changed" });
  expect(items.map(({ subject, details }) => [subject?.id, details.clientCollaboration])).toEqual([
    [made.id, false],
    [made.id, true],
  ]);
  const [last] = (await ofManager.projects.history({ projectId: made.id })).items;
  expect(last?.changes).toEqual([{ field: "clientCollaboration", from: "on", to: "off" }]);
});
