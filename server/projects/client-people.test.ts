import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeFile, makeProject, makeTask, makeUser, type UserRow } from "../../db/factories";
import { auditEvents, projectMembers, projects, users } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import type { ProjectChange } from "../contract/views";
import { listFollowerIds } from "../notifications/followers";
import { refusal, startTestProcess, type TestCaller, type TestProcess } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

let database: TestDatabase;
let here: TestProcess;
let rohan: UserRow;
let mitali: UserRow;
let meera: UserRow;
let leela: UserRow;
let stranger: UserRow;
let asha: UserRow;

beforeAll(async () => {
  database = await createTestDatabase();
  here = await startTestProcess(database);
  const { db } = database;
  rohan = await makeUser(db, { name: "Rohan Shah" });
  mitali = await makeUser(db, { name: "Mitali Deshpande" });
  meera = await makeUser(db, { name: "Meera Rao", accountType: "client" });
  leela = await makeUser(db, { name: "Leela Thomas", accountType: "client" });
  stranger = await makeUser(db, { name: "Kabir Anand", accountType: "client" });
  asha = await makeUser(db, { name: "Asha Kulkarni", accountType: "admin" });
});
afterAll(async () => {
  await here.listener.close();
  await database.close();
});

const make = (given: object = {}) =>
  makeProject(database.db, {
    ...{ createdBy: rohan.id, managers: [mitali.id], clientId: meera.id, clientPeople: [leela.id] },
    ...{ title: "Harbour", clientCollaboration: true },
    ...given,
  });
const update = async (projectId: string, patch: object, by: UserRow = rohan) => {
  const caller = await here.as(by);
  const { version } = await caller.projects.byId({ projectId });
  return caller.projects.update({ projectId, version, patch });
};
const fields = (changes: object = {}) => ({
  ...{ title: "Quay lights", description: "All of them.", status: "todo" as const, startDate: "2026-11-20" },
  ...{ assignedTo: [], managers: [] },
  ...changes,
});

