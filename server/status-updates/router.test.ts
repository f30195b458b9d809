import { randomUUID } from "node:crypto";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeProject, makeTask, makeUser, type UserRow } from "../../db/factories";
import { makeRepository } from "../../db/repository-factory";
import { notifications, organisation, projects, statusUpdates } from "../../db/schema";
import { DAY_MS } from "../contract/days";
import { MESSAGES } from "../contract/messages";
import { createNotificationMails } from "../notifications/mails";
import { createTestCallers, refusal, startTestProcess, type TestCallers, type TestProcess } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { remindOfStatusUpdates } from "./jobs";

let database: TestDatabase;
let callers: TestCallers;
let streaming: TestProcess;
let asha: UserRow;
let rohan: UserRow;
let mitali: UserRow;
let meera: UserRow;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  streaming = await startTestProcess(database);
  const { db } = database;
  asha = await makeUser(db, { accountType: "admin", name: "Asha Rao" });
  rohan = await makeUser(db, { name: "Rohan Desai" });
  mitali = await makeUser(db);
  meera = await makeUser(db, { accountType: "client" });
});
afterAll(async () => {
  await streaming.listener.close();
  await database.close();
});
beforeEach(async () => {
  const { db } = database;
  await db.delete(notifications);
  await db.delete(statusUpdates);
  await db.update(projects).set({ statusReminder: false });
  const people = { createdBy: asha.id, clientId: meera.id, assignedTo: [mitali.id], managers: [rohan.id] };
  ({ id: projectId } = await makeProject(db, { ...people, title: "Harbour", createdAt: daysAgo(30) }));
});

const daysAgo = (days: number) => new Date(Date.now() - days * DAY_MS);
const send = async (text = "Berths are live.", health: "on-track" | "at-risk" = "on-track") =>
  (await callers.as(rohan)).statusUpdates.send({ projectId, health, text });
const inboxOf = async (person: UserRow) => (await (await callers.as(person)).notifications.list({})).items;

test("a status update is listed newest first for the team and the client, and stays as it was sent", async () => {
  const first = await send();
  expect(first).toEqual({
    id: expect.any(String),
    projectId,
    health: "on-track",
    text: "Berths are live.",
    authorId: rohan.id,
    author: { id: rohan.id, name: "Rohan Desai", accountType: "user", profileImgLink: null },
    sentAt: expect.stringMatching(/Z$/),
  });
  const second = await send("Tides wait for data.", "at-risk");
  for (const reader of [rohan, mitali, asha, meera]) {
    expect(await (await callers.as(reader)).statusUpdates.list({ projectId })).toEqual([second, first]);
  }
  expect(await refusal(send(" "))).toMatchObject({ fieldErrors: { text: ["Please write a status update."] } });
  expect(await refusal(send("x".repeat(2_001)))).toMatchObject({ code: "BAD_REQUEST" });
});

test("whoever is no manager any more when it is stored sends nothing", async () => {
  const caller = await callers.as(mitali);
  expect(await refusal(caller.statusUpdates.send({ projectId, health: "on-track", text: "Hello" }))).toMatchObject({
    code: "FORBIDDEN",
    message: MESSAGES.projects.managersOnly,
  });
  expect(await caller.statusUpdates.list({ projectId })).toEqual([]);
  expect(await inboxOf(meera)).toEqual([]);
});

test("the client alone is notified of it, and the mail holds its text", async () => {
  await send("Berths are live.\n\nTides follow.");
  expect(await inboxOf(meera)).toMatchObject([{ kind: "status-update", subject: { projectId }, details: "on-track" }]);
  for (const other of [rohan, mitali, asha]) expect(await inboxOf(other)).toEqual([]);
  const rows = await database.db.select({ id: notifications.id }).from(notifications);
  const compose = createNotificationMails({ db: database.db, publicUrl: "https://sangam.example" });
  const mail = await compose({
    ...{ id: 1, template: "notification", recipient: meera.id, conversationId: null, inquiryId: null, attempts: 1 },
    notificationIds: rows.map(({ id }) => id),
  });
  expect(mail?.subject).toBe("Harbour: Rohan Desai sent a status update: On track");
  expect(mail?.text).toContain("- Berths are live.\n- Tides follow.");
  expect(mail?.text).toContain(`https://sangam.example/client?open=${projectId}`);
});

