import { randomUUID } from "node:crypto";
import { and, eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDb } from "../../db/client";
import { makeProject, makeSession, makeTask, makeUser } from "../../db/factories";
import { auditEvents, repositories, users } from "../../db/schema";
import { seedDemo } from "../../db/seed";
import { MESSAGES } from "../contract/messages";
import { cheapHash, createTestCallers, refusal, type TestCaller, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { startLiveServer } from "../test/live-server";
import { sessionCookie } from "../test/session-cookie";

let database: TestDatabase;
let callers: TestCallers;
let admin: TestCaller;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  await seedDemo({
    db: database.db,
    hashPassword: async (password) => cheapHash(password),
    storeContents: async () => {},
  });
  // So that clients have problems to be told of, each those of their own repositories.
  await database.db.update(repositories).set({ problem: "not-found", problemStatus: 404 });
  admin = await callers.as(await personOf("asha@sangam.example"));
});
afterAll(() => database.close());

async function personOf(email: string) {
  const [person] = await database.db.select().from(users).where(eq(users.email, email));
  if (!person) throw new Error(`nobody has ${email}`);
  return person;
}

/** Everything that the portal reads, as it leaves the server. */
async function portalOf(caller: TestCaller, asClientId?: string): Promise<string> {
  const list = await caller.projects.list({ scope: "mine", asClientId });
  const each = list.items.map(({ id: projectId }) =>
    Promise.all([
      caller.projects.byId({ projectId, asClientId }),
      caller.tasks.list({ projectId, asClientId }),
      caller.github.commits({ projectId, asClientId }),
    ]),
  );
  return JSON.stringify([list, await Promise.all(each), await caller.github.commits({ asClientId })]);
}

const entriesOf = (actorId: string, subjectId: string) =>
  database.db
    .select({ details: auditEvents.details })
    .from(auditEvents)
    .where(
      and(
        eq(auditEvents.actorId, actorId),
        eq(auditEvents.subjectId, subjectId),
        eq(auditEvents.kind, "client-view.opened"),
      ),
    );

test("an admin reads, byte for byte, what each client of the demo reads", async () => {
  const clients = await database.db.select().from(users).where(eq(users.accountType, "client"));
  expect(clients.length).toBeGreaterThanOrEqual(3);
  for (const client of clients) {
    const own = await portalOf(await callers.as(client));
    expect(await portalOf(admin, client.id)).toBe(own);
    expect(own).toContain('"canEdit":false');
    expect(own).not.toContain("@sangam.example");
  }
});

test("what is no client's is not there for an admin who looks with that client's eyes", async () => {
  const meera = await personOf("meera@sangam.example");
  const { id: projectId } = await makeProject(database.db, { createdBy: meera.id, assignedTo: [] });
  await makeTask(database.db, { projectId, createdBy: meera.id });
  const asClientId = meera.id;
  const calls: Promise<unknown>[] = [
    admin.projects.byId({ projectId, asClientId }),
    admin.tasks.list({ projectId, asClientId }),
    admin.github.commits({ projectId, asClientId }),
  ];
  for (const answer of await Promise.all(calls.map(refusal))) {
    expect(answer).toEqual({ code: "NOT_FOUND", message: MESSAGES.projects.notFound });
  }
  expect(await refusal(admin.projects.list({ scope: "all", asClientId }))).toMatchObject({ code: "FORBIDDEN" });
});

test("only clients who have or had a portal can be seen as", async () => {
  const { db } = database;
  const refused = [
    { id: randomUUID() },
    await makeUser(db),
    await makeUser(db, { accountType: "admin" }),
    await makeUser(db, { accountType: "client", accountStatus: "pending" }),
    await makeUser(db, { accountType: "client", accountStatus: "rejected" }),
  ];
  const erased = await makeUser(db, { accountType: "client" });
  await admin.users.erasePerson({ userId: erased.id });
  for (const { id } of [...refused, erased]) {
    const notFound = { code: "NOT_FOUND", message: MESSAGES.users.clientNotFound };
    expect(await refusal(admin.users.openClientView({ clientId: id }))).toEqual(notFound);
    expect(await refusal(admin.projects.list({ scope: "mine", asClientId: id }))).toEqual(notFound);
    expect(await entriesOf((await personOf("asha@sangam.example")).id, id)).toEqual([]);
  }
  const left = await makeUser(db, { name: "Left Early", accountType: "client", accountStatus: "inactive" });
  expect(await admin.users.openClientView({ clientId: left.id })).toEqual({
    client: { id: left.id, name: "Left Early", accountType: "client", profileImgLink: null },
  });
});

