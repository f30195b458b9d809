import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeLabel } from "../../../db/factories";
import {
  labels,
  projectMembers,
  projects,
  projectTemplates,
  taskLabels,
  tasks as taskRows,
  users,
} from "../../../db/schema";
import { MAX_CLIENT_PEOPLE } from "../../contract/projects";
import { MAX_LABELS } from "../../contract/task-labels";
import { deleteLabel } from "../../labels/mutations";
import { createTestDatabase, type TestDatabase } from "../../test/db";
import { importFileOf, intakeBelow } from "../../test/import-file";
import { runImportCommand } from "./command";

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "sangam-import-"));
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

async function importFile(file: object) {
  await writeFile(join(folder, "file.json"), JSON.stringify(file));
  const { ok } = await runImportCommand({
    ...{ args: ["file.json", "--report", "report.json"], folder, connection: database.connection },
    ...{ show: () => {}, ask: null, timeZone: "UTC", intake: intakeBelow(folder) },
  });
  expect(ok).toBe(true);
  return JSON.parse(await readFile(join(folder, "report.json"), "utf8"));
}

const firm = importFileOf({ users: MAX_CLIENT_PEOPLE + 4, projects: 1, tasks: 0, messages: 0 });
const unmatched = (kind: string, field: string, value: unknown) => ({ kind, field, value });
const unmatchedOf = (report: { unmatched: { kind: string; id: string; field: string; value: unknown }[] }) =>
  report.unmatched.map(({ kind, field, value }) => ({ kind, field, value }));

test("people of a client who are unknown, no clients, or too many are left out and named; the rest join in their order", async () => {
  const [template] = Object.values(firm.projects);
  const clients = Array.from({ length: MAX_CLIENT_PEOPLE + 2 }, (_, at) => `k${at + 2}`);
  const clientPeople = ["nobody", "k0", "k1", ...clients];
  const file = {
    ...firm,
    projects: { full: { ...template, clientPeople }, bare: { title: "Bare", clientPeople: ["k2"] } },
  };
  const report = await importFile(file);
  expect(unmatchedOf(report)).toEqual([
    unmatched("project", "clientPeople", "nobody"),
    unmatched("project", "clientPeople", "k0"),
    unmatched("project", "clientPeople", "k22"),
    unmatched("project", "clientPeople", "k23"),
    unmatched("project", "clientPeople", "k2"),
  ]);
  const joined = await database.db
    .select({ email: users.email, project: projects.title })
    .from(projectMembers)
    .innerJoin(users, eq(users.id, projectMembers.userId))
    .innerJoin(projects, eq(projects.id, projectMembers.projectId))
    .where(eq(projectMembers.role, "client"))
    .orderBy(projectMembers.position);
  expect(joined).toEqual(
    clients.slice(0, MAX_CLIENT_PEOPLE).map((id) => ({ email: `p${id.slice(1)}@firm.example`, project: "Project 0" })),
  );
});

test("a template by others' hands is made fit: what it names that is not there is left out and named", async () => {
  const task = { title: "Sketch", description: "On paper.", labels: ["Ink", "INK"], assignedTo: ["k0", "gone"] };
  const templates = {
    t1: { title: "Portal", managers: ["k0"], assignedTo: ["gone"], tasks: [task], dueAfterDays: -3, createdBy: "gone" },
    t2: { description: "Broken", tasks: [{ title: "" }], commitMode: "everything", dueAfterDays: "soon" },
    t3: "none",
  };
  const report = await importFile({ users: firm.users, templates });
  expect(unmatchedOf(report)).toEqual([
    unmatched("template", "dueAfterDays", "soon"),
    unmatched("template", "tasks", [{ title: "" }]),
    unmatched("template", "", "none"),
    unmatched("template", "assignedTo", "gone"),
    unmatched("template", "tasks", "gone"),
  ]);
  expect(report.changed).toContainEqual(
    expect.objectContaining({ kind: "template", id: "t1", field: "dueAfterDays", from: -3, to: 0 }),
  );
  expect(report.imported).toMatchObject({ templates: 2 });
  const { db } = database;
  const [ink] = await db.select().from(labels);
  const [asha] = await db.select().from(users).where(eq(users.email, "p0@firm.example"));
  const stored = await db.select().from(projectTemplates).orderBy(projectTemplates.title);
  expect(stored).toMatchObject([
    {
      ...{ title: "Portal", createdBy: asha?.id },
      content: {
        ...{ description: "Portal", dueAfterDays: 0, assignedTo: [], managers: [asha?.id], commitMode: "titles" },
        tasks: [{ title: "Sketch", labelIds: [ink?.id], assignedTo: [asha?.id], priority: "none", checklist: [] }],
      },
    },
    { title: "Untitled", content: { tasks: [], commitMode: "hidden", dueAfterDays: null } },
  ]);
  expect(await importFile({ users: firm.users, templates })).toMatchObject({ imported: { users: 0 } });
  expect(await db.$count(projectTemplates)).toBe(2);
});

test("a label that is deleted while an import puts it on tasks ends neither of them", async () => {
  const { db, sql } = database;
  const fileOf = (tasks: object) => ({ users: firm.users, projects: { mill: { title: "Mill", tasks } } });
  const sluice = { title: "Sluice", labels: ["Teal"] };
  await importFile(fileOf({ sluice }));
  const [teal] = await db.select().from(labels).where(eq(labels.name, "Teal"));
  const [both] = await sql.begin(async (tx) => {
    // Both wait for the project: the import first, so that it is the first to go on.
    await tx`select from projects where title = 'Mill' for update`;
    const importing = importFile(fileOf({ sluice, wheel: { title: "Wheel", labels: ["Teal"] } }));
    importing.catch(() => {});
    await database.untilWaiting();
    const deleting = deleteLabel(db, { labelId: teal?.id ?? "" });
    deleting.catch(() => {});
    await database.untilWaiting(2);
    return [Promise.allSettled([importing, deleting])];
  });
  expect((await both)?.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  expect(await db.select().from(taskRows).where(eq(taskRows.title, "Wheel"))).toHaveLength(1);
  expect(await db.$count(labels, eq(labels.name, "Teal"))).toBe(0);
});

test("labels beyond the 200 that there may be are left out and named, and the first ones are kept", async () => {
  const { db } = database;
  await makeLabel(db, { name: "Slate" });
  while ((await db.$count(labels)) < MAX_LABELS - 1) await makeLabel(db);
  const tasks = {
    first: { title: "Draw", labels: ["slate", "Umber", "Chalk"] },
    second: { title: "Paint", labels: ["Chalk", "umber"] },
  };
  const templates = {
    colours: { title: "Colours", tasks: [{ title: "Mix", description: "By hand.", labels: ["Coal", "Umber"] }] },
  };
  const file = { users: firm.users, projects: { studio: { title: "Studio", tasks } }, templates };
  const report = await importFile(file);
  expect(report.unmatched).toMatchObject([
    { kind: "task", id: "studio/first", field: "labels", value: "Chalk" },
    { kind: "template", id: "colours", field: "labels", value: "Coal" },
  ]);
  expect(await db.$count(labels)).toBe(MAX_LABELS);
  const labelled = await db
    .select({ task: taskRows.title, label: labels.name })
    .from(taskLabels)
    .innerJoin(labels, eq(labels.id, taskLabels.labelId))
    .innerJoin(taskRows, eq(taskRows.id, taskLabels.taskId))
    .orderBy(taskRows.title, labels.name);
  expect(labelled).toEqual([
    { task: "Draw", label: "Slate" },
    { task: "Draw", label: "Umber" },
    { task: "Paint", label: "Umber" },
  ]);
});
