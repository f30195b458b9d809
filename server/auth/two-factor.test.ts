import { randomUUID } from "node:crypto";
import { and, eq, like, sql } from "drizzle-orm";
import { type TOTP, URI } from "otpauth";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSession, makeUser, type UserRow } from "../../db/factories";
import { accounts, auditEvents, recoveryCodes, sessions, twoFactors, verifications } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import { cheapHash, createTestCallers, refusal, startTestProcess, TEST_KEY, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { type LiveServer, startLiveServer } from "../test/live-server";
import { runAdminCommand } from "./admin-command";
import { createResetToken } from "./password-changes";
import { hashPassword } from "./passwords";

const PASSWORD = "a-good-password";
let passwordHash: string;
let database: TestDatabase;
let callers: TestCallers;
let server: LiveServer;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startLiveServer({ ...database, secrets: { tokenEncryptionKey: TEST_KEY } });
  callers = createTestCallers(database.db);
  passwordHash = await hashPassword(PASSWORD);
});
afterAll(async () => {
  await server.close();
  await database.close();
});

interface Answer {
  status: number;
  data: Record<string, unknown>;
  error: { message: string; reason?: string; fieldErrors?: object };
  cookies: string[];
}

/** A browser: it sends the cookies that it was given. */
function openBrowser(base = server.base) {
  const jar = new Map<string, string>();
  async function call(procedure: string, input: object = {}, method = "POST"): Promise<Answer> {
    const answer = await fetch(`${base}/api/trpc/${procedure}`, {
      method,
      headers: {
        "content-type": "application/json",
        cookie: [...jar].map(([name, value]) => `${name}=${value}`).join("; "),
      },
      ...(method === "POST" && { body: JSON.stringify({ json: input }) }),
    });
    const cookies = answer.headers.getSetCookie();
    for (const cookie of cookies) {
      const [, name = "", value = ""] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
      jar.set(name, value);
    }
    const body = await answer.json();
    const error = body.error && { message: body.error.json.message, ...body.error.json.data };
    return { status: answer.status, data: body.result?.data.json, error, cookies };
  }
  return {
    jar,
    call,
    signIn: (person: UserRow, given = {}) =>
      call("auth.signIn", { email: person.email, password: PASSWORD, rememberMe: true, ...given }),
    verify: (challenge: unknown, code: string, rememberBrowser = false) =>
      call("auth.verifyTwoFactor", { challenge, code, rememberBrowser }),
    me: async () => (await call("auth.me", {}, "GET")).data,
  };
}

type Person = UserRow & { app: TOTP; codes: string[] };

/** Somebody with two-factor sign-in, set up in process with a hash that costs nothing. Any code of the present may be used once. */
async function makePerson(given: Parameters<typeof makeUser>[1] = {}): Promise<Person> {
  const { db } = database;
  const user = await makeUser(db, { ...given, passwordHash: cheapHash(PASSWORD) });
  const { auth } = await callers.as(user);
  const { uri, recoveryCodes: codes } = await auth.enableTwoFactor({ password: PASSWORD });
  const app = URI.parse(uri) as TOTP;
  await auth.confirmTwoFactor({ code: app.generate() });
  await db.update(accounts).set({ password: passwordHash }).where(eq(accounts.userId, user.id));
  await forgetStep(user);
  return { ...user, app, codes };
}

/** As if the last code had been of long ago, so that a test need not wait for the next. */
const forgetStep = ({ id }: { id: string }) =>
  database.db.update(twoFactors).set({ lastStep: 0 }).where(eq(twoFactors.userId, id));
const otherCode = (app: TOTP) => String((Number(app.generate()) + 1) % 1_000_000).padStart(6, "0");
const challengeOf = async (person: UserRow, given = {}) => (await openBrowser().signIn(person, given)).data.challenge;

