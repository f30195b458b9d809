import { randomUUID } from "node:crypto";
import { eq, inArray } from "drizzle-orm";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { makeFile, makeProject, makeSession, makeTask, makeUser, type UserRow } from "../../db/factories";
import { auditEvents, calendarFeeds, files, inquiries, mailJobs, sessions, twoFactors, users } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import { createTestCallers, refusal, type TestCaller, type TestCallers } from "./caller";
import { createTestDatabase, type TestDatabase } from "./db";

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

const audited = async (subjectId: string) => {
  const rows = await database.db.select().from(auditEvents).where(eq(auditEvents.subjectId, subjectId));
  return rows.map(({ kind, actorId, details }) => ({ kind, actorId, details }));
};
const mailed = async (recipient: string) =>
  (await database.db.select().from(mailJobs).where(eq(mailJobs.recipient, recipient))).map(({ template }) => template);

describe("an account's life", () => {
  test("each step writes one audit row and queues the mail that belongs to it, in its own transaction", async () => {
    const user = await makeUser(database.db, { accountStatus: "pending" });
    await admin.users.approve({ userId: user.id, accountType: "client" });
    await admin.users.setType({ userId: user.id, accountType: "user" });
    await admin.users.deactivate({ userId: user.id });
    await admin.users.reactivate({ userId: user.id });
    expect(await audited(user.id)).toEqual([
      { kind: "account.approved", actorId: asha.id, details: { accountType: "client", emailVerified: false } },
      { kind: "account.type-changed", actorId: asha.id, details: { accountType: "user" } },
      { kind: "account.deactivated", actorId: asha.id, details: {} },
      { kind: "account.reactivated", actorId: asha.id, details: { emailVerified: false } },
    ]);
    expect(await mailed(user.id)).toEqual(["account-approved", "account-approved"]);
  });

  test.each([
    ["deactivate", { accountStatus: "pending" }],
    ["deactivate", { accountStatus: "rejected" }],
    ["reactivate", { accountStatus: "active" }],
    ["reactivate", { accountStatus: "pending" }],
    ["approve", { accountStatus: "active" }],
    ["reject", { accountStatus: "inactive" }],
    ["setType", { accountStatus: "pending" }],
    ["setType", { accountType: "client" }],
  ] as const)("%s is refused for an account that is %j, and leaves no trace", async (step, state) => {
    const user = await makeUser(database.db, state);
    const input = { userId: user.id, accountType: "client" as const };
    const call = {
      approve: () => admin.users.approve(input),
      reject: () => admin.users.reject({ userId: user.id }),
      deactivate: () => admin.users.deactivate({ userId: user.id }),
      reactivate: () => admin.users.reactivate({ userId: user.id }),
      setType: () => admin.users.setType(input),
    }[step];
    expect(await refusal(call())).toMatchObject({ code: "CONFLICT" });
    expect(await audited(user.id)).toEqual([]);
    expect(await mailed(user.id)).toEqual([]);
  });

  test.each([
    ["deactivating", (userId: string) => admin.users.deactivate({ userId })],
    ["changing the type of", (userId: string) => admin.users.setType({ userId, accountType: "client" })],
  ])("%s an account ends its sessions with it", async (_name, step) => {
    const user = await makeUser(database.db);
    const { token } = await makeSession(database.db, { userId: user.id });
    await step(user.id);
    expect(await database.db.select().from(sessions).where(eq(sessions.userId, user.id))).toEqual([]);
    expect(await refusal(callers.withToken(token).projects.list({ scope: "mine" }))).toMatchObject({
      code: "UNAUTHORIZED",
    });
  });
});

