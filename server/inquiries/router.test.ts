import { randomUUID } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeInquiry, makeUser, type UserRow } from "../../db/factories";
import { auditEvents, inquiries } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import { createLogger } from "../core/logger";
import { startListener } from "../realtime/listener";
import { createTestCallers, refusal, type TestCaller, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

let database: TestDatabase;
let callers: TestCallers;
let asha: UserRow;
let vikram: UserRow;
let admin: TestCaller;
let other: TestCaller;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  asha = await makeUser(database.db, { accountType: "admin", name: "Asha Kulkarni" });
  vikram = await makeUser(database.db, { accountType: "admin", name: "Vikram Menon" });
  [admin, other] = await Promise.all([callers.as(asha), callers.as(vikram)]);
});
beforeEach(() => database.sql`truncate inquiries, audit_events cascade`);
afterAll(() => database.close());

const audit = () => database.db.select().from(auditEvents).orderBy(asc(auditEvents.id));

describe("inquiries.list", () => {
  test("is newest first, with every field of its kind, and says who decided", async () => {
    const first = await makeInquiry(database.db, { name: "Old", createdAt: new Date("2026-11-01T10:00:00Z") });
    const later = await makeInquiry(database.db, { name: "New", programme: "training", message: "Evenings, please." });
    await other.inquiries.setStatus({ inquiryId: first.id, status: "answered" });
    const { items, nextCursor } = await admin.inquiries.list({});
    const { decidedBy: _, inquiryKey: _key, ...columns } = later;
    expect(items[0]).toEqual({ ...columns, createdAt: later.createdAt.toISOString(), decidedBy: null });
    expect(items[1]).toMatchObject({ id: first.id, status: "answered", decidedBy: { name: "Vikram Menon" } });
    expect(items[1]?.decidedAt).toEqual(expect.any(String));
    expect(items[1]?.decidedBy).not.toHaveProperty("email");
    expect(nextCursor).toBeNull();
  });

  test("filters by kind and status; its counts follow the kind alone", async () => {
    await makeInquiry(database.db);
    await makeInquiry(database.db, { status: "answered" });
    await makeInquiry(database.db, { programme: "training" });
    await makeInquiry(database.db, { programme: "training", status: "closed" });
    const all = await admin.inquiries.list({ status: "new" });
    expect(all.items.map(({ kind }) => kind).toSorted()).toEqual(["application", "contact"]);
    expect(all.counts).toEqual({ all: 4, new: 2, answered: 1, closed: 1 });
    const contacts = await admin.inquiries.list({ kind: "contact", status: "closed" });
    expect(contacts.items).toEqual([]);
    expect(contacts.counts).toEqual({ all: 2, new: 1, answered: 1, closed: 0 });
  });

  test("pages through hundreds of one instant without a gap or a double", async () => {
    const createdAt = new Date("2026-11-20T10:42:00Z");
    const ids: string[] = [];
    for (let at = 0; at < 120; at += 1) ids.push((await makeInquiry(database.db, { createdAt })).id);
    const read: string[] = [];
    for (let cursor: string | null = null, pages = 0; pages < 3; pages += 1) {
      const page: Awaited<ReturnType<typeof admin.inquiries.list>> = await admin.inquiries.list({ cursor });
      read.push(...page.items.map(({ id }) => id));
      cursor = page.nextCursor;
      expect(cursor === null).toBe(pages === 2);
    }
    expect(read).toHaveLength(120);
    expect(new Set(read)).toEqual(new Set(ids));
  });

  test.each([
    [{ cursor: "x" }],
    [{ cursor: Buffer.from("[1]").toString("base64url") }],
    [{ cursor: Buffer.from('[9e99,"x"]').toString("base64url") }],
    [{ cursor: "A".repeat(201) }],
    [{ status: "all" }],
    [{ kind: "'; drop table inquiries" }],
    [{ q: "x" }],
  ])("rejects %j with a sentence", async (input) => {
    const call = Reflect.apply(admin.inquiries.list, null, [input]) as Promise<unknown>;
    expect((await refusal(call)).code).toBe("BAD_REQUEST");
  });

  test("keeps an erased admin's decision, under the name that is left", async () => {
    const leaving = await makeUser(database.db, { accountType: "admin" });
    const { id } = await makeInquiry(database.db);
    await (await callers.as(leaving)).inquiries.setStatus({ inquiryId: id, status: "closed" });
    await admin.users.erasePerson({ userId: leaving.id });
    const { items } = await admin.inquiries.list({});
    expect(items[0]?.decidedBy).toMatchObject({ id: leaving.id, name: MESSAGES.projects.unknownUser });
  });
});