describe("setting up", () => {
  test("no sign-in asks for a code before one has shown that the app is set up", async () => {
    const user = await makeUser(database.db, { passwordHash });
    const browser = openBrowser();
    await browser.signIn(user);
    const wrong = await browser.call("auth.enableTwoFactor", { password: "a-guess" });
    expect(wrong.error.fieldErrors).toEqual({ password: [MESSAGES.twoFactor.wrongPassword] });
    const { data } = await browser.call("auth.enableTwoFactor", { password: PASSWORD });
    const app = URI.parse(String(data.uri)) as TOTP;
    expect(app).toMatchObject({ issuer: "Sangam", label: user.email, digits: 6, period: 30 });
    expect(app.secret.base32).toBe(data.secret);
    expect(data.qrCode).toMatch(/^<svg/);
    expect(data.recoveryCodes).toHaveLength(10);
    expect((await openBrowser().signIn(user)).data).toMatchObject({ user: { id: user.id } });
    const refused = await browser.call("auth.confirmTwoFactor", { code: otherCode(app) });
    expect(refused.error.fieldErrors).toEqual({ code: [MESSAGES.twoFactor.wrongCode] });
    expect((await browser.call("auth.confirmTwoFactor", { code: app.generate() })).status).toBe(200);
    expect((await openBrowser().signIn(user)).data).toMatchObject({ twoFactor: true });
    const again = await browser.call("auth.enableTwoFactor", { password: PASSWORD });
    expect([again.status, again.error.message]).toEqual([409, MESSAGES.twoFactor.alreadyOn]);
  });

  test("a recovery code does not confirm the set-up, and begun again the former secret is void", async () => {
    const user = await makeUser(database.db, { passwordHash });
    const browser = openBrowser();
    await browser.signIn(user);
    const first = (await browser.call("auth.enableTwoFactor", { password: PASSWORD })).data;
    const [recoveryCode = ""] = first.recoveryCodes as string[];
    expect((await browser.call("auth.confirmTwoFactor", { code: recoveryCode })).status).toBe(400);
    await browser.call("auth.enableTwoFactor", { password: PASSWORD });
    const former = URI.parse(String(first.uri)) as TOTP;
    expect((await browser.call("auth.confirmTwoFactor", { code: former.generate() })).status).toBe(400);
  });

  test("the database holds neither the secret nor a recovery code in the clear", async () => {
    const person = await makePerson();
    const rows = JSON.stringify([
      await database.db.select().from(twoFactors),
      await database.db.select().from(recoveryCodes),
    ]);
    expect(rows).not.toContain(person.app.secret.base32);
    for (const code of person.codes) expect(rows).not.toContain(code.replaceAll("-", ""));
  });
});

