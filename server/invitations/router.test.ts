import type { AccountType } from "@db/enums";
import { and, eq, like } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeProject, makeUser, type UserRow } from "../../db/factories";
import {
  accounts,
  auditEvents,
  invitations,
  mailJobs,
  projectMembers,
  projects,
  users,
  verifications,
} from "../../db/schema";
import { findCredential } from "../auth/queries";
import { MESSAGES } from "../contract/messages";
import { KNOWN_ADDRESS } from "../contract/messages/invitations";
import type { Invitation } from "../contract/views";
import { INVITATION_TEMPLATE } from "../mail/templates";
import { cheapHash, createTestCallers, refusal, type TestCaller, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { createInvitationMails } from "./mails";
import { inviteImportedPeople } from "./mutations";

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

const PASSWORD = "my own password";
let count = 0;
const newAddress = () => {
  count += 1;
  return `invited${count}@firm.example`;
};
const dead = { code: "BAD_REQUEST", message: MESSAGES.invitations.linkDead, reason: "link-expired" };
const compose = (recipient: string) =>
  createInvitationMails({ db: database.db, publicUrl: "https://sangam.example" })({
    ...{ id: 1, template: INVITATION_TEMPLATE, recipient, attempts: 1 },
    ...{ conversationId: null, inquiryId: null },
  });
const tokenIn = (text = "") => /https:\/\/sangam\.example\/invitation\?token=(\S+)/.exec(text)?.[1] ?? "";
const linkOf = async ({ id }: Pick<Invitation, "id">) => tokenIn((await compose(id))?.text);
const accept = (token: string, password = PASSWORD) =>
  callers.anonymous.auth.acceptInvitation({ token, password, confirmPassword: password, agreeToTerms: true });

async function find(email: string): Promise<Invitation> {
  const found = (await admin.users.invitations()).find((one) => one.email === email);
  if (!found) throw new Error(`${email} is not invited`);
  return found;
}

async function invite({
  accountType = "user",
  projectIds = [],
  by = admin,
}: {
  accountType?: AccountType;
  projectIds?: string[];
  by?: TestCaller;
} = {}): Promise<Invitation> {
  const email = newAddress();
  await by.users.invite({ email, name: "Nandini Gokhale", accountType, projectIds });
  return find(email);
}

async function accountOf(email: string) {
  const [row] = await database.db.select().from(users).where(eq(users.email, email));
  return row;
}

/** As the import makes them: an active account without anything to sign in with. */
const imported = (given: Parameters<typeof makeUser>[1] = {}) =>
  makeUser(database.db, { emailPresumed: false, ...given });
const queued = (recipient: string) => database.db.$count(mailJobs, eq(mailJobs.recipient, recipient));
const auditOf = async (subjectId: string) =>
  (await database.db.select().from(auditEvents).where(eq(auditEvents.subjectId, subjectId))).map(
    ({ kind, actorId, details }) => ({ kind, actorId, details }),
  );

describe("inviting", () => {
  test("mails a link that opens an active account of that type, with a confirmed address", async () => {
    const email = newAddress();
    expect(
      await admin.users.invite({ email: email.toUpperCase(), name: " Meera Shah ", accountType: "client" }),
    ).toEqual({
      ok: true,
    });
    const invitation = await find(email);
    expect(invitation).toMatchObject({
      ...{ name: "Meera Shah", accountType: "client", projects: [], userId: null, isValid: true },
      invitedBy: { id: asha.id, name: "Asha Kulkarni" },
    });
    expect(await queued(invitation.id)).toBe(1);
    const mail = await compose(invitation.id);
    expect(mail).toMatchObject({ to: email, subject: "Asha Kulkarni invites you to Sangam" });
    for (const said of ["Hello Meera Shah,", "Asha Kulkarni of Sangam Software", email, "once, within 7 days"]) {
      expect(mail?.text).toContain(said);
      expect(mail?.html).toContain(said);
    }
    expect(await accountOf(email)).toBeUndefined();
    expect(await accept(tokenIn(mail?.text))).toEqual({ email });
    expect(await accountOf(email)).toMatchObject({
      ...{ id: invitation.id, name: "Meera Shah", accountType: "client", accountStatus: "active" },
      ...{ emailVerified: true, agreeToTerms: true, decidedBy: asha.id, username: "meera" },
    });
    expect((await findCredential(database.db, { email }))?.passwordHash).toBe(cheapHash(PASSWORD));
    expect((await admin.users.invitations()).map((one) => one.email)).not.toContain(email);
    expect(await auditOf(invitation.id)).toEqual([
      { kind: "invitation.sent", actorId: asha.id, details: { accountType: "client" } },
      {
        kind: "invitation.accepted",
        actorId: invitation.id,
        details: { accountType: "client", projects: 0, passedOver: 0 },
      },
    ]);
    const { items } = await admin.audit.list({ kind: "invitation.sent" });
    expect(items.find(({ subject }) => subject.id === invitation.id)?.subject.name).toBe("Meera Shah");
    // Approving needs no mail of its own, nor does a confirmed address.
    expect(await queued(invitation.id)).toBe(1);
  });

  test.each(["pending", "active", "inactive", "rejected"] as const)(
    "an address with an account that is %s is refused, and the sentence says what to do",
    async (accountStatus) => {
      const { email } = await makeUser(database.db, { accountStatus, passwordHash: "x" });
      const call = admin.users.invite({ email, name: "Known", accountType: "user" });
      const message = KNOWN_ADDRESS[accountStatus];
      expect(await refusal(call)).toMatchObject({ code: "CONFLICT", reason: "account-exists", message });
    },
  );

  test("an imported person's address leads to their menu, an invited one to the open invitation, also of ten at once", async () => {
    const { email } = await imported();
    const call = admin.users.invite({ email, name: "Known", accountType: "user" });
    expect(await refusal(call)).toMatchObject({ reason: "account-exists", message: MESSAGES.invitations.imported });
    const address = newAddress();
    const again = () => admin.users.invite({ email: address, name: "Twice", accountType: "admin" });
    const outcomes = await Promise.allSettled(Array.from({ length: 10 }, again));
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await refusal(again())).toMatchObject({ code: "CONFLICT", reason: "already-invited" });
    expect(await queued((await find(address)).id)).toBe(1);
  });

  test.each([
    [{ email: "no address" }, "email"],
    [{ email: `${"a".repeat(250)}@firm.example` }, "email"],
    [{ name: " \u200b " }, "name"],
    [{ name: "n".repeat(101) }, "name"],
    [{ projectIds: ["p1"] }, "projectIds.0"],
  ])("%j is refused by its field", async (wrong, field) => {
    const call = admin.users.invite({ name: "Somebody", email: newAddress(), accountType: "user", ...wrong });
    expect((await refusal(call)).fieldErrors).toHaveProperty([field]);
  });
});

