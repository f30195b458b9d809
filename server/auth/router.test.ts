import { eq } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeSession, makeUser } from "../../db/factories";
import { accounts, users } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import { createTestCallers, refusal, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { runAdminCommand } from "./admin-command";
import { ensureFirstAdmin } from "./first-admin";
import { freeUsername, usernameBase } from "./username";

let database: TestDatabase;
let callers: TestCallers;

beforeAll(async () => {
  database = await createTestDatabase({ readTimeoutMs: 60_000, writeTimeoutMs: 60_000 });
  callers = createTestCallers(database.db);
});
afterAll(() => database.close());

const form = (changes: Record<string, unknown> = {}) => ({
  name: "Nandini Gokhale",
  email: "nandini@sangam.example",
  mobile: "+91 98200 12345",
  password: "secret",
  confirmPassword: "secret",
  agreeToTerms: true as const,
  ...changes,
});
const signUp = (changes?: Record<string, unknown>) => callers.anonymous.auth.signUp(form(changes));

describe("signing up", () => {
  test("makes a pending user with the defaults of the specification, and no session", async () => {
    expect(await signUp({ email: " Fresh@Sangam.example " })).toEqual({ ok: true });
    const [row] = await database.db.select().from(users).where(eq(users.email, "fresh@sangam.example"));
    expect(row).toMatchObject({
      name: "Nandini Gokhale",
      displayName: "Nandini Gokhale",
      username: "nandini",
      accountType: "user",
      accountStatus: "pending",
      address: "adress to be updated",
      agreeToTerms: true,
      emailVerified: false,
    });
    expect(row?.termsVersion).toMatch(/^\d{4}-\d\d-\d\d$/);
    expect(await database.sql`select 1 from sessions where user_id = ${row?.id ?? ""}`).toHaveLength(0);
  });

  test("keeps only a hash of the password", async () => {
    await signUp({ email: "hashed@sangam.example", password: "plain-secret", confirmPassword: "plain-secret" });
    const rows = await database.db.select({ password: accounts.password }).from(accounts);
    expect(rows.map(({ password }) => password)).not.toContain("plain-secret");
  });

  test("gives a taken address the same answer and changes nothing", async () => {
    await signUp({ email: "twice@sangam.example", name: "First Person" });
    expect(await signUp({ email: "TWICE@sangam.example", name: "Second Person" })).toEqual({ ok: true });
    const rows = await database.db.select().from(users).where(eq(users.email, "twice@sangam.example"));
    expect(rows.map(({ name }) => name)).toEqual(["First Person"]);
  });

  test("gives 100 people who sign up at once with one first name 100 usernames", async () => {
    await Promise.all(
      Array.from({ length: 100 }, (_, at) => signUp({ name: "Om Naik", email: `om-${at}@sangam.example` })),
    );
    const rows = await database.db.select({ username: users.username }).from(users).where(eq(users.name, "Om Naik"));
    expect(rows.map(({ username }) => username).sort()).toEqual(
      ["om", ...Array.from({ length: 99 }, (_, at) => `om${String(at + 1).padStart(2, "0")}`)].sort(),
    );
  });

  test("20 sign-ups at once with one address make one person", async () => {
    await Promise.all(Array.from({ length: 20 }, () => signUp({ email: "race@sangam.example" })));
    expect(await database.db.select().from(users).where(eq(users.email, "race@sangam.example"))).toHaveLength(1);
  });

  test.each([
    ["name", "", "Please enter your full name."],
    ["name", "x".repeat(101), "Full name may have at most 100 characters."],
    ["name", "nul\u0000", "Full name contains characters that cannot be stored."],
    ["name", "\ud800", "Full name contains characters that cannot be stored."],
    ["email", "not-an-address", "Enter an email address, such as name@example.com."],
    ["mobile", "12345", "Enter 7 to 20 digits; + ( ) - and spaces are fine."],
    ["password", "five5", MESSAGES.auth.passwordTooShort],
    ["confirmPassword", "another", MESSAGES.auth.passwordsDiffer],
    ["agreeToTerms", false, MESSAGES.auth.termsRequired],
    ["accountType", "admin", "This field cannot be set."],
    ["accountStatus", "active", "This field cannot be set."],
  ])("refuses %s = %j with words", async (field, value, sentence) => {
    const { code, fieldErrors } = await refusal(signUp({ email: "never@sangam.example", [field]: value }));
    expect(code).toBe("BAD_REQUEST");
    expect(fieldErrors?.[field]).toEqual([sentence]);
    expect(await database.db.select().from(users).where(eq(users.email, "never@sangam.example"))).toEqual([]);
  });

  test.each(["José Álvarez", "李小龙", "Þórdís", "O'Neil", "أحمد", "👩‍👩‍👧‍👦 Family"])(
    "accepts the name %s",
    async (name) => {
      expect(await signUp({ name, email: `${crypto.randomUUID()}@sangam.example` })).toEqual({ ok: true });
    },
  );

  test("accepts a password of 128 emoji, and of spaces", async () => {
    for (const password of ["🌊".repeat(128), "      "]) {
      const email = `${crypto.randomUUID()}@sangam.example`;
      expect(await signUp({ email, password, confirmPassword: password })).toEqual({ ok: true });
    }
  });
});

describe("a username", () => {
  test.each([
    ["Rohan Shah", "rohan"],
    ["José Álvarez", "jose"],
    ["李小龙", "user"],
    ["O'Neil Smith", "oneil"],
    ["Łukasz Nowak", "lukasz"],
    ["Øystein Bø", "oystein"],
    ["Владимир Ильин", "vladimir"],
    ["  Asha  ", "asha"],
  ])("of %j begins with %s", (name, base) => expect(usernameBase(name)).toBe(base));

  test("takes two digits, and three after 99", () => {
    const taken = new Set(["a", ...Array.from({ length: 99 }, (_, at) => `a${String(at + 1).padStart(2, "0")}`)]);
    expect(freeUsername("b", taken)).toBe("b");
    expect(freeUsername("a", new Set(["a"]))).toBe("a01");
    expect(freeUsername("a", taken)).toBe("a100");
  });
});

test("signing in with Google begins from every address that /login is opened with", async () => {
  const path = "/dashboard?q=";
  for (const redirect of ["dashboard", "https://elsewhere.example/", `${path}${"x".repeat(2_048 - path.length)}`]) {
    const { url } = await callers.anonymous.auth.signInWithGoogle({ intent: "signIn", redirect });
    expect(url).toBe("https://accounts.example/");
  }
});

test("the own profile has every field of the person and the display name falls back", async () => {
  const user = await makeUser(database.db, { name: "Only Name" });
  await database.db.update(users).set({ displayName: "" }).where(eq(users.id, user.id));
  const own = await callers.as(user);
  const me = await own.auth.me();
  expect(me).toMatchObject({ id: user.id, name: "Only Name", displayName: user.username, accountType: "user" });
  // The address is optional: it can be emptied.
  await own.users.updateProfile({ address: " " });
  expect(await own.auth.me()).toMatchObject({ address: "" });
});

test("the database itself refuses a second spelling of an e-mail, a taken username and a password account without one", async () => {
  const refusing = (code: string) => ({ cause: { code } });
  await makeUser(database.db, { email: "once@sangam.example", username: "once" });
  await expect(makeUser(database.db, { email: "Once@sangam.example" })).rejects.toMatchObject(refusing("23514"));
  await expect(makeUser(database.db, { email: "once@sangam.example" })).rejects.toMatchObject(refusing("23505"));
  await expect(makeUser(database.db, { username: "once" })).rejects.toMatchObject(refusing("23505"));
  const { id: userId } = await makeUser(database.db);
  const bare = database.db.insert(accounts).values({ userId, accountId: userId, providerId: "credential" });
  await expect(bare).rejects.toMatchObject(refusing("23514"));
});

test("a session that has ended is nobody's", async () => {
  const user = await makeUser(database.db);
  const { token } = await makeSession(database.db, { userId: user.id, expired: true });
  expect(await callers.withToken(token).auth.me()).toBeNull();
});

test("an approval or a rejection bites at the very next call: nothing is remembered", async () => {
  const user = await makeUser(database.db);
  const caller = await callers.as(user);
  await caller.projects.list({ scope: "mine" });
  await database.db.update(users).set({ accountStatus: "inactive" }).where(eq(users.id, user.id));
  expect(await refusal(caller.projects.list({ scope: "mine" }))).toMatchObject({
    code: "FORBIDDEN",
    message: MESSAGES.auth.refused,
  });
});

test("npm run admin makes an admin who can do an admin's work, and says why when it cannot", async () => {
  const own = await createTestDatabase({ readTimeoutMs: 60_000, writeTimeoutMs: 60_000 });
  try {
    const run = (args: string[], password = "secret-enough") =>
      runAdminCommand({ args, password, db: own.db, hashPassword: async (text) => `hash of ${text}` });
    const create = ["create", "--email", "Boss@firm.example", "--name", "Boss"];
    expect(await run(create)).toMatchObject({ ok: true });
    expect(await run(create)).toMatchObject({ ok: false });
    expect(await run(["create", "--email", "other@firm.example", "--name", "Other"], "short")).toEqual({
      ok: false,
      sentence: MESSAGES.auth.passwordTooShort,
    });
    for (const args of [[], ["create"], ["delete", "--email", "x"], ["create", "--unknown"]]) {
      expect(await run(args)).toMatchObject({ ok: false, sentence: expect.stringContaining("Usage") });
    }
    const [boss] = await own.db.select().from(users).where(eq(users.email, "boss@firm.example"));
    const page = await (await createTestCallers(own.db).as({ id: boss?.id ?? "" })).users.list({});
    expect(page.items.map(({ email }) => email)).toEqual(["boss@firm.example"]);
  } finally {
    await own.close();
  }
});

test("the first admin is made once, and never out of somebody's account", async () => {
  const own = await createTestDatabase({ readTimeoutMs: 60_000, writeTimeoutMs: 60_000 });
  try {
    const first = { email: "first@sangam.example", password: "secret", name: "First Admin" };
    const hash = async (password: string) => `hash of ${password}`;
    await makeUser(own.db, { email: "taken@sangam.example" });
    await makeUser(own.db, { email: "demo@sangam.example", accountType: "admin" });
    const ensure = (admin: typeof first) =>
      ensureFirstAdmin({ db: own.db, admin, hashPassword: hash, demoEmails: ["demo@sangam.example"] });
    expect(await ensure({ ...first, email: "taken@sangam.example" })).toBe("e-mail taken");
    expect(await ensure(first)).toBe("made");
    expect(await ensure({ ...first, email: "second@sangam.example" })).toBe("not needed");
    const admins = await own.db.select().from(users).where(eq(users.accountType, "admin"));
    expect(admins.map(({ email, accountStatus }) => [email, accountStatus])).toEqual([
      ["demo@sangam.example", "active"],
      ["first@sangam.example", "active"],
    ]);
  } finally {
    await own.close();
  }
});
