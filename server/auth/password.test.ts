import * as library from "better-auth/crypto";
import { and, asc, eq, like } from "drizzle-orm";
import { TOTP, URI } from "otpauth";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeSession, makeUser, type UserRow } from "../../db/factories";
import { accounts, auditEvents, mailJobs, sessions, twoFactors, users, verifications } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import { deleteExpired } from "../jobs/retention";
import { cheapHash, createTestCallers, refusal, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { createAccountMails } from "./mails";
import { confirmSession } from "./mutations";
import { changePassword, createResetToken } from "./password-changes";
import { hashPassword, hashSlots, verifyPassword } from "./passwords";

let database: TestDatabase;
let callers: TestCallers;
let user: UserRow;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  user = await makeUser(database.db, { passwordHash: cheapHash("the-old-one") });
});
afterAll(() => database.close());

const reset = (token: string, password = "the-new-one") =>
  callers.anonymous.auth.resetPassword({ token, password, confirmPassword: password });
const hashOf = async ({ id }: { id: string }) =>
  (
    await database.db
      .select()
      .from(accounts)
      .where(and(eq(accounts.userId, id), eq(accounts.providerId, "credential")))
  )[0]?.password;

test("asking for a reset gives every address the same answer and queues the same row", async () => {
  for (const email of [user.email, "nobody@sangam.example"]) {
    expect(await callers.anonymous.auth.requestPasswordReset({ email })).toEqual({ ok: true });
    const queued = await database.db.select().from(mailJobs).where(eq(mailJobs.recipient, email));
    expect(queued.map(({ template }) => template)).toEqual(["password-reset"]);
  }
});

