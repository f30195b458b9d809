import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeConversation, makeProject, makeTask, makeUser } from "../../../db/factories";
import { conversations, messages, projectMembers, projects, tasks, users } from "../../../db/schema";
import { createDiskStore } from "../../files/disk-store";
import { createTestCallers } from "../../test/caller";
import { createTestDatabase, type TestDatabase } from "../../test/db";
import { intakeBelow } from "../../test/import-file";
import { openArchive } from "../archive";
import { runImportCommand } from "../import/command";
import { runExportCommand } from "./command";

let source: TestDatabase;
let target: TestDatabase;
let folder: string;

beforeAll(async () => {
  [source, target] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  folder = await mkdtemp(join(tmpdir(), "sangam-round-trip-"));
});
afterAll(async () => {
  await Promise.all([source.close(), target.close()]);
  await rm(folder, { recursive: true });
});

async function exportAll(file: string): Promise<void> {
  const store = createDiskStore(join(folder, "files"));
  expect(await runExportCommand({ args: [file], folder, connection: source.connection, store })).toMatchObject({
    ok: true,
  });
}

async function importInto({ connection }: TestDatabase, file: string): Promise<string> {
  const { sentence } = await runImportCommand({
    ...{ args: [file], folder, connection, intake: intakeBelow(join(folder, "target")) },
    ...{ show: () => {}, ask: null, timeZone: "UTC" },
  });
  return sentence;
}

const rowsOf = async ({ db }: TestDatabase) => ({
  people: await db
    .select({ id: users.id, status: users.accountStatus, erasedAt: users.erasedAt })
    .from(users)
    .orderBy(asc(users.id)),
  projects: await db
    .select({ id: projects.id, key: projects.key, client: projects.clientId, last: projects.lastTaskNumber })
    .from(projects)
    .orderBy(asc(projects.id)),
  members: await db.select().from(projectMembers).orderBy(asc(projectMembers.userId)),
  tasks: await db
    .select({
      ...{ id: tasks.id, number: tasks.number, status: tasks.status, before: tasks.statusBefore },
      updatedAt: tasks.updatedAt,
    })
    .from(tasks)
    .orderBy(asc(tasks.projectId), asc(tasks.rank)),
  conversations: await db
    .select({
      ...{ id: conversations.id, lower: conversations.lowerUserId, higher: conversations.higherUserId },
      ...{ covered: conversations.coveredUserId, updatedAt: conversations.updatedAt },
    })
    .from(conversations)
    .orderBy(asc(conversations.id)),
  messages: await db
    .select({ id: messages.id, seq: messages.seq, by: messages.senderId, text: messages.text })
    .from(messages)
    .orderBy(asc(messages.id)),
});

test("an export comes back whole after people have become something else, with its keys, numbers and order", async () => {
  const { db } = source;
  const asha = await makeUser(db, { accountType: "admin" });
  const [nowAdmin, nowUser, nowDemotedCover] = [
    await makeUser(db, { accountType: "admin" }),
    await makeUser(db, { accountType: "admin" }),
    await makeUser(db, { accountType: "admin" }),
  ];
  const [client, formerClient, formerColleague] = [
    await makeUser(db, { accountType: "client" }),
    await makeUser(db, { accountType: "client" }),
    await makeUser(db, { accountType: "client" }),
  ];
  await makeConversation(db, {
    between: [asha.id, nowAdmin.id],
    messages: [{ senderId: asha.id, text: "Two admins" }],
  });
  await makeConversation(db, {
    between: [nowUser.id, client.id],
    messages: [{ senderId: client.id, text: "No admin" }],
  });
  const covered = await makeConversation(db, {
    between: [asha.id, client.id],
    messages: [{ senderId: client.id }, { senderId: nowDemotedCover.id, text: "For Asha" }],
  });
  await db.update(conversations).set({ coveredUserId: asha.id }).where(eq(conversations.id, covered.id));
  const project = await makeProject(db, {
    ...{ createdBy: asha.id, title: "Renamed since", key: "OLD7" },
    ...{ clientId: formerClient.id, clientPeople: [formerColleague.id] },
  });
  await makeProject(db, { createdBy: asha.id, title: "Old", key: "OLD" });
  for (const title of ["First", "Deleted", "Third", "Deleted last"]) {
    const task = await makeTask(db, { projectId: project.id, createdBy: asha.id, title });
    if (title.startsWith("Deleted")) await db.delete(tasks).where(eq(tasks.id, task.id));
    // Somebody has put it before all others.
    if (title === "Third") await db.update(tasks).set({ rank: "cZZZ" }).where(eq(tasks.id, task.id));
  }
  // Unticked, it goes back to where it was; feeds say when it was changed.
  const done = {
    status: "completed",
    statusBefore: "inProgress",
    completedAt: new Date(),
    updatedAt: new Date(),
  } as const;
  await db.update(tasks).set(done).where(eq(tasks.title, "Third"));
  for (const person of [nowUser, nowDemotedCover, formerClient, formerColleague])
    await db.update(users).set({ accountType: "user" }).where(eq(users.id, person.id));
  // Whoever has been erased stays so, and is no account that somebody could activate again.
  const { id: erasedId } = await makeUser(db);
  await (await createTestCallers(db).as(asha)).users.erasePerson({ userId: erasedId });
  await exportAll("all.zip");
  expect(await importInto(target, "all.zip")).toContain("Not matched: 0; changed: 0.");
  const [before, after] = [await rowsOf(source), await rowsOf(target)];
  expect(after).toEqual(before);
  expect(after.projects.map(({ key }) => key).sort()).toEqual(["OLD", "OLD7"]);
});

