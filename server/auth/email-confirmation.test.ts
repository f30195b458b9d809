import { eq, like } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeUser, type UserRow } from "../../db/factories";
import { auditEvents, mailJobs, users, verifications } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import { createTestCallers, refusal, type TestCaller, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { createConfirmationToken } from "./email-confirmation";
import { createAccountMails } from "./mails";
import { createResetToken } from "./password-changes";

let database: TestDatabase;
let callers: TestCallers;
let asha: UserRow;
let admin: TestCaller;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  asha = await makeUser(database.db, { accountType: "admin" });
  admin = await callers.as(asha);
});
afterAll(() => database.close());

const waiting = () => makeUser(database.db, { accountStatus: "pending" });
const confirm = (token: string) => callers.anonymous.auth.confirmEmail({ token });
const tokenFor = ({ id }: UserRow) => createConfirmationToken(database.db, { userId: id });
const dead = { code: "BAD_REQUEST", message: MESSAGES.emailConfirmation.linkDead, reason: "link-expired" };
const templatesFor = async (recipient: string) =>
  (await database.db.select().from(mailJobs).where(eq(mailJobs.recipient, recipient))).map(({ template }) => template);
const compose = (template: string, recipient: string) =>
  createAccountMails({ db: database.db, publicUrl: "https://sangam.example" })({
    id: 1,
    template,
    attempts: 0,
    recipient,
  });
/** As the admins' list shows it. */
async function shownAs({ email }: { email: string }): Promise<boolean | undefined> {
  const { items } = await admin.users.list({ q: email });
  return items.find((user) => user.email === email)?.emailVerified;
}

describe("signing up", () => {
  const form = (email: string) => ({
    name: "Nandini Gokhale",
    email,
    mobile: "+91 98200 12345",
    password: "secret-enough",
    confirmPassword: "secret-enough",
    agreeToTerms: true as const,
  });

  test("sends a link that confirms the address, and nothing before it is used does", async () => {
    const email = "nandini@firm.example";
    await callers.anonymous.auth.signUp(form(email));
    const [{ id = "" } = {}] = await database.db.select({ id: users.id }).from(users).where(eq(users.email, email));
    expect(await templatesFor(id)).toEqual(["email-confirmation"]);
    const mail = await compose("email-confirmation", id);
    expect(mail).toMatchObject({ to: email, subject: "Confirm your email for Sangam" });
    const token = /https:\/\/sangam\.example\/confirm-email\?token=(\S+)/.exec(mail?.text ?? "")?.[1] ?? "";
    expect(mail?.html).toContain(token);
    expect(await shownAs({ email })).toBe(false);
    expect(await confirm(token)).toEqual({ ok: true });
    expect(await shownAs({ email })).toBe(true);
    expect(await compose("email-confirmation", id)).toBeNull();
  });

  test("with a known address sends that account's owner no link", async () => {
    const known = await waiting();
    await callers.anonymous.auth.signUp(form(known.email));
    expect(await templatesFor(known.email)).toEqual(["account-exists"]);
    expect(await templatesFor(known.id)).toEqual([]);
  });
});