test("one that is sent again with its key is sent once", async () => {
  const caller = await callers.as(rohan);
  const update = { projectId, health: "on-track", text: "Berths are live.", clientUpdateId: randomUUID() } as const;
  const sent = await Promise.all([1, 2, 3].map(() => caller.statusUpdates.send(update)));
  expect(new Set(sent.map(({ id }) => id)).size).toBe(1);
  expect(await caller.statusUpdates.send(update)).toEqual(sent[0]);
  expect(await caller.statusUpdates.list({ projectId })).toEqual([sent[0]]);
  expect(await inboxOf(meera)).toHaveLength(1);
  const { id: otherId } = await makeProject(database.db, { createdBy: asha.id, managers: [rohan.id] });
  for (const other of [{ text: "Tides too." }, { health: "at-risk" as const }, { projectId: otherId }]) {
    expect(await refusal(caller.statusUpdates.send({ ...update, ...other }))).toMatchObject({
      ...{ code: "CONFLICT", reason: "key-taken", message: MESSAGES.statusUpdates.keyTaken },
    });
  }
  // A key is its author's.
  await (await callers.as(asha)).statusUpdates.send(update);
  expect(await caller.statusUpdates.list({ projectId })).toHaveLength(2);
});

test("whoever watches the project receives it live", async () => {
  const watcher = await streaming.as(meera);
  const events = (await watcher.projects.onChange({ projectId }))[Symbol.asyncIterator]();
  const next = events.next();
  await send();
  expect((await next).value).toMatchObject({ projectId, kind: "project-changed" });
  await events.return?.();
});

describe("the draft", () => {
  const draft = async () => (await callers.as(rohan)).statusUpdates.draft({ projectId });

  test("says what was done, moved and committed since the last update", async () => {
    expect(await draft()).toEqual({
      health: "on-track",
      text: "Done: no task was completed.\nMoved: no dates.",
      upTo: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
    });
    await send();
    const { db } = database;
    const team = await callers.as(mitali);
    const tides = await makeTask(db, { projectId, createdBy: rohan.id, title: "Tides", dueDate: "2100-01-10" });
    const berths = await makeTask(db, { projectId, createdBy: rohan.id, title: "Berths" });
    await team.tasks.update({ taskId: tides.id, patch: { dueDate: "2100-01-12" } });
    await team.tasks.update({ taskId: tides.id, patch: { dueDate: "2100-01-20" } });
    await team.tasks.setCompleted({ taskId: berths.id, completed: true });
    expect((await draft()).text).toBe("Done: 1 task (Berths).\nMoved: Tides to 20 Jan 2100.");
    await team.tasks.update({ taskId: tides.id, patch: { dueDate: "2100-01-10" } });
    expect((await draft()).text).toContain("Moved: no dates.");
    await send();
    expect((await draft()).text).toBe("Done: no task was completed.\nMoved: no dates.");
  });

  test("says what was done while the last update was still being written, whoever sent one in between", async () => {
    const team = await callers.as(mitali);
    const done = async (title: string) => {
      const { id } = await makeTask(database.db, { projectId, createdBy: rohan.id, title });
      await team.tasks.setCompleted({ taskId: id, completed: true });
    };
    const sendDraft = async (upTo: string) =>
      (await callers.as(rohan)).statusUpdates.send({ projectId, health: "on-track", text: "As it stands.", upTo });
    await done("Tides");
    const first = await draft();
    expect(first.text).toContain("Done: 1 task (Tides).");
    await done("Berths");
    await sendDraft(first.upTo);
    const second = await draft();
    expect(second.text).toContain("Done: 1 task (Berths).");
    await done("Gauges");
    const third = await draft();
    await sendDraft(third.upTo);
    await sendDraft(second.upTo);
    expect((await draft()).text).toContain("Done: no task was completed.");
    await done("Ropes");
    await sendDraft("2100-01-01T00:00:00Z");
    await done("Sails");
    expect((await draft()).text).toContain("Done: 1 task (Sails).");
  });

  test("shows of commits what the client may see", async () => {
    const repository = await makeRepository(database.db, {
      fullName: "konkan/harbour",
      commits: ["Fix Konkan tides\n\nBecause of SECRET-1", "Add berths"].map((message, at) => ({
        ...{ sha: `abcd${at}`, message, authorName: "Rohan" },
      })),
    });
    const show = async (commitMode: "titles" | "counts" | "hidden", maskedWords: string[] = []) => {
      await database.db
        .update(projects)
        .set({ repositoryId: repository.id, commitMode, maskedWords })
        .where(sql`${projects.id} = ${projectId}`);
      return (await draft()).text.split("\n")[2];
    };
    expect(await show("titles", ["konkan", "("])).toMatch(/^Code: 2 commits \(Fix ••• tides; Add berths\)\.$/);
    expect(await show("counts")).toBe("Code: 2 commits.");
    expect(await show("hidden")).toBeUndefined();
  });

  test("counts all commits, however many there are", async () => {
    const commits = Array.from({ length: 250 }, (_, at) => ({
      sha: `ab${at}`,
      message: `Step ${at}`,
      authorName: "R",
    }));
    const { id: repositoryId } = await makeRepository(database.db, { fullName: "konkan/busy", commits });
    await database.db.update(projects).set({ repositoryId }).where(sql`${projects.id} = ${projectId}`);
    expect((await draft()).text).toMatch(/^Code: 250 commits \(Step \d+; Step \d+; Step \d+; 247 more\)\.$/m);
    await database.db.update(projects).set({ commitMode: "counts" }).where(sql`${projects.id} = ${projectId}`);
    expect((await draft()).text).toContain("Code: 250 commits.");
    // Written before the last update, pushed after it.
    await send();
    expect((await draft()).text).toContain("Code: no commits.");
    await database.sql`insert into commits (repository_id, sha, message, html_url, author_name, authored_at)
      values (${repositoryId}, 'd4d4', 'Tides', '', 'Rohan', now() - interval '2 days')`;
    expect((await draft()).text).toContain("Code: 1 commit.");
  });

  test("takes what is late for a risk", async () => {
    await makeTask(database.db, { projectId, createdBy: rohan.id, dueDate: "2020-01-10" });
    expect((await draft()).health).toBe("at-risk");
    await database.db
      .update(projects)
      .set({ dueDate: "2020-01-10", startDate: "2020-01-01" })
      .where(sql`${projects.id} = ${projectId}`);
    expect((await draft()).health).toBe("off-track");
  });
});