describe("the chosen projects", () => {
  test("get users and admins as assignees and clients as their client, in the name of who invited, and tell who watches", async () => {
    const [first, second] = [
      await makeProject(database.db, { createdBy: asha.id, assignedTo: [asha.id] }),
      await makeProject(database.db, { createdBy: asha.id }),
    ];
    for (const accountType of ["user", "admin", "client"] as const) {
      const invitation = await invite({ accountType, projectIds: [first.id, second.id, first.id] });
      expect(invitation.projects.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort());
      await accept(await linkOf(invitation));
      const person = await callers.as(invitation);
      const { items } = await person.projects.list({ scope: "mine" });
      expect(items.map(({ id }) => id).sort()).toEqual([first.id, second.id].sort());
    }
    const [row] = await database.db.select().from(projects).where(eq(projects.id, first.id));
    expect(row).toMatchObject({ version: first.version + 3 });
    expect(row?.clientId).not.toBeNull();
    const members = await database.db
      .select()
      .from(projectMembers)
      .where(and(eq(projectMembers.projectId, first.id), eq(projectMembers.role, "assigned")));
    expect(members.map(({ position }) => position).sort()).toEqual([0, 1, 2]);
    const { items } = await admin.projects.history({ projectId: first.id });
    expect(items.map(({ actor, changes }) => [actor?.id, changes[0]?.field])).toEqual([
      [asha.id, "clientId"],
      [asha.id, "assignedTo"],
      [asha.id, "assignedTo"],
    ]);
  });

  test("that have a client, or get one meanwhile, take another as one of the client's people, while there is room", async () => {
    const client = await makeUser(database.db, { accountType: "client" });
    const many = await Promise.all(Array.from({ length: 20 }, () => makeUser(database.db, { accountType: "client" })));
    const taken = await makeProject(database.db, { title: "Harbour", createdBy: asha.id, clientId: client.id });
    const full = await makeProject(database.db, {
      ...{ title: "Quay", createdBy: asha.id, clientId: client.id },
      clientPeople: many.map(({ id }) => id),
    });
    const free = await makeProject(database.db, { createdBy: asha.id });
    const refused = await refusal(invite({ accountType: "client", projectIds: [free.id, full.id] }));
    expect(refused).toMatchObject({
      code: "BAD_REQUEST",
      fieldErrors: { projectIds: [MESSAGES.invitations.noRoom("Quay")] },
    });
    const projectIds = [free.id, taken.id];
    const [first, second] = [
      await invite({ accountType: "client", projectIds }),
      await invite({ accountType: "client", projectIds }),
    ];
    for (const invitation of [first, second]) await accept(await linkOf(invitation));
    const shown = await Promise.all(projectIds.map((projectId) => admin.projects.byId({ projectId })));
    const [firstId, secondId] = [first.id, second.id];
    expect(shown.map(({ clientId, clientPeople }) => ({ clientId, clientPeople }))).toEqual([
      { clientId: firstId, clientPeople: [secondId] },
      { clientId: client.id, clientPeople: [firstId, secondId] },
    ]);
    const { items } = await (await callers.as(second)).projects.list({ scope: "mine" });
    expect(items.map(({ id }) => id).sort()).toEqual(projectIds.toSorted());
    const [event] = (await admin.projects.history({ projectId: taken.id })).items;
    expect(event?.changes).toEqual([{ field: "clientPeople", added: [secondId], removed: [] }]);
  });

  test("that do not exist are refused; one that is deleted meanwhile is passed over", async () => {
    const [gone, left] = [
      await makeProject(database.db, { createdBy: asha.id }),
      await makeProject(database.db, { createdBy: asha.id }),
    ];
    const unknown = await refusal(invite({ projectIds: [crypto.randomUUID()] }));
    expect(unknown.fieldErrors).toEqual({ projectIds: [MESSAGES.invitations.projectGone] });
    const invitation = await invite({ accountType: "client", projectIds: [gone.id, left.id] });
    await admin.projects.delete({ projectId: gone.id });
    await accept(await linkOf(invitation));
    const { items } = await (await callers.as(invitation)).projects.list({ scope: "mine" });
    expect(items.map(({ id }) => id)).toEqual([left.id]);
    expect((await auditOf(invitation.id)).at(-1)?.details).toMatchObject({ projects: 1, passedOver: 1 });
  });
});