describe("further people of a client", () => {
  test("read, byte for byte, what the client reads, and write what the client may", async () => {
    const { id: projectId } = await make();
    const task = await makeTask(database.db, { projectId, createdBy: rohan.id, title: "Berth lamps" });
    const team = await here.as(rohan);
    const subject = { taskId: task.id };
    const said = { subject, text: "For the team", clientCommentId: randomUUID() };
    await team.comments.create({ ...said, visibility: "team" });
    await team.comments.create({ ...said, text: "For all", clientCommentId: randomUUID(), visibility: "client" });
    await makeFile(database.db, { ...{ projectId, taskId: task.id, uploadedBy: rohan.id }, visibility: "team" });
    const [client, person] = [await here.as(meera), await here.as(leela)];
    const readBy = async (caller: TestCaller, asClientId?: string) =>
      JSON.stringify([
        await caller.projects.byId({ projectId, asClientId }),
        await caller.tasks.list({ projectId, asClientId }),
        await caller.projects.history({ projectId, asClientId }),
        await caller.comments.list({ subject, asClientId }),
        await caller.files.list({ subject, asClientId }),
        await caller.github.commits({ projectId, asClientId }),
      ]);
    const read = await readBy(person);
    expect(read).toBe(await readBy(client));
    expect(read).toContain("For all");
    expect(read).not.toContain("For the team");
    expect(await readBy(await here.as(asha), leela.id)).toBe(read);
    expect((await person.search.all({ q: "Berth lamps" })).tasks).toHaveLength(1);

    const comment = { subject, text: `@[Meera](person:${meera.id}) and @[Rohan](person:${rohan.id})` };
    await person.comments.create({ ...comment, visibility: "client", clientCommentId: randomUUID() });
    for (const mentioned of [meera, rohan]) {
      const { items } = await (await here.as(mentioned)).notifications.list({});
      expect(items.filter(({ kind }) => kind === "mentioned")).toHaveLength(1);
    }
    await update(projectId, { clientCollaboration: false }, asha);
    const late = { ...comment, visibility: "client" as const, clientCommentId: randomUUID() };
    expect((await refusal(person.comments.create(late))).code).toBe("FORBIDDEN");
    expect((await refusal(person.projects.delete({ projectId }))).code).toBe("FORBIDDEN");
  });

  test("follow the project and its tasks as the client does", async () => {
    const { id: projectId } = await make();
    const { id: taskId } = await makeTask(database.db, { projectId, createdBy: rohan.id });
    expect(await listFollowerIds(database.db, { projectId, taskId: null })).toEqual(
      expect.arrayContaining([meera.id, leela.id]),
    );
    expect(await listFollowerIds(database.db, { projectId, taskId })).toEqual(
      expect.arrayContaining([meera.id, leela.id]),
    );
  });

  test("see a project from the moment they are added until they are removed, on an open page too", async () => {
    const { id: projectId } = await make({ clientPeople: [] });
    const watcher = await watch(leela);
    const before = await here.as(leela);
    expect((await refusal(before.projects.byId({ projectId }))).code).toBe("NOT_FOUND");
    expect((await update(projectId, { clientPeople: [leela.id] })).clientPeople).toEqual([leela.id]);
    expect(await watcher.next()).toMatchObject({ projectId, kind: "people-changed", project: { id: projectId } });
    expect((await before.notifications.list({})).items[0]).toMatchObject({ kind: "assigned", subject: { projectId } });
    await update(projectId, { clientPeople: [] });
    expect(await watcher.next()).toMatchObject({ projectId, kind: "removed", project: null });
    expect((await refusal(before.projects.byId({ projectId }))).code).toBe("NOT_FOUND");
    await watcher.close();
  });

  test("whose account is no client's any more keep nothing by it, and have it again when it is", async () => {
    const { id: projectId } = await make();
    const person = await makeUser(database.db, { name: "Nadia", accountType: "client" });
    await update(projectId, { clientPeople: [leela.id, person.id] });
    const admin = await here.as(asha);
    const sees = async () => {
      const caller = await here.as(person);
      const { items } = await caller.projects.list({ scope: "mine" });
      const seen = await caller.projects.byId({ projectId }).then(
        () => true,
        () => false,
      );
      expect(items.some(({ id }) => id === projectId)).toBe(seen);
      const { people } = await admin.search.all({ q: "Nadia" });
      const team = await admin.users.team();
      expect(people).toHaveLength(1);
      expect(team.find(({ id }) => id === person.id)?.projects.some(({ id }) => id === projectId)).toBe(seen);
      const mentionable = await admin.comments.mentionable({ subject: { projectId } });
      expect(mentionable.some(({ id }) => id === person.id)).toBe(seen);
      return seen;
    };
    expect(await sees()).toBe(true);
    await admin.users.setType({ userId: person.id, accountType: "user" });
    expect(await sees()).toBe(false);
    await admin.users.setType({ userId: person.id, accountType: "client" });
    expect(await sees()).toBe(true);
  });

  test("stand in the project as Unknown Client once they are erased", async () => {
    const person = await makeUser(database.db, { name: "Nadia", accountType: "client" });
    const { id: projectId } = await make({ clientPeople: [person.id] });
    const admin = await here.as(asha);
    expect((await admin.users.exportPerson({ userId: person.id })).projects).toEqual([
      expect.objectContaining({ id: projectId, roles: ["client"] }),
    ]);
    await admin.users.erasePerson({ userId: person.id });
    const shown = await admin.projects.byId({ projectId });
    expect(shown.clientPeople).toEqual([person.id]);
    expect(shown.people.find(({ id }) => id === person.id)?.name).toBe(MESSAGES.projects.unknownClient);
  });
});