describe("races", () => {
  test("50 rounds of approve against reject: one winner and one audit row each time", async () => {
    const vikram = await callers.as(await makeUser(database.db, { accountType: "admin" }));
    for (let round = 0; round < 50; round += 1) {
      const user = await makeUser(database.db, { accountStatus: "pending" });
      const outcomes = await Promise.allSettled([
        admin.users.approve({ userId: user.id, accountType: "user" }),
        vikram.users.reject({ userId: user.id }),
      ]);
      expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      const [entry, ...others] = await audited(user.id);
      expect(others).toEqual([]);
      const [row] = await database.db.select().from(users).where(eq(users.id, user.id));
      expect(entry?.kind).toBe(row?.accountStatus === "active" ? "account.approved" : "account.rejected");
    }
  });

  test("50 rounds of two admins deactivating each other: one winner, one audit row, and one admin is left", async () => {
    const own = await createTestDatabase();
    try {
      const ownCallers = createTestCallers(own.db);
      for (let round = 0; round < 50; round += 1) {
        await expectOneWinner(own, ownCallers);
        const active = await own.db.select().from(users).where(eq(users.accountStatus, "active"));
        expect(active).toHaveLength(1);
        expect(await own.db.select().from(auditEvents)).toHaveLength(1);
        await own.db.delete(auditEvents);
        await own.db.delete(users);
      }
    } finally {
      await own.close();
    }
  });

  test("30 rounds with a third admin beside them: one winner all the same", async () => {
    const own = await createTestDatabase();
    try {
      const ownCallers = createTestCallers(own.db);
      await makeUser(own.db, { accountType: "admin" });
      for (let round = 0; round < 30; round += 1) {
        await expectOneWinner(own, ownCallers);
      }
    } finally {
      await own.close();
    }
  });

  test("nobody decides about oneself under another spelling of the own id", async () => {
    const self = asha.id.toUpperCase();
    expect(await refusal(admin.users.deactivate({ userId: self }))).toMatchObject({ code: "FORBIDDEN" });
    expect(await refusal(admin.users.erasePerson({ userId: self }))).toMatchObject({ code: "FORBIDDEN" });
  });

  test("the last active admin can neither be deactivated nor made another type", async () => {
    const own = await createTestDatabase();
    try {
      const last = await makeUser(own.db, { accountType: "admin" });
      const leaving = await makeUser(own.db, { accountType: "admin" });
      const caller = await createTestCallers(own.db).as(leaving);
      await own.db.update(users).set({ accountType: "user" }).where(eq(users.id, leaving.id));
      expect(await refusal(caller.users.deactivate({ userId: last.id }))).toMatchObject({ code: "FORBIDDEN" });
      await own.db.update(users).set({ accountType: "admin" }).where(eq(users.id, leaving.id));
      await caller.users.deactivate({ userId: last.id });
      expect(await refusal(caller.users.deactivate({ userId: leaving.id }))).toMatchObject({
        code: "FORBIDDEN",
        message: MESSAGES.users.notOneself,
      });
    } finally {
      await own.close();
    }
  });
});