describe("a link", () => {
  test("works once; of ten uses at once, of several links, one makes the account", async () => {
    const invitation = await invite();
    const links = [await linkOf(invitation), await linkOf(invitation)];
    const uses = Array.from({ length: 10 }, (_, at) => accept(links[at % 2] ?? "", `password ${at}`));
    const outcomes = await Promise.allSettled(uses);
    expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const at = outcomes.findIndex(({ status }) => status === "fulfilled");
    expect((await findCredential(database.db, invitation))?.passwordHash).toBe(cheapHash(`password ${at}`));
    for (const link of links) expect(await refusal(accept(link))).toEqual(dead);
  });

  test("holds 7 days and is kept as a hash only", async () => {
    const invitation = await invite();
    const token = await linkOf(invitation);
    const [row] = await database.sql`select max(expires_at - now()) > interval '6 days 23 hours' as long,
      max(expires_at - now()) <= interval '7 days' as enough from verifications where value = ${invitation.id}`;
    expect(row).toEqual({ long: true, enough: true });
    expect(await database.db.$count(verifications, like(verifications.identifier, `%${token}%`))).toBe(0);
    await database.sql`update verifications set expires_at = now() - interval '1 second'`;
    await database.sql`update invitations set expires_at = now() - interval '1 second' where id = ${invitation.id}`;
    expect(await refusal(accept(token))).toEqual(dead);
    expect(await find(invitation.email)).toMatchObject({ isValid: false });
  });

  test("needs a password that is good enough, twice, and the terms; a refused form leaves it as it is", async () => {
    const invitation = await invite();
    const token = await linkOf(invitation);
    const form = { token, password: PASSWORD, confirmPassword: PASSWORD, agreeToTerms: true as const };
    const sent = (wrong: object) => refusal(callers.anonymous.auth.acceptInvitation({ ...form, ...wrong }));
    expect((await sent({ confirmPassword: "another" })).fieldErrors).toHaveProperty("confirmPassword");
    expect((await sent({ password: "short", confirmPassword: "short" })).fieldErrors).toHaveProperty("password");
    expect((await sent({ agreeToTerms: false })).fieldErrors).toHaveProperty("agreeToTerms");
    expect(await accept(token)).toEqual({ email: invitation.email });
  });

  test("of a withdrawn invitation is dead, and the same address can be invited again", async () => {
    const invitation = await invite();
    const token = await linkOf(invitation);
    await admin.users.withdrawInvitation({ invitationId: invitation.id });
    expect(await refusal(accept(token))).toEqual(dead);
    expect(await compose(invitation.id)).toBeNull();
    const again = admin.users.withdrawInvitation({ invitationId: invitation.id });
    expect(await refusal(again)).toMatchObject({ code: "NOT_FOUND", message: MESSAGES.invitations.notFound });
    const { email } = invitation;
    expect(await admin.users.invite({ email, name: "Again", accountType: "user" })).toEqual({ ok: true });
    expect((await auditOf(invitation.id)).map(({ kind }) => kind)).toEqual(["invitation.sent", "invitation.withdrawn"]);
  });

  test("is dead once its inviter is no longer an active admin, until another admin sends it anew", async () => {
    const vikram = await makeUser(database.db, { accountType: "admin" });
    const invitation = await invite({ by: await callers.as(vikram) });
    const token = await linkOf(invitation);
    await admin.users.deactivate({ userId: vikram.id });
    expect(await refusal(accept(token))).toEqual(dead);
    expect(await find(invitation.email)).toMatchObject({ isValid: false, invitedBy: { id: vikram.id } });
    expect(await compose(invitation.id)).toBeNull();
    await admin.users.resendInvitation({ invitationId: invitation.id });
    expect(await find(invitation.email)).toMatchObject({ isValid: true, invitedBy: { id: asha.id } });
    await accept(await linkOf(invitation));
    expect(await accountOf(invitation.email)).toMatchObject({ decidedBy: asha.id });
  });

  test("is sent anew with seven more days; one that is gone can't be", async () => {
    const invitation = await invite();
    await database.sql`update invitations set expires_at = now() - interval '1 day' where id = ${invitation.id}`;
    await admin.users.resendInvitation({ invitationId: invitation.id });
    expect(await queued(invitation.id)).toBe(2);
    expect(await find(invitation.email)).toMatchObject({ isValid: true });
    await accept(await linkOf(invitation));
    expect(await refusal(admin.users.resendInvitation({ invitationId: invitation.id }))).toMatchObject({
      code: "NOT_FOUND",
    });
  });
});

