import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import {
  makeComments,
  makeFile,
  makeLabel,
  makeProject,
  makeTask,
  makeUser,
  type ProjectTableRow,
  type UserRow,
} from "../../db/factories";
import { appendedRank } from "../../db/ranks";
import {
  auditEvents,
  comments,
  files,
  projectEvents,
  projects,
  projectTemplates,
  tasks as taskRows,
  users,
} from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import { MAX_TEMPLATE_TASKS, MAX_TEMPLATES } from "../contract/templates";
import { createTestCallers, refusal, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

let database: TestDatabase;
let callers: TestCallers;
let rohan: UserRow;
let mitali: UserRow;
let asha: UserRow;
let outsider: UserRow;
let meera: UserRow;
let leela: UserRow;
let source: ProjectTableRow;
let labelId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  const { db } = database;
  rohan = await makeUser(db, { name: "Rohan Shah" });
  mitali = await makeUser(db, { name: "Mitali Deshpande" });
  asha = await makeUser(db, { name: "Asha Kulkarni", accountType: "admin" });
  outsider = await makeUser(db);
  meera = await makeUser(db, { name: "Meera Rao", accountType: "client" });
  leela = await makeUser(db, { name: "Leela Thomas", accountType: "client" });
});
afterAll(() => database.close());

beforeEach(async () => {
  const { db } = database;
  await db.delete(projectTemplates);
  source = await makeProject(db, {
    ...{ createdBy: rohan.id, assignedTo: [rohan.id, mitali.id], managers: [mitali.id] },
    ...{ title: "Harbour", description: "The portal.", startDate: "2026-11-02", dueDate: "2026-12-02" },
    ...{ clientId: meera.id, clientPeople: [leela.id], clientCollaboration: true, projectType: "Portal" },
    ...{ githubRepo: "https://github.com/acme/harbour", liveLink: "https://harbour.example", status: "inProgress" },
  });
  await db
    .update(projects)
    .set({ statusReminder: true, commitMode: "counts", maskedWords: ["Acme"] })
    .where(eq(projects.id, source.id));
  labelId = (await makeLabel(db, { name: `Design ${randomUUID().slice(0, 8)}`, colour: "blue" })).id;
  const done = await makeTask(db, {
    ...{ projectId: source.id, createdBy: rohan.id, title: "Sketch", description: "On paper.", status: "completed" },
    ...{ dueDate: "2026-11-09", priority: "high", labelIds: [labelId], assignedTo: [mitali.id, asha.id] },
    checklist: [{ id: randomUUID(), text: "Read it", done: true }],
  });
  await makeTask(db, {
    projectId: source.id,
    createdBy: rohan.id,
    title: "Prepare",
    dueDate: "2026-10-30",
    assignedTo: [],
  });
  await makeTask(db, {
    projectId: source.id,
    createdBy: rohan.id,
    title: "Whenever",
    dueDate: null,
    assignedTo: [rohan.id],
  });
  await makeComments(db, { projectId: source.id, taskId: done.id, comments: [{ authorId: rohan.id, text: "Nice" }] });
  await makeFile(db, { projectId: source.id, uploadedBy: rohan.id, visibility: "client" });
});

const next = { title: "Harbour 2", startDate: "2027-02-25" };
const save = async (by = mitali) => (await callers.as(by)).projects.saveAsTemplate({ projectId: source.id });
const tasksOf = async (projectId: string) =>
  (await (await callers.as(asha)).tasks.list({ projectId })).toSorted((one, other) => one.number - other.number);

