import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeSession, makeUser, type UserRow } from "../../db/factories";
import { sessions } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import { cheapHash, createTestCallers, refusal, type TestCaller, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { findLiveActors } from "./queries";

let database: TestDatabase;
let callers: TestCallers;
let admin: UserRow;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  admin = await makeUser(database.db, { accountType: "admin", passwordHash: cheapHash("the-password") });
});
afterAll(() => database.close());

/** What a session of that person may call that was begun, and last confirmed, 16 minutes ago. */
async function signedInLongAgo(): Promise<{ id: string; caller: TestCaller }> {
  const { id, token } = await makeSession(database.db, { userId: admin.id });
  const longAgo = sql`now() - interval '16 minutes'`;
  await database.db
    .update(sessions)
    .set({ createdAt: longAgo, identityConfirmedAt: longAgo })
    .where(eq(sessions.id, id));
  return { id, caller: callers.withToken(token) };
}

const stale = {
  code: "FORBIDDEN",
  message: MESSAGES.twoFactor.proofRequired,
  reason: "reauthentication-required",
};
const key = { name: "Nightly report", scope: "read" as const };

test("what asks for a fresh proof is refused 16 minutes after signing in, before its input is looked at", async () => {
  const { caller } = await signedInLongAgo();
  const misshapen = { userId: "nobody" };
  expect(await refusal(caller.auth.createApiKey({ ...key, name: "" }))).toEqual(stale);
  expect(await refusal(caller.users.erasePerson(misshapen))).toEqual(stale);
  expect(await refusal(caller.users.exportPerson(misshapen))).toEqual(stale);
  expect(await refusal(caller.github.setToken({ token: "ghp_of_the_tests", owners: [] }))).toEqual(stale);
  expect(await refusal(caller.webhooks.create({ url: "no address", kinds: [] }))).toEqual(stale);
});

test("what opens a way out or in asks for a proof, what closes one does not", async () => {
  const [now, { caller }] = [await callers.as(admin), await signedInLongAgo()];
  const { id: keyId } = await now.auth.createApiKey(key);
  const { id: webhookId } = await now.webhooks.create({ url: "https://127.0.0.1/hook", kinds: ["comment"] });
  expect(await caller.auth.revokeApiKey({ keyId })).toEqual({ ok: true });
  expect(await caller.webhooks.delete({ webhookId })).toEqual({ id: webhookId });
  await caller.github.removeToken();
});

test("the password opens it again for 15 minutes, in that session only", async () => {
  const [here, elsewhere] = [await signedInLongAgo(), await signedInLongAgo()];
  const { until } = await here.caller.auth.confirmIdentity({ password: "the-password" });
  expect(Math.abs(Date.parse(until) - Date.now() - 15 * 60_000)).toBeLessThan(60_000);
  expect(await here.caller.auth.createApiKey(key)).toMatchObject({ name: key.name });
  expect(await refusal(elsewhere.caller.auth.createApiKey(key))).toEqual(stale);
});

test("a wrong password, a code without two-factor sign-in and nothing at all prove nothing", async () => {
  const { caller } = await signedInLongAgo();
  expect(await refusal(caller.auth.confirmIdentity({ password: "a-guess" }))).toMatchObject({
    code: "BAD_REQUEST",
    fieldErrors: { password: [MESSAGES.twoFactor.wrongPassword] },
  });
  expect(await refusal(caller.auth.confirmIdentity({ code: "123456" }))).toMatchObject({
    code: "BAD_REQUEST",
    fieldErrors: { code: [MESSAGES.twoFactor.wrongCode] },
  });
  expect(await refusal(caller.auth.confirmIdentity({}))).toMatchObject({
    fieldErrors: { password: [MESSAGES.twoFactor.proofMissing] },
  });
  expect(await refusal(caller.auth.createApiKey(key))).toEqual(stale);
});

test("an API key has nobody to ask: it is refused for good", async () => {
  const { token } = await callers.makeKey(admin, "write");
  const refused = { code: "FORBIDDEN", message: MESSAGES.apiKeys.needsPerson, reason: "api-key-not-allowed" };
  const withKey = callers.withToken(token);
  expect(await refusal(withKey.users.exportPerson({ userId: admin.id }))).toEqual(refused);
  expect(await refusal(withKey.webhooks.create({ url: "https://firm.example/", kinds: ["comment"] }))).toEqual(refused);
});

test("who has no password is told how to get one", async () => {
  const { token } = await makeSession(database.db, { userId: (await makeUser(database.db)).id });
  expect(await refusal(callers.withToken(token).auth.confirmIdentity({ password: "anything" }))).toMatchObject({
    fieldErrors: { password: [MESSAGES.twoFactor.noPassword] },
  });
});

test("the sessions of 5,000 people who follow one board are checked within the deadline of a read", async () => {
  await database.sql`
    insert into users (email, name, display_name, username, account_type, account_status)
    select 'crowd' || n || '@firm.example', 'Crowd', 'Crowd', 'crowd' || n, 'user', 'active' from generate_series(1, 5000) n`;
  const rows = await database.sql`
    insert into sessions (user_id, token, expires_at)
    select id, md5(id::text), now() + interval '1 day' from users where name = 'Crowd' returning id`;
  expect(
    (
      await findLiveActors(
        database.db,
        rows.map(({ id }) => String(id)),
      )
    ).size,
  ).toBe(5_000);
});