describe("who may be one", () => {
  test("active clients, 20 at most, where there is a client, who is not listed twice", async () => {
    const caller = await here.as(rohan);
    const gone = await makeUser(database.db, { accountType: "client", accountStatus: "inactive" });
    const errorsOf = async (changes: object) => (await refusal(caller.projects.create(fields(changes)))).fieldErrors;
    const { notClients, clientFirst, tooManyClientPeople } = MESSAGES.projects;
    for (const { id } of [mitali, asha, gone])
      expect(await errorsOf({ clientId: meera.id, clientPeople: [id] })).toEqual({ clientPeople: [notClients] });
    expect(await errorsOf({ clientPeople: [leela.id] })).toEqual({ clientPeople: [clientFirst] });
    const many = Array.from({ length: 21 }, () => randomUUID());
    expect(await errorsOf({ clientId: meera.id, clientPeople: many })).toEqual({ clientPeople: [tooManyClientPeople] });
    const clientPeople = [leela.id, meera.id, leela.id];
    const made = await caller.projects.create(fields({ clientId: meera.id, clientPeople }));
    expect(made.clientPeople).toEqual([leela.id]);
    expect(made.people.map(({ id }) => id)).toContain(leela.id);
    const edit = (patch: object) => refusal(update(made.id, patch));
    expect((await edit({ clientPeople: [asha.id] })).fieldErrors).toEqual({ "patch.clientPeople": [notClients] });
    expect((await edit({ clientId: null, clientPeople: [leela.id] })).fieldErrors).toEqual({
      "patch.clientPeople": [clientFirst],
    });
  });

  test("who is there and became inactive may stay, but not be added", async () => {
    const person = await makeUser(database.db, { accountType: "client" });
    const { id: projectId } = await make({ clientPeople: [person.id] });
    await database.db.update(users).set({ accountStatus: "inactive" }).where(eq(users.id, person.id));
    expect((await update(projectId, { clientPeople: [leela.id, person.id] })).clientPeople).toEqual([
      leela.id,
      person.id,
    ]);
    await update(projectId, { clientPeople: [leela.id] });
    const { code } = await refusal(update(projectId, { clientPeople: [leela.id, person.id] }));
    expect(code).toBe("BAD_REQUEST");
  });

  test("a colleague who becomes the client leaves the list; without a client it is empty", async () => {
    const { id: projectId } = await make();
    expect(await update(projectId, { title: "Harbour lights" })).toMatchObject({ clientPeople: [leela.id] });
    const swapped = await update(projectId, { clientId: leela.id, clientPeople: [leela.id, meera.id] });
    expect(swapped).toMatchObject({ clientId: leela.id, clientPeople: [meera.id] });
    expect(await update(projectId, { clientId: meera.id })).toMatchObject({ clientPeople: [] });
    await update(projectId, { clientPeople: [leela.id] });
    expect(await update(projectId, { clientId: null })).toMatchObject({ clientId: null, clientPeople: [] });
    expect(await database.db.$count(projectMembers, eq(projectMembers.projectId, projectId))).toBe(2);
    expect((await refusal((await here.as(leela)).projects.byId({ projectId }))).code).toBe("NOT_FOUND");
  });
});

test("a change of them is in the audit by the person, and in the history; a client reads of present colleagues only", async () => {
  const { id: projectId } = await make({ clientPeople: [stranger.id] });
  await update(projectId, { clientPeople: [leela.id] });
  const audit = await database.db.select().from(auditEvents).where(eq(auditEvents.actorId, rohan.id));
  const [{ key } = { key: "" }] = await database.db.select().from(projects).where(eq(projects.id, projectId));
  const ofProject = audit.filter(({ details }) => details.key === key);
  expect(ofProject.map(({ kind, subjectId, details }) => [kind, subjectId, details.title])).toEqual([
    ["client-person.added", leela.id, "Harbour"],
    ["client-person.removed", stranger.id, "Harbour"],
  ]);
  const changesFor = async (reader: UserRow) => {
    const { items, people } = await (await here.as(reader)).projects.history({ projectId });
    return { changes: items[0]?.changes, people: people.map(({ id }) => id).sort() };
  };
  const change = { field: "clientPeople", added: [leela.id], removed: [stranger.id] };
  expect(await changesFor(rohan)).toEqual({ changes: [change], people: [leela.id, stranger.id].sort() });
  for (const reader of [meera, leela])
    expect(await changesFor(reader)).toEqual({ changes: [{ ...change, removed: [] }], people: [leela.id] });
});

async function watch(user: UserRow) {
  const changes = await (await here.as(user)).projects.onChange();
  const iterator: AsyncIterator<ProjectChange> = changes[Symbol.asyncIterator]();
  return {
    next: async () => (await iterator.next()).value,
    close: async () => void (await iterator.return?.()),
  };
}