test("a reset mail is written only for who is there, and its link works once", async () => {
  const compose = createAccountMails({ db: database.db, publicUrl: "https://sangam.example" });
  const job = { id: 1, template: "password-reset", attempts: 0 };
  expect(await compose({ ...job, recipient: "nobody@sangam.example" })).toBeNull();
  const mail = await compose({ ...job, recipient: user.email });
  expect(mail?.to).toBe(user.email);
  const token = /reset-password\?token=(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
  expect(mail?.html).toContain(token);
  await reset(token);
  expect(await hashOf(user)).toBe(cheapHash("the-new-one"));
  expect(await refusal(reset(token))).toMatchObject({ code: "BAD_REQUEST", message: MESSAGES.auth.resetLinkDead });
});

test("of ten uses of one link at once one succeeds", async () => {
  const token = await createResetToken(database.db, { userId: user.id });
  const outcomes = await Promise.allSettled(Array.from({ length: 10 }, (_, at) => reset(token, `new-password-${at}`)));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  const winner = outcomes.findIndex(({ status }) => status === "fulfilled");
  expect(await hashOf(user)).toBe(cheapHash(`new-password-${winner}`));
});

test("a link ends after 30 minutes, and with the use of another one", async () => {
  const [first, second] = [
    await createResetToken(database.db, { userId: user.id }),
    await createResetToken(database.db, { userId: user.id }),
  ];
  const [row] =
    await database.sql`select bool_and(expires_at between now() + interval '29 minutes' and now() + interval '31 minutes') as half_an_hour from verifications`;
  expect(row?.half_an_hour).toBe(true);
  await reset(first);
  expect((await refusal(reset(second))).code).toBe("BAD_REQUEST");
  const late = await createResetToken(database.db, { userId: user.id });
  await database.sql`update verifications set expires_at = now() - interval '1 second'`;
  expect((await refusal(reset(late))).code).toBe("BAD_REQUEST");
});

test("the database keeps only a hash of a link's token", async () => {
  const token = await createResetToken(database.db, { userId: user.id });
  expect(
    await database.db
      .select()
      .from(verifications)
      .where(like(verifications.identifier, `%${token}%`)),
  ).toEqual([]);
});

test("a reset ends every session, verifies the address, is audited and told by mail", async () => {
  const person = await makeUser(database.db, { passwordHash: cheapHash("the-old-one") });
  await makeSession(database.db, { userId: person.id });
  await reset(await createResetToken(database.db, { userId: person.id }));
  expect(await database.db.select().from(sessions).where(eq(sessions.userId, person.id))).toEqual([]);
  expect((await database.db.select().from(users).where(eq(users.id, person.id)))[0]?.emailVerified).toBe(true);
  const [entry] = await database.db.select().from(auditEvents).where(eq(auditEvents.subjectId, person.id));
  expect(entry).toMatchObject({ kind: "password.reset", actorId: person.id });
  const mails = await database.db.select().from(mailJobs).where(eq(mailJobs.recipient, person.id));
  expect(mails.map(({ template }) => template)).toEqual(["password-changed"]);
});

test("two-factor sign-in turned on, turned off, or reset by an admin is told by mail", async () => {
  const person = await makeUser(database.db, { passwordHash: cheapHash("the-present-one") });
  const admin = await makeUser(database.db, { accountType: "admin" });
  const own = await callers.as(person);
  const turnOn = async () => {
    const { uri } = await own.auth.enableTwoFactor({ password: "the-present-one" });
    const app = URI.parse(uri);
    if (!(app instanceof TOTP)) throw new Error("an app that goes by the clock");
    await own.auth.confirmTwoFactor({ code: app.generate() });
    // As if that code had been of long ago.
    await database.db.update(twoFactors).set({ lastStep: 0 }).where(eq(twoFactors.userId, person.id));
    return app.generate();
  };
  const code = await turnOn();
  await own.auth.disableTwoFactor({ password: "the-present-one", code });
  await turnOn();
  await (await callers.as(admin)).users.resetTwoFactor({ userId: person.id });
  const mails = await database.db
    .select()
    .from(mailJobs)
    .where(eq(mailJobs.recipient, person.id))
    .orderBy(asc(mailJobs.id));
  const [on, off, reset] = ["two-factor-on", "two-factor-off", "two-factor-reset"];
  expect(mails.map(({ template }) => template)).toEqual([on, off, on, reset]);
});

test("a person without a password, who came through Google, gets one by a reset", async () => {
  const person = await makeUser(database.db);
  await reset(await createResetToken(database.db, { userId: person.id }));
  expect(await hashOf(person)).toBe(cheapHash("the-new-one"));
});

test("changing the password needs the present one and ends every other session", async () => {
  const person = await makeUser(database.db, { passwordHash: cheapHash("the-old-one") });
  const other = await makeSession(database.db, { userId: person.id });
  const mine = await makeSession(database.db, { userId: person.id });
  const caller = callers.withToken(mine.token);
  const wrong = caller.auth.changePassword({ currentPassword: "not-it", newPassword: "the-new-one" });
  expect((await refusal(wrong)).fieldErrors).toEqual({ currentPassword: [MESSAGES.auth.wrongCurrentPassword] });
  await caller.auth.changePassword({ currentPassword: "the-old-one", newPassword: "the-new-one" });
  expect(await hashOf(person)).toBe(cheapHash("the-new-one"));
  expect(await callers.withToken(other.token).auth.me()).toBeNull();
  expect(await caller.auth.me()).toMatchObject({ id: person.id });
});

test("of two links of one person used at once one works, 20 times over, and the database never has to choose a victim", async () => {
  const person = await makeUser(database.db, { passwordHash: cheapHash("the-old-one") });
  for (let round = 0; round < 20; round += 1) {
    const tokens = [
      await createResetToken(database.db, { userId: person.id }),
      await createResetToken(database.db, { userId: person.id }),
    ];
    const outcomes = await Promise.allSettled(tokens.map((token) => reset(token)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const refused = outcomes.find((outcome) => outcome.status === "rejected");
    expect(refused?.reason).toMatchObject({ code: "BAD_REQUEST" });
  }
});

test("a change of password that a reset overtakes changes nothing, and its session ends", async () => {
  const person = await makeUser(database.db, { passwordHash: cheapHash("the-old-one") });
  const mine = await makeSession(database.db, { userId: person.id });
  await reset(await createResetToken(database.db, { userId: person.id }), "the-owners-new-one");
  const overtaken = changePassword(database.db, {
    actor: { id: person.id, displayName: "", accountType: "user", accountStatus: "active" },
    sessionId: mine.id,
    checkedHash: cheapHash("the-old-one"),
    passwordHash: cheapHash("the-attackers"),
  });
  await expect(overtaken).rejects.toMatchObject({ code: "CONFLICT" });
  expect(await hashOf(person)).toBe(cheapHash("the-owners-new-one"));
});

test("a session that was issued for a password which a reset has replaced meanwhile does not stay", async () => {
  const person = await makeUser(database.db, { passwordHash: cheapHash("the-old-one") });
  const checked = { userId: person.id, passwordHash: cheapHash("the-old-one") };
  const stays = await makeSession(database.db, { userId: person.id });
  expect(await confirmSession(database.db, checked, stays)).toBe(true);
  await reset(await createResetToken(database.db, { userId: person.id }));
  const late = await makeSession(database.db, { userId: person.id });
  expect(await confirmSession(database.db, checked, late)).toBe(false);
  expect(await callers.withToken(late.token).auth.me()).toBeNull();
});

test("what has ended is swept away, and nothing else", async () => {
  const person = await makeUser(database.db);
  const [live, ended] = [
    await makeSession(database.db, { userId: person.id }),
    await makeSession(database.db, { userId: person.id, expired: true }),
  ];
  await deleteExpired(database.db);
  const left = await database.db.select().from(sessions).where(eq(sessions.userId, person.id));
  expect(left.map(({ id }) => id)).toEqual([live.id]);
  expect(left.map(({ id }) => id)).not.toContain(ended.id);
});

test("people see their own sessions, end one or all others, and never another's", async () => {
  const person = await makeUser(database.db);
  const [phone, laptop, mine] = [
    await makeSession(database.db, { userId: person.id }),
    await makeSession(database.db, { userId: person.id }),
    await makeSession(database.db, { userId: person.id }),
  ];
  const foreign = await makeSession(database.db, { userId: user.id });
  const caller = callers.withToken(mine.token);
  const shown = await caller.auth.sessions();
  expect(shown.map(({ id }) => id).sort()).toEqual([phone.id, laptop.id, mine.id].sort());
  expect(shown.filter(({ current }) => current).map(({ id }) => id)).toEqual([mine.id]);
  expect(JSON.stringify(shown)).not.toContain(mine.token);
  await caller.auth.revokeSession({ sessionId: phone.id });
  expect(await callers.withToken(phone.token).auth.me()).toBeNull();
  expect(await refusal(caller.auth.revokeSession({ sessionId: foreign.id }))).toMatchObject({ code: "NOT_FOUND" });
  expect(await callers.withToken(foreign.token).auth.me()).not.toBeNull();
  expect(await caller.auth.revokeOtherSessions()).toEqual({ ended: 1 });
  expect(await caller.auth.me()).not.toBeNull();
});

test("a password hashed here is right for the auth library, and the other way round", async () => {
  const ours = await hashPassword("Übergrößen-24");
  expect(await library.verifyPassword({ hash: ours, password: "Übergrößen-24" })).toBe(true);
  const theirs = await library.hashPassword("Übergrößen-24");
  // The same letters, typed as base letters with accents.
  expect(await verifyPassword({ hash: theirs, password: "Übergrößen-24".normalize("NFD") })).toBe(true);
  expect(await verifyPassword({ hash: theirs, password: "another one" })).toBe(false);
  expect(await verifyPassword({ hash: "broken", password: "another one" })).toBe(false);
});

test("eight people behind one address may sign in at once, however long a hash takes, and keep out nobody elsewhere", () => {
  for (const workers of [1, 2, 64]) {
    const { inAll, ofAddress } = hashSlots({ workers, hashMs: 20_000 });
    expect(ofAddress).toBeGreaterThanOrEqual(8);
    expect(inAll).toBeGreaterThan(ofAddress);
  }
});