describe("somebody who signs up with an invited address meanwhile", () => {
  const signUp = (email: string) =>
    callers.anonymous.auth.signUp({
      ...{ name: "Somebody Else", email, mobile: "+91 98200 12345" },
      ...{ password: "known to them", confirmPassword: "known to them", agreeToTerms: true },
    });

  test("is approved by accepting, with the invitation's type and the password that came with the link", async () => {
    const project = await makeProject(database.db, { createdBy: asha.id });
    const invitation = await invite({ accountType: "client", projectIds: [project.id] });
    await signUp(invitation.email);
    await accept(await linkOf(invitation));
    const account = await accountOf(invitation.email);
    expect(account).toMatchObject({
      accountStatus: "active",
      accountType: "client",
      emailVerified: true,
      decidedBy: asha.id,
    });
    expect((await findCredential(database.db, invitation))?.passwordHash).toBe(cheapHash(PASSWORD));
    const [row] = await database.db.select().from(projects).where(eq(projects.id, project.id));
    expect(row?.clientId).toBe(account?.id);
  });

  test("waits for nobody's approval once they accept: no admin is told of it any more", async () => {
    const invitation = await invite();
    await signUp(invitation.email);
    const waiting = async () => {
      const { items } = await admin.notifications.list({ unreadOnly: true });
      return items.filter(({ kind, title }) => kind === "sign-up-waiting" && title === "Somebody Else").length;
    };
    const before = await waiting();
    await accept(await linkOf(invitation));
    expect(await waiting()).toBe(before - 1);
  });

  test.each(["approve", "reject"] as const)(
    "and is decided on (%s) needs no invitation: it is closed",
    async (kind) => {
      const invitation = await invite({ accountType: "admin" });
      const token = await linkOf(invitation);
      await signUp(invitation.email);
      const { id: userId = "" } = (await accountOf(invitation.email)) ?? {};
      await (kind === "approve"
        ? admin.users.approve({ userId, accountType: "user" })
        : admin.users.reject({ userId }));
      expect(await refusal(accept(token))).toEqual(dead);
      expect((await accountOf(invitation.email))?.accountType).toBe("user");
      expect((await admin.users.invitations()).map(({ email }) => email)).not.toContain(invitation.email);
    },
  );

  test("with an account made by whoever runs the server logs in instead", async () => {
    const invitation = await invite();
    const token = await linkOf(invitation);
    await makeUser(database.db, { email: invitation.email, passwordHash: "their own" });
    const refused = await refusal(accept(token));
    expect(refused).toMatchObject({
      code: "CONFLICT",
      reason: "account-exists",
      message: MESSAGES.invitations.haveAccount,
    });
    expect((await findCredential(database.db, invitation))?.passwordHash).toBe("their own");
  });
});