describe("inquiries.setStatus", () => {
  test("goes from any status to any other, each time written to the audit", async () => {
    const { id: inquiryId } = await makeInquiry(database.db);
    for (const status of ["closed", "answered", "new", "answered"] as const) {
      const after = await admin.inquiries.setStatus({ inquiryId, status });
      expect(after).toMatchObject({ id: inquiryId, status });
      expect(after.decidedBy?.id ?? null).toBe(status === "new" ? null : asha.id);
      expect(after.decidedAt === null).toBe(status === "new");
    }
    const rows = await audit();
    expect(rows.map(({ details }) => `${details.from} ${details.to}`)).toEqual([
      "new closed",
      "closed answered",
      "answered new",
      "new answered",
    ]);
    expect(rows[0]).toMatchObject({ kind: "inquiry.status-changed", actorId: asha.id, subjectId: inquiryId });
  });

  test("to the status that it has changes nothing, also when two admins do the same at once", async () => {
    const { id: inquiryId } = await makeInquiry(database.db);
    const answers = await Promise.all(
      [admin, other, admin, other].map((caller) => caller.inquiries.setStatus({ inquiryId, status: "answered" })),
    );
    expect(new Set(answers.map(({ decidedBy }) => decidedBy?.id)).size).toBe(1);
    expect(await audit()).toHaveLength(1);
    const [before] = await database.db.select().from(inquiries).where(eq(inquiries.id, inquiryId));
    await other.inquiries.setStatus({ inquiryId, status: "answered" });
    expect(await database.db.select().from(inquiries)).toEqual([before]);
  });

  test("of one that does not exist is NOT_FOUND, after the shape and after the role", async () => {
    const client = await callers.as(await makeUser(database.db, { accountType: "client" }));
    const nobodys = { inquiryId: randomUUID(), status: "closed" as const };
    expect(await refusal(admin.inquiries.setStatus(nobodys))).toMatchObject({
      code: "NOT_FOUND",
      message: MESSAGES.inquiries.notFound,
    });
    expect((await refusal(client.inquiries.setStatus({ ...nobodys, inquiryId: "x" }))).code).toBe("FORBIDDEN");
    expect((await refusal(admin.inquiries.setStatus({ ...nobodys, inquiryId: "x" }))).fieldErrors).toHaveProperty(
      "inquiryId",
    );
    expect(await audit()).toEqual([]);
  });
});

describe("inquiries.onChange", () => {
  test("emits each inquiry that arrives or changes to admins, also after a gap in the notifications", async () => {
    const logger = createLogger({ level: "silent" });
    const listener = await startListener({ connection: database.connection, hub: callers.hub, logger });
    const stream = (await admin.inquiries.onChange())[Symbol.asyncIterator]();
    const { id: inquiryId } = await makeInquiry(database.db);
    callers.hub.resyncAll();
    expect(await stream.next()).toEqual({ done: false, value: { inquiryId: null } });
    await other.inquiries.setStatus({ inquiryId, status: "closed" });
    expect(await stream.next()).toEqual({ done: false, value: { inquiryId } });
    await callers.anonymous.inquiries.submit({
      kind: "application",
      name: "Farhan Ali",
      email: "farhan@college.example",
      phone: "+91 98200 12345",
      programme: "training",
    });
    const [made] = await database.db.select().from(inquiries).where(eq(inquiries.name, "Farhan Ali"));
    expect(await stream.next()).toEqual({ done: false, value: { inquiryId: made?.id } });
    await stream.return?.();
    await listener.close();
  });

  test("emits a change of an old inquiry after a gap in the notifications", async () => {
    const { id: inquiryId } = await makeInquiry(database.db);
    for (let at = 0; at < 60; at += 1) await makeInquiry(database.db);
    const stream = (await admin.inquiries.onChange())[Symbol.asyncIterator]();
    await other.inquiries.setStatus({ inquiryId, status: "answered" });
    callers.hub.resyncAll();
    expect(await stream.next()).toEqual({ done: false, value: { inquiryId: null } });
    await stream.return?.();
  });

  test("emits what a lost notification was about, though another one has come since", async () => {
    const { id: inquiryId } = await makeInquiry(database.db);
    const stream = (await admin.inquiries.onChange())[Symbol.asyncIterator]();
    await makeInquiry(database.db);
    callers.hub.deliver({ subject: `inquiry:${inquiryId}`, topics: ["inquiries"] });
    expect(await stream.next()).toEqual({ done: false, value: { inquiryId } });
    callers.hub.resyncAll();
    expect(await stream.next()).toEqual({ done: false, value: { inquiryId: null } });
    await stream.return?.();
  });

  test("ends for who is no admin any more, with an error and nothing of the list", async () => {
    const leaving = await makeUser(database.db, { accountType: "admin" });
    const stream = (await (await callers.as(leaving)).inquiries.onChange())[Symbol.asyncIterator]();
    const next = stream.next();
    await admin.users.setType({ userId: leaving.id, accountType: "client" });
    await makeInquiry(database.db);
    callers.hub.resyncAll();
    await expect(next).rejects.toMatchObject({ code: expect.stringMatching(/UNAUTHORIZED|FORBIDDEN/) });
  });
});