test("a key or number that is taken becomes a free one, and the report says so", async () => {
  const { db } = target;
  const archive = await openArchive(join(folder, "all.zip"));
  const file = JSON.parse(await text(await archive.read("sangam.json")));
  archive.close();
  const [project] = await db.select().from(projects).where(eq(projects.key, "OLD7"));
  const [asha] = await db.select().from(users).where(eq(users.accountType, "admin"));
  const [first] = await db.select().from(tasks).where(eq(tasks.number, 1));
  if (!project || !asha || !first) throw new Error("The export was not imported.");
  // The export holds a task that is gone here, and another one has its number since.
  await db.delete(tasks).where(eq(tasks.id, first.id));
  const { id: _, ...row } = first;
  await db.insert(tasks).values({ ...row, title: "Newer" });
  const others = {
    tasks: { a: { title: "A", number: 9 }, b: { title: "B", number: 9 }, c: { title: "C", number: "x" } },
  };
  file.projects.new = { title: "Old ways", key: "OLD", createdBy: asha.id, ...others };
  await writeFile(join(folder, "again.json"), JSON.stringify(file));
  const sentence = await importInto(target, "again.json");
  expect(sentence).toContain('Project new: key "OLD" became "OW", as another project has it.');
  expect(sentence).toContain(`Task ${project.id}/${first.id}: number "1" became "5", as another task has it.`);
  expect(sentence).toContain('Task new/b: number "9" became "10", as another task has it.');
  expect(sentence).toContain('Task new/c: number "x" was left out');
  const again = await db
    .select({ key: projects.key, title: tasks.title, number: tasks.number, last: projects.lastTaskNumber })
    .from(tasks)
    .innerJoin(projects, eq(projects.id, tasks.projectId))
    .orderBy(asc(projects.key), asc(tasks.number));
  expect(again).toEqual([
    { key: "OLD7", title: "Newer", number: 1, last: 5 },
    { key: "OLD7", title: "Third", number: 3, last: 5 },
    { key: "OLD7", title: "First", number: 5, last: 5 },
    { key: "OW", title: "A", number: 9, last: 11 },
    { key: "OW", title: "B", number: 10, last: 11 },
    { key: "OW", title: "C", number: 11, last: 11 },
  ]);
});

test("a task that a later export brings comes last where people have put the others into another order", async () => {
  const titles = async () => {
    const [project] = await target.db.select().from(projects).where(eq(projects.key, "OLD7"));
    const rows = await target.db
      .select({ title: tasks.title })
      .from(tasks)
      .where(eq(tasks.projectId, project?.id ?? ""))
      .orderBy(asc(tasks.rank));
    return rows.map(({ title }) => title);
  };
  await target.db.update(tasks).set({ rank: "cZZY" }).where(eq(tasks.title, "Newer"));
  const before = await titles();
  const [project] = await source.db.select().from(projects).where(eq(projects.key, "OLD7"));
  if (!project) throw new Error("The project is gone.");
  await makeTask(source.db, { projectId: project.id, createdBy: project.createdBy, title: "New in the source" });
  await exportAll("later.zip");
  expect(await importInto(target, "later.zip")).toContain("1 task");
  expect(await titles()).toEqual([...before, "New in the source"]);
});