describe("an imported person", () => {
  const listed = async (email: string) => (await admin.users.list({ q: email })).items[0]?.hasSignInMethod;

  test("is invited from the menu and keeps account, type and projects; the list says who can sign in", async () => {
    const person = await imported({ name: "Rohan Imported", accountType: "client" });
    expect(await listed(person.email)).toBe(false);
    expect(await admin.users.sendInvitation({ userId: person.id })).toEqual({ ok: true });
    const invitation = await find(person.email);
    expect(invitation).toMatchObject({ userId: person.id, name: "Rohan Imported", accountType: "client" });
    await admin.users.sendInvitation({ userId: person.id });
    expect(await queued(invitation.id)).toBe(2);
    expect(await accept(await linkOf(invitation))).toEqual({ email: person.email });
    expect(await accountOf(person.email)).toMatchObject({
      id: person.id,
      accountType: "client",
      emailVerified: true,
      agreeToTerms: true,
    });
    expect(await listed(person.email)).toBe(true);
    expect((await auditOf(person.id)).map(({ kind, actorId }) => [kind, actorId])).toEqual([
      ["invitation.sent", asha.id],
      ["invitation.sent", asha.id],
      ["invitation.accepted", person.id],
    ]);
  });

  test("who can sign in, is not active or does not exist gets none", async () => {
    const send = (userId: string) => refusal(admin.users.sendInvitation({ userId }));
    const known = await makeUser(database.db, { passwordHash: "x" });
    expect(await send(known.id)).toMatchObject({ code: "CONFLICT", reason: "account-exists" });
    const google = await imported();
    await database.db.insert(accounts).values({ userId: google.id, accountId: "g", providerId: "google" });
    expect(await send(google.id)).toMatchObject({ code: "CONFLICT", reason: "account-exists" });
    expect(await send((await imported({ accountStatus: "inactive" })).id)).toMatchObject({ reason: "already-decided" });
    expect(await send(crypto.randomUUID())).toMatchObject({ code: "NOT_FOUND" });
  });

  test("who is deactivated or erased, or resets their password, has no open invitation any more", async () => {
    const [inactive, erased, reset] = [await imported(), await imported(), await imported()];
    const links = new Map<UserRow, string>();
    for (const person of [inactive, erased, reset]) {
      await admin.users.sendInvitation({ userId: person.id });
      links.set(person, await linkOf(await find(person.email)));
    }
    await admin.users.deactivate({ userId: inactive.id });
    await admin.users.erasePerson({ userId: erased.id });
    const { createResetToken } = await import("../auth/password-changes");
    const token = await createResetToken(database.db, { userId: reset.id });
    await callers.anonymous.auth.resetPassword({ token, password: PASSWORD, confirmPassword: PASSWORD });
    for (const link of links.values()) expect(await refusal(accept(link))).toEqual(dead);
  });

  test("who is sent another link while they are deactivated has no open one afterwards, and neither call fails otherwise", async () => {
    for (let round = 0; round < 8; round += 1) {
      const person = await imported();
      await admin.users.sendInvitation({ userId: person.id });
      const answers = await Promise.allSettled([
        admin.users.sendInvitation({ userId: person.id }),
        admin.users.deactivate({ userId: person.id }),
        admin.users.sendInvitation({ userId: person.id }),
      ]);
      const failures = answers.flatMap((answer) => (answer.status === "rejected" ? [answer.reason.code] : []));
      expect(failures.filter((code) => code !== "CONFLICT")).toEqual([]);
      expect(await database.db.$count(invitations, eq(invitations.userId, person.id))).toBe(0);
    }
  });

  test("is invited by an import once, however often it runs, and nobody else is", async () => {
    await database.sql`update users set invited_at = now() where invited_at is null`;
    const people = [await imported(), await imported()];
    await imported({ accountStatus: "inactive" });
    await makeUser(database.db, { passwordHash: "x" });
    const byEmail = await invite();
    await imported({ email: byEmail.email });
    const both = await Promise.all([inviteImportedPeople(database.db), inviteImportedPeople(database.db)]);
    expect(both[0] + both[1]).toBe(2);
    const invited = await Promise.all(people.map(({ email }) => find(email)));
    for (const invitation of invited) {
      expect(invitation).toMatchObject({ invitedBy: null, isValid: true });
      expect(await queued(invitation.id)).toBe(1);
    }
    expect((await compose(invited[0]?.id ?? ""))?.subject).toBe("Sangam Software invites you to Sangam");
    await admin.users.withdrawInvitation({ invitationId: invited[0]?.id ?? "" });
    await accept(await linkOf(invited[1] ?? { id: "" }));
    expect(await inviteImportedPeople(database.db)).toBe(0);
  });
});

test("admins who watch the accounts learn of invitations: sent, sent anew, withdrawn and accepted", async () => {
  const { startTestProcess } = await import("../test/caller");
  const process = await startTestProcess(database);
  const watcher = await process.as(asha);
  const stream = (await watcher.users.onChange())[Symbol.asyncIterator]();
  const next = async () => {
    for (;;) {
      const { value } = await stream.next();
      const event = Array.isArray(value) ? value[1] : value;
      if (event && typeof event === "object" && "userId" in event) return event.userId;
    }
  };
  try {
    const opened = next();
    const invitation = await invite();
    expect(await opened).toBe(invitation.id);
    const resent = next();
    await admin.users.resendInvitation({ invitationId: invitation.id });
    expect(await resent).toBe(invitation.id);
    const withdrawn = next();
    await admin.users.withdrawInvitation({ invitationId: invitation.id });
    expect(await withdrawn).toBe(invitation.id);
  } finally {
    await stream.return?.(undefined);
    await process.listener.close();
  }
});