test("nobody else may name a client, not even themselves, whatever the rest of the input is", async () => {
  const meera = await personOf("meera@sangam.example");
  for (const person of [meera, await personOf("rohan@sangam.example")]) {
    const caller = await callers.as(person);
    const calls: Promise<unknown>[] = [
      caller.users.openClientView({ clientId: meera.id }),
      caller.projects.list({ scope: "mine", asClientId: meera.id }),
      caller.projects.list({ scope: "mine", asClientId: "no id" }),
      caller.projects.byId({ projectId: randomUUID(), asClientId: meera.id }),
      caller.tasks.list({ projectId: randomUUID(), asClientId: meera.id }),
      caller.github.commits({ asClientId: meera.id }),
    ];
    for (const answer of await Promise.all(calls.map(refusal))) {
      expect(answer).toEqual({ code: "FORBIDDEN", message: MESSAGES.general.notAllowed });
    }
  }
});

test("a write never takes it", async () => {
  const asClientId = (await personOf("meera@sangam.example")).id;
  const [project] = (await admin.projects.list({ scope: "mine", asClientId })).items;
  const projectId = project?.id ?? "";
  const withClient = <Input extends object>(input: Input): Input => ({ ...input, asClientId });
  const calls: Promise<unknown>[] = [
    admin.projects.delete(withClient({ projectId })),
    admin.projects.update(withClient({ projectId, version: 1, patch: { title: "Changed" } })),
    admin.tasks.create(withClient({ projectId, title: "A task", description: "Of nobody." })),
    admin.github.refresh(withClient({ projectId })),
    admin.chat.start(withClient({ recipientId: asClientId, text: "Hello", clientMessageId: randomUUID() })),
  ];
  for (const answer of await Promise.all(calls.map(refusal))) {
    expect(answer).toMatchObject({ code: "BAD_REQUEST", fieldErrors: { asClientId: expect.anything() } });
  }
});

test("a link on another site writes nothing to the audit in an admin's name", async () => {
  const server = await startLiveServer(database);
  const vikram = await makeUser(database.db, { accountType: "admin" });
  const client = await makeUser(database.db, { accountType: "client" });
  const { token } = await makeSession(database.db, { userId: vikram.id });
  const input = encodeURIComponent(JSON.stringify({ json: { scope: "mine", asClientId: client.id } }));
  const read = (site: string) =>
    fetch(`${server.base}/api/trpc/projects.list?input=${input}`, {
      headers: { cookie: sessionCookie(token), "sec-fetch-site": site },
    });
  for (const site of ["cross-site", "same-site"]) {
    const answer = await read(site);
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain(MESSAGES.general.foreignOrigin);
  }
  expect(await entriesOf(vikram.id, client.id)).toEqual([]);
  expect((await read("same-origin")).status).toBe(200);
  expect(await entriesOf(vikram.id, client.id)).toHaveLength(1);
  await server.close();
});

test("openings and reads of an hour are one audit row, also when they come at once to two servers", async () => {
  const vikram = await makeUser(database.db, { accountType: "admin" });
  const client = await makeUser(database.db, { accountType: "client" });
  const other = createDb(database.connection);
  const [here, there] = [await callers.as(vikram), await createTestCallers(other.db).as(vikram)];
  const open = (caller: TestCaller) => caller.users.openClientView({ clientId: client.id });
  const read = (caller: TestCaller) => caller.projects.list({ scope: "mine", asClientId: client.id });

  await Promise.all([here, there].flatMap((caller) => [open(caller), open(caller), open(caller), open(caller)]));
  await open(here);
  await read(there);
  expect(await entriesOf(vikram.id, client.id)).toEqual([{ details: {} }]);

  await database.db.update(auditEvents).set({ at: sql`${auditEvents.at} - interval '61 minutes'` });
  await open(there);
  await open(here);
  expect(await entriesOf(vikram.id, client.id)).toHaveLength(2);
  await other.close();
});

test("reads are one audit row an hour, also those that no opening came before", async () => {
  const vikram = await makeUser(database.db, { accountType: "admin" });
  const client = await makeUser(database.db, { accountType: "client" });
  const caller = await callers.as(vikram);
  const read = () => caller.projects.list({ scope: "mine", asClientId: client.id });

  await Promise.all(Array.from({ length: 8 }, read));
  expect(await entriesOf(vikram.id, client.id)).toEqual([{ details: { withoutOpening: true } }]);
  await read();
  await caller.users.openClientView({ clientId: client.id });
  await read();
  expect(await entriesOf(vikram.id, client.id)).toHaveLength(1);

  // Another admin, and another hour, have entries of their own.
  await admin.projects.list({ scope: "mine", asClientId: client.id });
  expect(await entriesOf(vikram.id, client.id)).toHaveLength(1);
  await database.db.update(auditEvents).set({ at: sql`${auditEvents.at} - interval '61 minutes'` });
  await read();
  await read();
  expect(await entriesOf(vikram.id, client.id)).toHaveLength(2);
});