describe("the reminder", () => {
  const remind = () => remindOfStatusUpdates(database.db, { timeZone: "Asia/Kolkata" });
  const want = () =>
    database.db.update(projects).set({ statusReminder: true }).where(sql`${projects.id} = ${projectId}`);
  const everyDay = { days: [1, 2, 3, 4, 5, 6, 7], from: "09:00", to: "18:00" };
  const set = (hours: typeof everyDay) =>
    database.db
      .insert(organisation)
      .values({ businessHours: hours })
      .onConflictDoUpdate({ target: organisation.id, set: { businessHours: hours } });

  beforeEach(async () => void (await set(everyDay)));

  test("reaches the managers once, however many processes ask, and only where it is wanted", async () => {
    await remind();
    expect(await inboxOf(rohan)).toEqual([]);
    await want();
    await Promise.all([remind(), remind(), remind()]);
    await remind();
    expect(await inboxOf(rohan)).toMatchObject([{ kind: "status-update", details: "reminder", actor: null }]);
    for (const other of [asha, mitali, meera]) expect(await inboxOf(other)).toEqual([]);
  });

  test("comes again after a week without a status update, and waits for nobody once one is sent", async () => {
    await want();
    await send();
    await remind();
    expect(await inboxOf(rohan)).toEqual([]);
    await database.db.update(statusUpdates).set({ sentAt: daysAgo(8) });
    await remind();
    await database.db.update(notifications).set({ createdAt: daysAgo(7.01), cause: "status-reminder:earlier" });
    await remind();
    expect(await inboxOf(rohan)).toHaveLength(2);
    await send();
    expect((await inboxOf(rohan)).filter(({ readAt }) => readAt === null)).toEqual([]);
  });

  test("is silent on days off, about what is finished, and for who turned it off", async () => {
    await want();
    await set({ ...everyDay, days: [] });
    await remind();
    await set(everyDay);
    await database.db.update(projects).set({ status: "completed" }).where(sql`${projects.id} = ${projectId}`);
    await remind();
    expect(await inboxOf(rohan)).toEqual([]);
    await database.db.update(projects).set({ status: "todo" }).where(sql`${projects.id} = ${projectId}`);
    const manager = await callers.as(rohan);
    await manager.notifications.setPreferences({ "status-update": { inApp: false, mail: "off" } });
    await remind();
    expect(await inboxOf(rohan)).toEqual([]);
    await manager.notifications.setPreferences({ "status-update": { inApp: true, mail: "at-once" } });
  });
});