describe("a project of a template", () => {
  test("has its tasks with days counted from the new start, people, labels, checklists and settings, and nothing begun", async () => {
    const { templateId } = await save();
    const project = await (await callers.as(outsider)).projects.createFromTemplate({ templateId, ...next });
    expect(project).toMatchObject({
      ...{ ...next, description: "The portal.", dueDate: "2027-03-27", status: "todo", projectType: "Portal" },
      ...{ assignedTo: [outsider.id, rohan.id, mitali.id], managers: [mitali.id], createdBy: outsider.id },
      ...{ clientId: null, clientPeople: [], githubRepo: null, liveLink: null },
      ...{ clientCollaboration: true, statusReminder: true, taskCounts: { total: 3, completed: 0 }, leftOut: [] },
    });
    expect(await tasksOf(project.id)).toMatchObject([
      {
        ...{ number: 1, title: "Sketch", description: "On paper.", status: "todo", dueDate: "2027-03-04" },
        ...{ priority: "high", labelIds: [labelId], assignedTo: [mitali.id, asha.id].sort() },
        checklist: [{ text: "Read it", done: false }],
      },
      { title: "Prepare", dueDate: "2027-02-22", assignedTo: [] },
      { title: "Whenever", dueDate: null, assignedTo: [rohan.id] },
    ]);
    const { db } = database;
    const [row] = await db.select().from(projects).where(eq(projects.id, project.id));
    expect(row).toMatchObject({ commitMode: "counts", maskedWords: ["Acme"], repositoryId: null, lastTaskNumber: 3 });
    expect(await db.$count(comments, eq(comments.authorId, outsider.id))).toBe(0);
    expect(await db.$count(files, eq(files.projectId, project.id))).toBe(0);
    expect(await db.$count(projectEvents, eq(projectEvents.projectId, project.id))).toBe(4);
  });

  test("is as the project was when it was saved, whatever became of it", async () => {
    const { templateId } = await save();
    await (await callers.as(asha)).projects.delete({ projectId: source.id });
    const project = await (await callers.as(rohan)).projects.createFromTemplate({ templateId, ...next });
    expect(await tasksOf(project.id)).toHaveLength(3);
  });

  test("goes without those who are no longer active or of the firm, and without deleted labels, and says whom it left out", async () => {
    const { db } = database;
    const gone = await makeUser(db, { name: "Gone Person" });
    const turned = await makeUser(db, { name: "Turned Person" });
    await makeTask(db, {
      projectId: source.id,
      createdBy: rohan.id,
      title: "Theirs",
      assignedTo: [gone.id, turned.id],
    });
    const { version } = await (await callers.as(asha)).projects.byId({ projectId: source.id });
    const people = { assignedTo: [rohan.id, gone.id], managers: [turned.id] };
    await (await callers.as(asha)).projects.update({ projectId: source.id, version, patch: people });
    const { templateId } = await save(asha);
    await db.update(users).set({ accountStatus: "inactive" }).where(eq(users.id, gone.id));
    await db.update(users).set({ accountType: "client" }).where(eq(users.id, turned.id));
    await (await callers.as(asha)).labels.delete({ labelId });
    const caller = await callers.as(rohan);
    const [listed] = await caller.projects.templates();
    const leftOut = [expect.objectContaining({ id: gone.id }), expect.objectContaining({ id: turned.id })];
    expect(listed?.leftOut).toEqual(leftOut);
    expect(listed?.people.map(({ id }) => id)).toEqual(expect.arrayContaining([rohan.id, asha.id]));
    const project = await caller.projects.createFromTemplate({ templateId, ...next });
    expect(project).toMatchObject({ assignedTo: [rohan.id], managers: [], leftOut });
    expect((await tasksOf(project.id)).map(({ title, assignedTo, labelIds }) => [title, assignedTo, labelIds])).toEqual(
      [
        ["Sketch", [asha.id], []],
        ["Prepare", [], []],
        ["Whenever", [rohan.id], []],
        ["Theirs", [], []],
      ],
    );
  });

  test("refuses a start with which a day leaves the calendar, an unknown template and a title without letters", async () => {
    const { templateId } = await save();
    const caller = await callers.as(rohan);
    const before = await database.db.$count(projects);
    for (const startDate of ["2100-12-25", "2000-01-01"])
      expect(await refusal(caller.projects.createFromTemplate({ templateId, ...next, startDate }))).toMatchObject({
        code: "BAD_REQUEST",
        fieldErrors: { startDate: [MESSAGES.templates.outOfRange] },
      });
    const unknown = caller.projects.createFromTemplate({ templateId: randomUUID(), ...next });
    expect(await refusal(unknown)).toMatchObject({ code: "NOT_FOUND", message: MESSAGES.templates.notFound });
    const untitled = caller.projects.createFromTemplate({ templateId, ...next, title: " " });
    expect(await refusal(untitled)).toMatchObject({ fieldErrors: { title: ["Please enter a title."] } });
    expect(await database.db.$count(projects)).toBe(before);
  });
});