describe("a person who asks", () => {
  test("gets everything that is held about them and no secret, and that is audited", async () => {
    const person = await makeUser(database.db, { name: "Lata Kale", passwordHash: "hash-of-a-password" });
    const { token } = await makeSession(database.db, { userId: person.id });
    const project = await makeProject(database.db, { createdBy: asha.id, managers: [person.id], title: "Theirs" });
    await makeTask(database.db, { projectId: project.id, createdBy: asha.id, assignedTo: [person.id], title: "Do it" });
    await (await callers.as(person)).tasks.create({ projectId: project.id, title: "Theirs too", description: "Made." });
    const written = { kind: "contact", name: "Lata", subject: "project", message: "A question" } as const;
    await database.db.insert(inquiries).values([
      { ...written, email: person.email.toUpperCase() },
      { ...written, email: "somebody.else@sangam.example", message: "Of another" },
    ]);
    await database.db
      .insert(twoFactors)
      .values({ userId: person.id, sealed: "sealed-secret", keyId: "k", enabledAt: new Date() });
    const exported = await admin.users.exportPerson({ userId: person.id });
    expect(exported).toMatchObject({
      twoFactorSince: expect.any(String),
      inquiries: [{ kind: "contact", text: "A question" }],
      invitations: [],
      profile: { name: "Lata Kale", email: person.email, mobile: person.mobile },
      signsInWith: ["credential"],
      projects: [{ title: "Theirs", roles: ["manager"] }],
      tasks: [
        { title: "Do it", roles: ["assignee"] },
        { title: "Theirs too", roles: ["creator", "assignee"] },
      ],
      history: [{ kind: "task.created", projectId: project.id, byThem: true }],
    });
    expect(exported.sessions).toHaveLength(2);
    const text = JSON.stringify(exported);
    for (const secret of [token, "hash-of-a-password", "sealed-secret"]) expect(text).not.toContain(secret);
    expect((await audited(person.id)).map(({ kind }) => kind)).toEqual(["account.exported"]);
  });

  test("has what they asked for in projects and answered there handed out, and keeps it under no name once erased", async () => {
    const client = await makeUser(database.db, { name: "Lata Client", accountType: "client" });
    const project = await makeProject(database.db, {
      ...{ createdBy: asha.id, clientId: client.id, clientCollaboration: true },
    });
    const caller = await callers.as(client);
    const asked = { projectId: project.id, title: "A third berth", text: "As drawn", urgency: "high" } as const;
    const file = await makeFile(database.db, { uploadedBy: client.id, name: "drawn.txt" });
    const request = await caller.requests.create({ ...asked, fileIds: [file.id] });
    await admin.requests.askBack({ requestId: request.id, text: "Where?" });
    await caller.requests.answer({ requestId: request.id, text: "Beside the gate" });
    expect(await admin.users.exportPerson({ userId: client.id })).toMatchObject({
      requests: [{ id: request.id, ...asked, status: "new", at: request.createdAt }],
      requestReplies: [{ requestId: request.id, text: "Beside the gate" }],
      files: [{ name: "drawn.txt", projectId: project.id, requestId: request.id }],
    });
    expect((await admin.users.exportPerson({ userId: asha.id })).requestReplies).toMatchObject([{ text: "Where?" }]);
    await admin.users.erasePerson({ userId: client.id });
    const kept = await admin.requests.byId({ requestId: request.id });
    expect(kept).toMatchObject({ ...asked, thread: [{ text: "Where?" }, { text: "Beside the gate" }] });
    expect(kept.files.map(({ name }) => name)).toEqual(["drawn.txt"]);
    expect(JSON.stringify(kept)).not.toContain("Lata");
    expect(kept.people.find(({ id }) => id === client.id)?.name).toBe("Unknown Client");
  });

  test("has their comments handed out, where they stand, but neither those of others nor what they deleted", async () => {
    const person = await makeUser(database.db, { name: "Lata Writes" });
    const project = await makeProject(database.db, { createdBy: asha.id, managers: [person.id] });
    const task = await makeTask(database.db, { projectId: project.id, createdBy: asha.id });
    const { comments } = await callers.as(person);
    const write = (text: string, subject: { projectId: string } | { taskId: string }) =>
      ({ subject, text, visibility: "team", clientCommentId: randomUUID() }) as const;
    const first = await comments.create(write("Of the task", { taskId: task.id }));
    const second = await comments.create(write("Of the project", { projectId: project.id }));
    const { id: commentId } = await comments.create(write("Deleted", { projectId: project.id }));
    await comments.delete({ commentId });
    await admin.comments.create(write("Of another", { taskId: task.id }));
    expect((await admin.users.exportPerson({ userId: person.id })).comments).toEqual([
      { at: first.createdAt, projectId: project.id, taskId: task.id, text: "Of the task" },
      { at: second.createdAt, projectId: project.id, taskId: null, text: "Of the project" },
    ]);
  });

  test("has handed out what they were notified of, by which ways, and how far they have read, without any key", async () => {
    const person = await makeUser(database.db, { accountType: "client" });
    const session = await makeSession(database.db, { userId: person.id });
    const caller = callers.withToken(session.token);
    const { id: projectId } = await makeProject(database.db, {
      ...{ createdBy: asha.id, clientId: person.id, clientCollaboration: true },
    });
    const text = `@[Lata](person:${person.id}) look`;
    const { id: commentId } = await admin.comments.create({
      ...{ subject: { projectId }, text, visibility: "client", clientCommentId: randomUUID() },
    });
    await caller.comments.markRead({ subject: { projectId }, upToSeq: 1 });
    const { conversation } = await admin.chat.start({
      ...{ recipientId: person.id, text: "Hello", clientMessageId: randomUUID() },
    });
    const conversationId = conversation.id;
    await caller.chat.markRead({ conversationId, upToSeq: 1 });
    const upTo = new Date().toISOString();
    await caller.overview.markSeen({ upTo });
    const endpoint = "https://fcm.googleapis.com/fcm/send/lata";
    const keys = { p256dh: "key-of-the-browser", auth: "secret-of-the-browser" };
    await caller.notifications.subscribePush({ endpoint, keys });
    const { url, createdAt: calendarSince } = await caller.feeds.createCalendar();
    const exported = await admin.users.exportPerson({ userId: person.id });
    expect(exported).toMatchObject({
      notifications: [{ kind: "mentioned", projectId, commentId }],
      pushSubscriptions: [{ since: expect.any(String), endpoint }],
      calendarSince,
      seenUpTo: upTo,
      conversationReads: [{ conversationId, upToSeq: 1 }],
      commentReads: [{ projectId, taskId: null, upToSeq: 1 }],
    });
    const [feed] = await database.db.select().from(calendarFeeds).where(eq(calendarFeeds.userId, person.id));
    const written = JSON.stringify(exported);
    for (const secret of [keys.p256dh, keys.auth, url, feed?.tokenHash ?? url]) expect(written).not.toContain(secret);
  });

  test("has the files deleted that they attached to nothing once erased, and only those", async () => {
    const person = await makeUser(database.db);
    const project = await makeProject(database.db, { createdBy: asha.id, managers: [person.id] });
    const fileOf = async (uploadedBy: string, name: string) => (await makeFile(database.db, { uploadedBy, name })).id;
    const attached = await fileOf(person.id, "attached.txt");
    const subject = { projectId: project.id };
    await (await callers.as(person)).files.attach({ subject, fileIds: [attached], visibility: "team" });
    await fileOf(person.id, "unattached.txt");
    const others = await fileOf(asha.id, "of-another.txt");
    await admin.users.erasePerson({ userId: person.id });
    const left = await database.db
      .select({ id: files.id })
      .from(files)
      .where(inArray(files.uploadedBy, [person.id, asha.id]));
    expect(left.map(({ id }) => id).toSorted()).toEqual([attached, others].toSorted());
    expect((await admin.files.list({ subject })).map(({ name }) => name)).toEqual(["attached.txt"]);
  });

  test("is erased for good: no personal datum is left, and what they took part in stays whole", async () => {
    const person = await makeUser(database.db, {
      name: "Lata Erased",
      username: "lata",
      email: "lata.erased@sangam.example",
      passwordHash: "x",
    });
    const client = await makeUser(database.db, { name: "Client Erased", accountType: "client" });
    const { token } = await makeSession(database.db, { userId: person.id });
    const project = await makeProject(database.db, { createdBy: person.id, clientId: client.id });
    await (await callers.as(person)).projects.update({
      projectId: project.id,
      version: 1,
      patch: { status: "inProgress", clientId: client.id },
    });
    await admin.users.erasePerson({ userId: person.id });
    await admin.users.erasePerson({ userId: client.id });
    const history = await admin.projects.history({ projectId: project.id });
    expect(history.items[0]?.actor?.name).toBe("Unknown User");
    expect(JSON.stringify(history)).not.toContain("Erased");
    const shown = await admin.projects.byId({ projectId: project.id });
    expect(shown.people.map(({ name }) => name)).toEqual(["Unknown User"]);
    expect(shown.client?.name).toBe("Unknown Client");
    const dump = JSON.stringify(await database.db.select().from(users).where(eq(users.id, person.id)));
    for (const datum of ["Lata", "lata", person.mobile ?? "-"]) expect(dump).not.toContain(datum);
    expect(await callers.withToken(token).auth.me()).toBeNull();
    for (const again of [
      () => admin.users.erasePerson({ userId: person.id }),
      () => admin.users.reactivate({ userId: person.id }),
    ]) {
      expect(await refusal(again())).toMatchObject({ code: "CONFLICT" });
    }
    expect((await audited(person.id)).map(({ kind }) => kind)).toEqual(["account.erased"]);
  });
});

