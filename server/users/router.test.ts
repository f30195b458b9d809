import { randomUUID } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeUser, type UserRow } from "../../db/factories";
import { accounts, twoFactors, users } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import { createTestCallers, refusal, type TestCaller, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

let database: TestDatabase;
let callers: TestCallers;
let asha: UserRow;
let admin: TestCaller;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  asha = await makeUser(database.db, { name: "Asha Kulkarni", accountType: "admin" });
  admin = await callers.as(asha);
});
afterAll(() => database.close());

const pendingUser = () => makeUser(database.db, { accountStatus: "pending" });
const statusOf = async ({ id }: { id: string }) =>
  (await database.db.select().from(users).where(eq(users.id, id))).map((row) => [
    row.accountStatus,
    row.accountType,
  ])[0];

test.each(["user", "client", "admin"] as const)("approving makes the account active as %s", async (accountType) => {
  const user = await pendingUser();
  const approved = await admin.users.approve({ userId: user.id, accountType });
  expect(approved).toMatchObject({ id: user.id, accountStatus: "active", accountType });
  expect(await statusOf(user)).toEqual(["active", accountType]);
});

test("rejecting leaves the type and refuses the person", async () => {
  const user = await pendingUser();
  await admin.users.reject({ userId: user.id });
  expect(await statusOf(user)).toEqual(["rejected", "user"]);
});

test("of two admins who decide at once one succeeds, and the other is told who was first", async () => {
  const vikram = await makeUser(database.db, { name: "Vikram Menon", accountType: "admin" });
  const second = await callers.as(vikram);
  for (let round = 0; round < 5; round += 1) {
    const user = await pendingUser();
    const outcomes = await Promise.allSettled([
      admin.users.approve({ userId: user.id, accountType: "client" }),
      second.users.reject({ userId: user.id }),
    ]);
    const refused = outcomes.filter((outcome) => outcome.status === "rejected");
    expect(refused).toHaveLength(1);
    const [status] = (await statusOf(user)) ?? [];
    const first = status === "active" ? "Asha Kulkarni" : "Vikram Menon";
    expect(refused[0]?.reason).toMatchObject({
      code: "CONFLICT",
      message: MESSAGES.users.alreadyDecided(first, status ?? ""),
    });
  }
});

test("nobody decides about oneself, and nobody decides about who is not there", async () => {
  expect(await refusal(admin.users.reject({ userId: asha.id }))).toMatchObject({ code: "FORBIDDEN" });
  expect(await refusal(admin.users.approve({ userId: randomUUID(), accountType: "user" }))).toMatchObject({
    code: "NOT_FOUND",
    message: MESSAGES.users.notFound,
  });
  expect(await refusal(admin.users.reject({ userId: "not-an-id" }))).toMatchObject({ code: "BAD_REQUEST" });
});

test("pickers offer active people of their types only, and never an e-mail or a phone", async () => {
  const client = await makeUser(database.db, { accountType: "client" });
  const resting = await makeUser(database.db, { accountStatus: "inactive" });
  const employee = await makeUser(database.db);
  const caller = await callers.as(employee);
  const assignable = await caller.users.assignable();
  const clients = await caller.users.clients();
  const ids = assignable.map(({ id }) => id);
  expect(ids).toContain(employee.id);
  expect(ids).toContain(asha.id);
  expect(ids).not.toContain(client.id);
  expect(ids).not.toContain(resting.id);
  expect(clients.map(({ id }) => id)).toContain(client.id);
  for (const person of [...assignable, ...clients]) {
    expect(Object.keys(person).sort()).toEqual(["accountType", "id", "name", "profileImgLink"]);
  }
});

test("the list has each status on its tab, counts what the search matches, and pages without a gap or a double", async () => {
  const own = await createTestDatabase();
  try {
    const boss = await makeUser(own.db, { name: "Boss", email: "boss@sangam.example", accountType: "admin" });
    const caller = await createTestCallers(own.db).as(boss);
    const createdAt = new Date("2026-01-01T00:00:00Z");
    for (let at = 0; at < 120; at += 1) {
      // Ten share an instant, so that the page boundary falls within equals.
      const moment = new Date(createdAt.valueOf() + Math.floor(at / 10) * 1000);
      await makeUser(own.db, { name: `Pending ${at}`, accountStatus: "pending", createdAt: moment });
    }
    await makeUser(own.db, { name: "Reject 100%", accountStatus: "rejected" });
    await makeUser(own.db, { name: "Inactive", accountStatus: "inactive" });
    const first = await caller.users.list({ status: "pending" });
    const second = await caller.users.list({ status: "pending", cursor: first.nextCursor });
    expect(first.items).toHaveLength(100);
    expect(second.items).toHaveLength(20);
    expect(second.nextCursor).toBeNull();
    expect(new Set([...first.items, ...second.items].map(({ id }) => id)).size).toBe(120);
    expect(first.counts).toEqual({ all: 123, pending: 120, active: 1, rejected: 2 });
    expect((await caller.users.list({ status: "rejected" })).items.map(({ name }) => name).sort()).toEqual([
      "Inactive",
      "Reject 100%",
    ]);
    const percent = await caller.users.list({ q: "100%" });
    expect(percent.items.map(({ name }) => name)).toEqual(["Reject 100%"]);
    expect(percent.counts).toEqual({ all: 1, pending: 0, active: 0, rejected: 1 });
    expect((await caller.users.list({ q: "BOSS@" })).items.map(({ name }) => name)).toEqual(["Boss"]);
    for (const cursor of ["junk", Buffer.from('["2026","x"]').toString("base64url")]) {
      expect(await refusal(caller.users.list({ cursor }))).toMatchObject({ code: "BAD_REQUEST" });
    }
  } finally {
    await own.close();
  }
});

describe("users.onChange after a gap in the notifications", () => {
  const changes = {
    "two-factor sign-in that was turned on": ({ id: userId }: UserRow) =>
      database.db.insert(twoFactors).values({ userId, sealed: "s", keyId: "k", enabledAt: new Date() }),
    "a sign-in method": ({ id: userId }: UserRow) =>
      database.db.insert(accounts).values({ userId, accountId: userId, providerId: "google" }),
    "a change begun before the latest and committed after it": ({ id }: UserRow) =>
      database.db
        .update(users)
        .set({ mobile: "+91 98200 12345", updatedAt: sql`now() - interval '1 minute'` })
        .where(eq(users.id, id)),
  };
  test.each(Object.entries(changes))("admins read their lists again for %s", async (_, change) => {
    const person = await makeUser(database.db);
    await makeUser(database.db);
    const stream = (await admin.users.onChange())[Symbol.asyncIterator]();
    await change(person);
    callers.hub.resyncAll();
    expect(await stream.next()).toEqual({ done: false, value: { userId: null } });
    await stream.return?.();
  });
});