describe("signing in", () => {
  test("the password alone gives a challenge and no cookie; the code gives the session", async () => {
    const person = await makePerson();
    const browser = openBrowser();
    const first = await browser.signIn(person);
    expect(first.data).toEqual({ twoFactor: true, challenge: expect.any(String) });
    expect(first.cookies).toEqual([]);
    const second = await browser.verify(first.data.challenge, person.app.generate());
    expect(second.data).toMatchObject({ user: { id: person.id } });
    expect(second.cookies.find((cookie) => cookie.includes("session_token"))).toMatch(/Max-Age=2592000/);
    expect(await browser.me()).toMatchObject({ id: person.id });
  });

  test("without remember-me the session ends with the browser", async () => {
    const person = await makePerson();
    const browser = openBrowser();
    const { data } = await browser.call("auth.signIn", { email: person.email, password: PASSWORD, rememberMe: false });
    const { cookies } = await browser.verify(data.challenge, person.app.generate());
    expect(cookies.find((cookie) => cookie.includes("session_token"))).not.toMatch(/max-age|expires/i);
  });

  test("a code is accepted once, and so is a challenge", async () => {
    const person = await makePerson();
    // Of two kinds, so that the sign-in which succeeds first does not use up the other's challenge.
    const [one, two] = [await challengeOf(person), await challengeOf(person, { rememberMe: false })];
    const code = person.app.generate();
    const outcomes = await Promise.all([openBrowser().verify(one, code), openBrowser().verify(two, code)]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual([200, 400]);
    await forgetStep(person);
    const accepted = outcomes[0].status === 200 ? one : two;
    const spent = await openBrowser().verify(accepted, person.app.generate());
    expect([spent.status, spent.error.reason]).toEqual([401, "sign-in-expired"]);
  });

  test("a wrong code leaves the challenge as it is; one of somebody else is wrong", async () => {
    const [person, other] = [await makePerson(), await makePerson()];
    const challenge = await challengeOf(person);
    expect((await openBrowser().verify(challenge, other.app.generate())).error.fieldErrors).toEqual({
      code: [MESSAGES.twoFactor.wrongCode],
    });
    expect((await openBrowser().verify(challenge, other.codes[0] ?? "")).status).toBe(400);
    expect((await openBrowser().verify(challenge, person.app.generate())).status).toBe(200);
  });

  test("a recovery code works once, however it is typed", async () => {
    const person = await makePerson();
    const [code = ""] = person.codes;
    const typed = ` ${code.replaceAll("-", " ").toUpperCase()} `;
    const browser = openBrowser();
    expect((await browser.verify(await challengeOf(person), typed)).status).toBe(200);
    expect((await browser.call("auth.twoFactorStatus", {}, "GET")).data).toEqual({
      enabled: true,
      required: false,
      recoveryCodesLeft: 9,
    });
    expect((await openBrowser().verify(await challengeOf(person), code)).status).toBe(400);
    const { data } = await browser.call("auth.renewRecoveryCodes");
    expect(data.recoveryCodes).toHaveLength(10);
    expect((await openBrowser().verify(await challengeOf(person), person.codes[1] ?? "")).status).toBe(400);
  });

  test("a code proves again who one is, once, for what asks for it 16 minutes later", async () => {
    const person = await makePerson();
    const { id, token } = await makeSession(database.db, { userId: person.id });
    const longAgo = sql`now() - interval '16 minutes'`;
    await database.db
      .update(sessions)
      .set({ createdAt: longAgo, identityConfirmedAt: longAgo })
      .where(eq(sessions.id, id));
    const { auth } = callers.withToken(token);
    const code = person.app.generate();
    expect(await refusal(auth.renewRecoveryCodes())).toMatchObject({ reason: "reauthentication-required" });
    await auth.confirmIdentity({ code });
    expect((await auth.renewRecoveryCodes()).recoveryCodes).toHaveLength(10);
    expect(await refusal(auth.confirmIdentity({ code }))).toMatchObject({
      fieldErrors: { code: [MESSAGES.twoFactor.wrongCode] },
    });
  });

  test("a password reset ends sign-ins that wait for their code", async () => {
    const person = await makePerson();
    const challenge = await challengeOf(person);
    const password = "another-password";
    const token = await createResetToken(database.db, { userId: person.id });
    await callers.anonymous.auth.resetPassword({ token, password, confirmPassword: password });
    expect((await openBrowser().verify(challenge, person.app.generate())).status).toBe(401);
  });

  test("an account that is deactivated meanwhile gets no session", async () => {
    const person = await makePerson();
    const challenge = await challengeOf(person);
    const admin = await makeUser(database.db, { accountType: "admin" });
    await (await callers.as(admin)).users.deactivate({ userId: person.id });
    const refused = await openBrowser().verify(challenge, person.app.generate());
    expect([refused.status, refused.error.message]).toEqual([403, MESSAGES.auth.refused]);
    expect(refused.cookies).toEqual([]);
  });

  test("after ten wrong codes the account is asked to wait, wherever they come from", async () => {
    const limited = await startLiveServer({
      ...database,
      env: { rateLimitMultiplier: 1, trustedProxies: ["127.0.0.1"] },
      secrets: { tokenEncryptionKey: TEST_KEY },
    });
    try {
      const person = await makePerson();
      const challenge = await challengeOf(person);
      const statuses: number[] = [];
      for (let at = 0; at < 11; at += 1) {
        const answer = await fetch(`${limited.base}/api/trpc/auth.verifyTwoFactor`, {
          method: "POST",
          headers: { "content-type": "application/json", "x-forwarded-for": `203.0.113.${at}` },
          body: JSON.stringify({ json: { challenge, code: otherCode(person.app), rememberBrowser: false } }),
        });
        statuses.push(answer.status);
      }
      expect(statuses).toEqual([...Array(10).fill(400), 429]);
    } finally {
      await limited.close();
    }
  });
});

describe("a remembered browser", () => {
  async function remember(person: Person) {
    const browser = openBrowser();
    const { cookies } = await browser.verify(await challengeOf(person), person.app.generate(), true);
    expect(cookies.find((cookie) => cookie.startsWith("sangam.remembered_browser="))).toMatch(
      /Max-Age=2592000; Path=\/api; HttpOnly; SameSite=Lax$/,
    );
    return browser;
  }

  test("is asked for no code, by that person only", async () => {
    const [person, other] = [await makePerson(), await makePerson()];
    const browser = await remember(person);
    expect((await browser.signIn(person)).data).toMatchObject({ user: { id: person.id } });
    expect((await browser.signIn(other)).data).toMatchObject({ twoFactor: true });
    expect((await openBrowser().signIn(person)).data).toMatchObject({ twoFactor: true });
  });

  test("is forgotten by the server after 30 days, whatever the browser keeps", async () => {
    const person = await makePerson();
    const browser = await remember(person);
    const [kept] = await database.db
      .update(verifications)
      .set({ expiresAt: sql`${verifications.expiresAt} - interval '30 days' + interval '1 minute'` })
      .where(and(like(verifications.identifier, "browser:%"), eq(verifications.value, person.id)))
      .returning();
    expect((await browser.signIn(person)).data).toMatchObject({ user: { id: person.id } });
    await database.db
      .update(verifications)
      .set({ expiresAt: sql`${verifications.expiresAt} - interval '1 minute'` })
      .where(eq(verifications.id, kept?.id ?? ""));
    expect((await browser.signIn(person)).data).toMatchObject({ twoFactor: true });
  });

  test("is forgotten when the password changes", async () => {
    const person = await makePerson();
    const browser = await remember(person);
    await browser.call("auth.changePassword", { currentPassword: PASSWORD, newPassword: "another-password" });
    expect((await browser.signIn(person, { password: "another-password" })).data).toMatchObject({ twoFactor: true });
  });

  test("is forgotten when the password is set anew with a reset link", async () => {
    const person = await makePerson();
    const browser = await remember(person);
    const token = await createResetToken(database.db, { userId: person.id });
    const password = "another-password";
    await callers.anonymous.auth.resetPassword({ token, password, confirmPassword: password });
    const hashed = await hashPassword(password);
    await database.db.update(accounts).set({ password: hashed }).where(eq(accounts.userId, person.id));
    expect((await browser.signIn(person, { password })).data).toMatchObject({ twoFactor: true });
  });

  test("is forgotten when two-factor sign-in is turned off, which takes password and code", async () => {
    const person = await makePerson();
    const browser = await remember(person);
    await forgetStep(person);
    const refused = await browser.call("auth.disableTwoFactor", { password: PASSWORD, code: otherCode(person.app) });
    expect(refused.status).toBe(400);
    const off = await browser.call("auth.disableTwoFactor", { password: PASSWORD, code: person.app.generate() });
    expect(off.status).toBe(200);
    expect((await openBrowser().signIn(person)).data).toMatchObject({ user: { id: person.id } });
    const kept = await database.sql`select 1 from verifications where value = ${person.id}`;
    expect(kept).toHaveLength(0);
  });
});

describe("a lost device", () => {
  test("another admin resets it, audited; nobody their own, and of an unknown person there is none", async () => {
    const person = await makePerson({ accountType: "admin" });
    const admin = await makeUser(database.db, { accountType: "admin" });
    const caller = await callers.as(admin);
    expect((await refusal(caller.users.resetTwoFactor({ userId: admin.id }))).code).toBe("FORBIDDEN");
    expect(await refusal(caller.users.resetTwoFactor({ userId: randomUUID() }))).toMatchObject({
      ...{ code: "NOT_FOUND", message: MESSAGES.users.notFound },
    });
    await caller.users.resetTwoFactor({ userId: person.id });
    expect((await openBrowser().signIn(person)).data).toMatchObject({ user: { id: person.id } });
    const [event] = await database.db.select().from(auditEvents).where(eq(auditEvents.kind, "two-factor.reset"));
    expect(event).toMatchObject({ actorId: admin.id, subjectId: person.id });
  });

  test("whoever runs the server resets it", async () => {
    const person = await makePerson({ accountType: "admin" });
    const run = (email: string) =>
      runAdminCommand({
        args: ["reset-two-factor", "--email", email],
        password: null,
        db: database.db,
        hashPassword,
      });
    expect(await run("nobody@sangam.example")).toMatchObject({ ok: false });
    expect(await run(person.email)).toMatchObject({ ok: true });
    expect(await run(person.email)).toMatchObject({ ok: false });
    expect((await openBrowser().signIn(person)).data).toMatchObject({ user: { id: person.id } });
  });
});

describe("required of admins", () => {
  test("nobody requires what they have not set up; then every call and stream of an admin without it is refused", async () => {
    const own = await createTestDatabase();
    const process = await startTestProcess(own);
    try {
      const [asha, vikram] = [
        await makeUser(own.db, { accountType: "admin" }),
        await makeUser(own.db, { accountType: "admin" }),
      ];
      const [requiring, other] = [await process.as(asha), await process.as(vikram)];
      expect(await refusal(requiring.organisation.update({ requireTwoFactorForAdmins: true }))).toMatchObject({
        code: "CONFLICT",
        message: MESSAGES.organisation.setUpFirst,
      });
      await own.db.insert(twoFactors).values({ userId: asha.id, sealed: "s", keyId: "k", enabledAt: new Date() });
      const stream = (await other.users.onChange())[Symbol.asyncIterator]();
      const next = refusal(Promise.resolve(stream.next()));
      await requiring.organisation.update({ requireTwoFactorForAdmins: true });
      const required = { code: "FORBIDDEN", reason: "two-factor-setup-required" };
      expect(await next).toMatchObject(required);

      expect(await refusal(other.users.list({}))).toMatchObject(required);
      expect(await refusal(other.auth.sessions())).toMatchObject(required);
      const { token } = await process.makeKey(vikram, "read");
      expect(await refusal(process.withToken(token).projects.list({ scope: "all" }))).toMatchObject(required);
      expect(await other.auth.me()).toMatchObject({ id: vikram.id, mustSetUpTwoFactor: true });
      expect(await other.auth.twoFactorStatus()).toMatchObject({ enabled: false, required: true });
      expect(await requiring.users.list({})).toMatchObject({ counts: { all: 2 } });
      const user = await process.as(await makeUser(own.db));
      expect(await user.projects.list({ scope: "mine" })).toMatchObject({ items: [] });

      await own.db.insert(twoFactors).values({ userId: vikram.id, sealed: "s", keyId: "k", enabledAt: new Date() });
      expect(await other.users.list({})).toMatchObject({ counts: { all: 3 } });
    } finally {
      await process.listener.close();
      await own.close();
    }
  });
});
