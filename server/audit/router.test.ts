import { randomUUID } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { AUDIT_KINDS, type AuditKind } from "../../db/event-kinds";
import { makeInquiry, makeProject, makeUser, type UserRow } from "../../db/factories";
import { auditEvents } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import { createLogger } from "../core/logger";
import { startListener } from "../realtime/listener";
import { createTestCallers, refusal, type TestCaller, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { insertAudit } from "./mutations";

let database: TestDatabase;
let callers: TestCallers;
let asha: UserRow;
let admin: TestCaller;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  asha = await makeUser(database.db, { accountType: "admin", name: "Asha Kulkarni" });
  admin = await callers.as(asha);
});
beforeEach(() => database.sql`truncate audit_events`);
afterAll(() => database.close());

const write = (kind: AuditKind, given: { actorId?: string | null; subjectId?: string | null } = {}) =>
  // Also of kinds that have details: what earlier versions wrote lacks some.
  Reflect.apply(insertAudit, null, [database.db, { kind, actorId: asha.id, subjectId: null, ...given }]);
const kinds = async (input: Parameters<TestCaller["audit"]["list"]>[0]) =>
  (await admin.audit.list(input)).items.map(({ kind }) => kind);

describe("audit.list", () => {
  test("names who received somebody's work, until they are erased: the name is stored nowhere", async () => {
    const leela = await makeUser(database.db, { name: "Leela Nair" });
    const rohan = await makeUser(database.db, { name: "Rohan Unforgettable" });
    await admin.users.handOverAll({ userId: leela.id, toUserId: rohan.id, parts: ["tasks"] });
    const handedTo = async () => (await admin.audit.list({ kind: "work.handed-over" })).items[0]?.details.to;
    expect(await handedTo()).toBe("Rohan Unforgettable");
    expect(JSON.stringify(await database.db.select().from(auditEvents))).not.toContain("Unforgettable");
    await admin.users.erasePerson({ userId: rohan.id });
    expect(await handedTo()).toBe(MESSAGES.projects.unknownUser);
  });

  test("the names that were once stored with handed over work are removed by a migration", async () => {
    const details = { tasks: 2, toUserId: randomUUID(), to: "Rohan Unforgettable" };
    await insertAudit(database.db, { kind: "work.handed-over", actorId: asha.id, subjectId: asha.id, details });
    const file = readdirSync("drizzle").find((name) => name.endsWith("_audit_without_names.sql"));
    await database.sql.unsafe(readFileSync(`drizzle/${file}`, "utf8"));
    const { to: _, ...left } = details;
    expect(await database.db.select({ details: auditEvents.details }).from(auditEvents)).toEqual([{ details: left }]);
  });

  test("is newest first and names who did what to whom", async () => {
    const nikhil = await makeUser(database.db, { name: "Nikhil Patil", accountStatus: "pending" });
    await admin.users.approve({ userId: nikhil.id, accountType: "client" });
    const inquiry = await makeInquiry(database.db, { name: "Leela Nair" });
    await admin.inquiries.setStatus({ inquiryId: inquiry.id, status: "closed" });
    const project = await makeProject(database.db, { createdBy: asha.id, title: "Quay lights", key: "QL" });
    await admin.projects.delete({ projectId: project.id });
    await write("repository-token.removed");
    await write("account.made-admin", { actorId: null, subjectId: asha.id });
    const { items } = await admin.audit.list({});
    expect(items.map(({ kind, actor, subject, details }) => [kind, actor?.name ?? null, subject, details])).toEqual([
      ["account.made-admin", null, { type: "person", id: asha.id, name: "Asha Kulkarni" }, {}],
      ["repository-token.removed", "Asha Kulkarni", { type: "organisation", id: null, name: null }, {}],
      [
        "project.deleted",
        "Asha Kulkarni",
        { type: "project", id: project.id, name: "Quay lights" },
        { title: "Quay lights", key: "QL" },
      ],
      [
        "inquiry.status-changed",
        "Asha Kulkarni",
        { type: "inquiry", id: inquiry.id, name: "Leela Nair" },
        { from: "new", to: "closed" },
      ],
      [
        "account.approved",
        "Asha Kulkarni",
        { type: "person", id: nikhil.id, name: "Nikhil Patil" },
        { accountType: "client", emailVerified: false },
      ],
    ]);
    expect(items[0]?.at).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
    expect(JSON.stringify(items)).not.toContain("@sangam.example");
  });

  test("keeps the ids of the erased, under the names that are left", async () => {
    const user = await makeUser(database.db);
    const client = await makeUser(database.db, { accountType: "client" });
    await write("password.changed", { actorId: user.id, subjectId: user.id });
    await write("password.changed", { actorId: client.id, subjectId: client.id });
    await write("account.approved", { actorId: randomUUID(), subjectId: randomUUID() });
    for (const { id } of [user, client]) await admin.users.erasePerson({ userId: id });
    const { items } = await admin.audit.list({});
    const [, , ofNobody, ofClient, ofUser] = items;
    expect(ofUser?.actor).toMatchObject({ id: user.id, name: MESSAGES.projects.unknownUser });
    expect(ofClient?.subject).toEqual({ type: "person", id: client.id, name: MESSAGES.projects.unknownClient });
    expect(ofNobody?.actor?.name).toBe(MESSAGES.projects.unknownUser);
    expect(ofNobody?.subject.name).toBe(MESSAGES.projects.unknownUser);
  });

  test("of a person is what they did and what was done to them, once each; kinds narrow it", async () => {
    const rohan = await makeUser(database.db);
    await write("account.approved", { subjectId: rohan.id });
    await write("password.changed", { actorId: rohan.id, subjectId: rohan.id });
    await write("account.rejected", { subjectId: randomUUID() });
    await write("client-view.opened", { actorId: rohan.id, subjectId: randomUUID() });
    expect(await kinds({ personId: rohan.id })).toEqual(["client-view.opened", "password.changed", "account.approved"]);
    expect(await kinds({ personId: rohan.id, kind: "account.approved" })).toEqual(["account.approved"]);
    expect(await kinds({ kind: "account.rejected" })).toEqual(["account.rejected"]);
    expect(await kinds({ personId: randomUUID() })).toEqual([]);
  });

  test.each([{}, { kind: "session.ended" as const }, { ofPerson: true }])(
    "pages by 50 without a gap or a double, also while it grows: %j",
    async ({ kind, ofPerson = false }: { kind?: AuditKind; ofPerson?: boolean }) => {
      for (let at = 0; at < 120; at += 1) await write("session.ended", at % 2 ? { subjectId: asha.id } : {});
      const filter = { kind, ...(ofPerson && { personId: asha.id }) };
      const read: number[] = [];
      for (let cursor: string | null = null, pages = 0; pages < 3; pages += 1) {
        const page: Awaited<ReturnType<typeof admin.audit.list>> = await admin.audit.list({ ...filter, cursor });
        read.push(...page.items.map(({ id }) => id));
        cursor = page.nextCursor;
        expect(cursor === null).toBe(pages === 2);
        await write("session.ended");
      }
      expect(read).toHaveLength(120);
      expect(read).toEqual([...new Set(read)].toSorted((one, two) => two - one));
    },
  );

  test.each([
    [{ personId: "x" }],
    [{ kind: "account.invented" }],
    [{ cursor: "x" }],
    [{ cursor: Buffer.from("-1").toString("base64url") }],
    [{ cursor: Buffer.from("9007199254740993").toString("base64url") }],
    [{ limit: 1e9 }],
  ])("rejects %j with a sentence", async (input) => {
    const call = Reflect.apply(admin.audit.list, null, [input]) as Promise<unknown>;
    expect((await refusal(call)).code).toBe("BAD_REQUEST");
  });

  test("has a subject for every kind that can be written, and no procedure that writes", async () => {
    for (const kind of AUDIT_KINDS) await write(kind, { subjectId: asha.id });
    const { items } = await admin.audit.list({});
    expect(items.map(({ kind }) => kind).toReversed()).toEqual([...AUDIT_KINDS]);
    for (const { subject } of items) expect(subject.type).toMatch(/^(person|project|inquiry|organisation)$/);
  });

  test("holds no secret: what the actions of today write down is no token, password or address of the network", async () => {
    const token = "ghp_0123456789abcdefABCDEF";
    await admin.github.setToken({ token, owners: ["konkan"] });
    const rohan = await makeUser(database.db);
    await (await callers.as(rohan)).auth.revokeOtherSessions();
    await admin.users.setType({ userId: rohan.id, accountType: "client" });
    const written = JSON.stringify((await admin.audit.list({})).items);
    for (const secret of [token, "CDEF", "127.0.0.1", "token-"]) expect(written).not.toContain(secret);
    expect(written).toContain("konkan");
  });
});

describe("audit.onChange", () => {
  test("notifies admins of new events, also after a gap in the notifications", async () => {
    const logger = createLogger({ level: "silent" });
    const listener = await startListener({ connection: database.connection, hub: callers.hub, logger });
    const stream = (await admin.audit.onChange())[Symbol.asyncIterator]();
    await write("session.ended");
    expect(await stream.next()).toEqual({ done: false, value: { hasGrown: true } });
    await database.db.insert(auditEvents).values({ kind: "session.ended", actorId: asha.id });
    callers.hub.resyncAll();
    expect(await stream.next()).toEqual({ done: false, value: { hasGrown: true } });
    await stream.return?.();
    await listener.close();
  });
});

test("deleting a project writes who deleted what, and a deletion that fails writes nothing", async () => {
  const project = await makeProject(database.db, { createdBy: asha.id, title: "Quay lights", key: "QLA" });
  await admin.projects.delete({ projectId: project.id });
  expect((await refusal(admin.projects.delete({ projectId: project.id }))).code).toBe("NOT_FOUND");
  expect(await kinds({ kind: "project.deleted" })).toEqual(["project.deleted"]);
});