test.each([
  ["profile", (own: TestCaller) => own.users.updateProfile({ name: "Lata Again", mobile: "+91 98200 00000" })],
  ["picture", (own: TestCaller) => own.users.setPhoto({ fileId: null })],
])("a %s that somebody saves while they are erased is refused", async (_name, save) => {
  const person = await makeUser(database.db, { name: "Lata Erased" });
  const own = await callers.as(person);
  const calls: Promise<unknown>[] = [];
  const start = async (call: Promise<unknown>) => {
    call.catch(() => {});
    calls.push(call);
    await database.untilWaiting(calls.length);
  };
  await database.sql.begin(async (sql) => {
    await sql`select from users where id = ${person.id} for update`;
    await start(admin.users.erasePerson({ userId: person.id }));
    await start(save(own));
  });
  const [erasing, saving] = await Promise.allSettled(calls);
  expect(erasing?.status).toBe("fulfilled");
  expect(saving).toMatchObject({ status: "rejected", reason: { message: MESSAGES.auth.profileNotFound } });
  const [row] = await database.db.select().from(users).where(eq(users.id, person.id));
  expect(row).toMatchObject({ name: "Unknown User", mobile: null });
});

test("a second admin is notified of a sign-up and of a decision without asking", async () => {
  const { startListener } = await import("../realtime/listener");
  const { createLogger } = await import("../core/logger");
  const listener = await startListener({
    connection: database.connection,
    hub: callers.hub,
    logger: createLogger({ level: "silent" }),
  });
  const changes = (await admin.users.onChange())[Symbol.asyncIterator]();
  await callers.anonymous.auth.signUp({
    name: "New Person",
    email: "second@sangam.example",
    mobile: "+91 98200 00000",
    password: "secret",
    confirmPassword: "secret",
    agreeToTerms: true,
  });
  const [made] = await database.db.select().from(users).where(eq(users.email, "second@sangam.example"));
  expect((await changes.next()).value).toEqual({ userId: made?.id });
  await admin.users.reject({ userId: made?.id ?? "" });
  expect((await changes.next()).value).toEqual({ userId: made?.id });
  await changes.return?.();
  await listener.close();
});