describe("a confirmation link", () => {
  test("works once; of ten uses at once one succeeds", async () => {
    const token = await tokenFor(await waiting());
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, () => confirm(token)));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await refusal(confirm(token))).toEqual(dead);
  });

  test("ends after 24 hours, and with the use of another one", async () => {
    const person = await waiting();
    const [first, second] = [await tokenFor(person), await tokenFor(person)];
    const [row] = await database.sql`select max(expires_at - now()) > interval '23 hours 59 minutes' as long,
      max(expires_at - now()) <= interval '24 hours' as enough from verifications where value = ${person.id}`;
    expect(row).toEqual({ long: true, enough: true });
    await confirm(first);
    expect(await refusal(confirm(second))).toEqual(dead);
    const late = await waiting();
    const token = await tokenFor(late);
    await database.sql`update verifications set expires_at = now() - interval '1 second'`;
    expect(await refusal(confirm(token))).toEqual(dead);
    expect(await shownAs(late)).toBe(false);
  });

  test("is kept as a hash only, and is no reset link, as a reset link is none of these", async () => {
    const person = await waiting();
    const token = await tokenFor(person);
    const kept = await database.db
      .select()
      .from(verifications)
      .where(like(verifications.identifier, `%${token}%`));
    expect(kept).toEqual([]);
    const password = "another-one";
    const reset = callers.anonymous.auth.resetPassword({ token, password, confirmPassword: password });
    expect(await refusal(reset)).toMatchObject({ code: "BAD_REQUEST", reason: "link-expired" });
    const resetToken = await createResetToken(database.db, { userId: person.id });
    expect(await refusal(confirm(resetToken))).toEqual(dead);
    expect(await shownAs(person)).toBe(false);
  });

  test.each(["", "nonsense", "x".repeat(201)])("that was never sent is refused: %j", async (token) => {
    expect((await refusal(confirm(token))).code).toBe("BAD_REQUEST");
  });

  test("of a person who is erased meanwhile is dead", async () => {
    const person = await waiting();
    const token = await tokenFor(person);
    await admin.users.reject({ userId: person.id });
    await admin.users.erasePerson({ userId: person.id });
    expect(await refusal(confirm(token))).toEqual(dead);
  });
});

describe("asking for the link again", () => {
  test("answers every address alike and queues the same row; a mail is written only where something is to confirm", async () => {
    const person = await waiting();
    const confirmed = await makeUser(database.db, { accountStatus: "pending", emailVerified: true });
    const presumed = await makeUser(database.db);
    const erased = await waiting();
    await admin.users.reject({ userId: erased.id });
    await admin.users.erasePerson({ userId: erased.id });
    const asked = [person.email, confirmed.email, presumed.email, erased.email, "nobody@firm.example"];
    for (const email of asked) {
      const startedAt = performance.now();
      expect(await callers.anonymous.auth.resendConfirmation({ email })).toEqual({ ok: true });
      expect(performance.now() - startedAt).toBeGreaterThanOrEqual(95);
      expect(await templatesFor(email)).toEqual(["email-confirmation"]);
    }
    const written = await Promise.all(asked.map((email) => compose("email-confirmation", email)));
    expect(written.map((mail) => mail?.to)).toEqual([person.email, undefined, undefined, undefined, undefined]);
  });
});

describe("what counts as confirmed", () => {
  test("a used reset link does", async () => {
    const person = await waiting();
    const token = await createResetToken(database.db, { userId: person.id });
    await callers.anonymous.auth.resetPassword({ token, password: "another-one", confirmPassword: "another-one" });
    expect(await shownAs(person)).toBe(true);
  });

  test("accounts that were approved before are shown so, without counting as proof for joining a Google account", async () => {
    const before = await makeUser(database.db);
    expect(await shownAs(before)).toBe(true);
    const [row] = await database.db.select().from(users).where(eq(users.id, before.id));
    expect(row).toMatchObject({ emailVerified: false, emailPresumed: true });
  });
});

describe("approving", () => {
  const approval = async (person: UserRow) => {
    await admin.users.approve({ userId: person.id, accountType: "client" });
    const rows = await database.db.select().from(auditEvents).where(eq(auditEvents.subjectId, person.id));
    return rows.find(({ kind }) => kind === "account.approved")?.details;
  };

  test("somebody unconfirmed is possible, is audited as such, and confirms nothing", async () => {
    const person = await waiting();
    expect(await approval(person)).toEqual({ accountType: "client", emailVerified: false });
    expect(await shownAs(person)).toBe(false);
    expect(await confirm(await tokenFor(person))).toEqual({ ok: true });
    expect(await shownAs(person)).toBe(true);
  });

  test("somebody confirmed leaves no such mark", async () => {
    const person = await waiting();
    await confirm(await tokenFor(person));
    expect(await approval(person)).toEqual({ accountType: "client" });
  });
});