describe("a duplicate", () => {
  test("is the same for the same client, whom the audit then names as in any project", async () => {
    const project = await (await callers.as(mitali)).projects.duplicate({ projectId: source.id, ...next });
    expect(project).toMatchObject({
      ...{ ...next, dueDate: "2027-03-27", clientId: meera.id, clientPeople: [leela.id], leftOut: [] },
      ...{ githubRepo: null, clientCollaboration: true, taskCounts: { total: 3, completed: 0 } },
    });
    expect(project.key).not.toBe(source.key);
    expect((await (await callers.as(leela)).tasks.list({ projectId: project.id })).map(({ title }) => title)).toEqual(
      expect.arrayContaining(["Sketch", "Prepare", "Whenever"]),
    );
    const audited = await database.db.select().from(auditEvents).where(eq(auditEvents.actorId, mitali.id));
    const ofCopy = audited.filter(({ subjectId, details }) => subjectId === project.id || details.key === project.key);
    expect(ofCopy.map(({ kind }) => kind).sort()).toEqual([
      "client-person.added",
      "project.collaboration-changed",
      "project.commit-view-changed",
    ]);
  });

  test("by who does not manage the project leaves it to its managers whether the client may write", async () => {
    const project = await (await callers.as(rohan)).projects.duplicate({ projectId: source.id, ...next });
    expect(project).toMatchObject({ clientId: meera.id, clientCollaboration: false, managers: [mitali.id] });
    const [row] = await database.db.select().from(projects).where(eq(projects.id, project.id));
    expect(row).toMatchObject({ commitMode: "counts", maskedWords: ["Acme"], statusReminder: true });
  });

  test("goes without a client who is no longer active: the next of its people stands in, and the answer says so", async () => {
    const { db } = database;
    const former = await makeUser(db, { name: "Former Client", accountType: "client", accountStatus: "inactive" });
    await db.update(projects).set({ clientId: former.id }).where(eq(projects.id, source.id));
    const project = await (await callers.as(rohan)).projects.duplicate({ projectId: source.id, ...next });
    expect(project).toMatchObject({ clientId: leela.id, clientPeople: [], leftOut: [{ id: former.id }] });
  });

  test("made while tasks are added, labels deleted and templates saved waits for no one for ever", async () => {
    const caller = await callers.as(asha);
    const results = await Promise.allSettled([
      ...[1, 2, 3, 4].map(() => caller.projects.duplicate({ projectId: source.id, ...next })),
      ...[1, 2].map(() => caller.projects.saveAsTemplate({ projectId: source.id })),
      caller.labels.delete({ labelId }),
      caller.tasks.create({ projectId: source.id, title: "Late", description: "d", labelIds: [] }),
    ]);
    expect(results.filter(({ status }) => status === "rejected")).toEqual([]);
  });
});

describe("templates", () => {
  test("are listed for users and admins with what they bring, are their maker's and admins' to delete, once, and audited", async () => {
    const { templateId } = await save();
    const [listed, ...others] = await (await callers.as(outsider)).projects.templates();
    expect(others).toEqual([]);
    expect(listed).toMatchObject({
      ...{ id: templateId, title: "Harbour", description: "The portal.", dueAfterDays: 30, taskCount: 3 },
      ...{ createdBy: { id: mitali.id }, canDelete: false, leftOut: [] },
    });
    expect(listed?.people.map(({ id }) => id).sort()).toEqual([asha.id, mitali.id, rohan.id].sort());
    expect(JSON.stringify(listed)).not.toContain("Acme");
    const refused = await refusal((await callers.as(outsider)).projects.deleteTemplate({ templateId }));
    expect(refused).toMatchObject({ code: "FORBIDDEN", message: MESSAGES.templates.ownOnly });
    const both = [mitali, asha].map(async (one) => (await callers.as(one)).projects.deleteTemplate({ templateId }));
    const ended = (await Promise.allSettled(both)).map(({ status }) => status);
    expect(ended.sort()).toEqual(["fulfilled", "rejected"]);
    const kinds = await database.db
      .select({ kind: auditEvents.kind, details: auditEvents.details })
      .from(auditEvents)
      .where(eq(auditEvents.actorId, mitali.id));
    expect(kinds).toContainEqual({ kind: "template.saved", details: { template: "Harbour" } });
  });

  test("hold so many tasks, and an organisation so many templates", async () => {
    const { db } = database;
    const { templateId } = await save();
    const [{ content } = { content: null }] = await db.select().from(projectTemplates);
    const rows = Array.from({ length: MAX_TEMPLATES - 1 }, () => ({ title: "t", content, createdBy: rohan.id }));
    await db.insert(projectTemplates).values(rows);
    expect(await refusal(save())).toMatchObject({ code: "CONFLICT", reason: "too-many" });
    await (await callers.as(mitali)).projects.deleteTemplate({ templateId });
    const tasks = Array.from({ length: 200 }, (_, at) => ({ title: `t${at}`, description: "d" }));
    const caller = await callers.as(asha);
    const fields = { ...next, description: "d", status: "todo" as const, assignedTo: [], managers: [], tasks };
    const { id: projectId } = await caller.projects.create(fields);
    const missing = Array.from({ length: MAX_TEMPLATE_TASKS - tasks.length }, (_, at) => tasks.length + 1 + at);
    await db.insert(taskRows).values(
      missing.map((number) => ({
        ...{ projectId, number, rank: appendedRank(number), title: "t", description: "d", createdBy: asha.id },
      })),
    );
    await db.update(projects).set({ lastTaskNumber: MAX_TEMPLATE_TASKS }).where(eq(projects.id, projectId));
    const copied = await caller.projects.duplicate({ projectId, ...next });
    expect(copied.taskCounts.total).toBe(MAX_TEMPLATE_TASKS);
    await makeTask(db, { projectId, createdBy: asha.id });
    const full = { code: "CONFLICT", message: MESSAGES.templates.tooManyTasks };
    expect(await refusal(caller.projects.saveAsTemplate({ projectId }))).toMatchObject(full);
    expect(await refusal(caller.projects.duplicate({ projectId, ...next }))).toMatchObject(full);
  });
});