test("people write their own profile, within its limits, and nothing else of their account", async () => {
  const user = await makeUser(database.db);
  const caller = await callers.as(user);
  await caller.users.updateProfile({
    name: "New Name",
    displayName: "Newt",
    age: 41,
    mobile: "",
    profileImgLink: null,
  });
  expect(await caller.auth.me()).toMatchObject({
    name: "New Name",
    displayName: "Newt",
    age: 41,
    mobile: null,
    email: user.email,
  });
  for (const [field, value] of [
    ["age", 151],
    ["age", 1.5],
    ["profileImgLink", "javascript:alert(1)"],
    ["profileImgLink", "https://a.example/me.png"],
    ["profileImgLink", "/api/photos/of-somebody-else"],
    ["profileImgLink", "/api/photos/\u0000"],
    ["name", ""],
    ["mobile", "12"],
    ["accountType", "admin"],
    ["accountStatus", "active"],
    ["email", "other@sangam.example"],
    ["username", "root"],
    ["accessLevel", "root"],
  ] as const) {
    const refused = await refusal(caller.users.updateProfile({ [field]: value }));
    expect([refused.code, Object.keys(refused.fieldErrors ?? {})]).toEqual(["BAD_REQUEST", [field]]);
  }
});

/** Two admins deactivate each other at once. */
async function expectOneWinner({ db }: TestDatabase, ownCallers: TestCallers): Promise<void> {
  const [one, two] = [await makeUser(db, { accountType: "admin" }), await makeUser(db, { accountType: "admin" })];
  const [first, second] = [await ownCallers.as(one), await ownCallers.as(two)];
  const outcomes = await Promise.allSettled([
    first.users.deactivate({ userId: two.id }),
    second.users.deactivate({ userId: one.id }),
  ]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
}
