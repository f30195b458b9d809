import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { NotificationKind } from "@db/event-kinds";
import { asc, eq, inArray, isNotNull, sql } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeProject, makeTask, makeUser, type UserRow } from "../../db/factories";
import { mailJobs, notifications, projectMembers, requests, tasks, users } from "../../db/schema";
import { createLogger } from "../core/logger";
import { createMailTransport } from "../mail/client";
import { mailKind } from "../mail/jobs";
import { createTestCallers, type TestCallers, testVault } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { startLiveServer } from "../test/live-server";
import { notificationKinds, notifyOfDueDates } from "./jobs";
import { createNotificationMails, queueDigests, queueDueMails } from "./mails";
import { insertNotifications, notifyOfMissingStatus, notifyOfRepository, notifyOfRequest } from "./mutations";

const publicUrl = "https://sangam.example";
const timeZone = "Asia/Kolkata";
const logger = createLogger({ level: "silent" });
/** Of a process that goes on. */
const NEVER = new AbortController().signal;

let database: TestDatabase;
let callers: TestCallers;
let rohan: UserRow;
let mitali: UserRow;
let projectId: string;
let taskId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
});
afterAll(() => database.close());
beforeEach(async () => {
  const { db } = database;
  await database.sql`truncate notifications, mail_jobs, projects, repositories cascade`;
  rohan = await makeUser(db, { name: "Rohan Desai" });
  mitali = await makeUser(db, { name: "Mitali <Rao>" });
  ({ id: projectId } = await makeProject(db, {
    createdBy: rohan.id,
    assignedTo: [rohan.id, mitali.id],
    key: "HBP",
    title: "Harbour",
  }));
  ({ id: taskId } = await makeTask(db, {
    projectId,
    createdBy: rohan.id,
    title: "Tides & <ships>",
    assignedTo: [mitali.id],
  }));
});

const send = (kind: NotificationKind, given: { recipient?: UserRow; ofProject?: boolean; details?: string } = {}) =>
  database.db.transaction((tx) =>
    insertNotifications(tx, {
      kind,
      cause: randomUUID(),
      actorId: rohan.id,
      recipients: [(given.recipient ?? mitali).id],
      projectId,
      taskId: given.ofProject ? null : taskId,
      details: given.details ?? null,
    }),
  );
const manage = (person: UserRow) =>
  database.db.insert(projectMembers).values({ projectId, userId: person.id, role: "manager", position: 0 });
const holdIsOver = () =>
  database.db.update(notifications).set({ mailDueAt: new Date() }).where(isNotNull(notifications.mailDueAt));
const queued = () => database.db.select().from(mailJobs).orderBy(asc(mailJobs.id));
const compose = async () => {
  const write = createNotificationMails({ db: database.db, publicUrl });
  return Promise.all((await queued()).map((job) => write(job)));
};
/** Sends all that is queued as the server does without a mail server: the mails as they are on their way. */
const deliver = async () => {
  const { db } = database;
  const dataDir = await mkdtemp(join(tmpdir(), "sangam-notification-mails-"));
  const transport = createMailTransport({ smtpUrl: null, mailFrom: "hello@sangam.example", dataDir, logger });
  const kind = mailKind(db, { compose: createNotificationMails({ db, publicUrl }), transport });
  for (let job = await kind.claim(); job; job = await kind.claim()) await kind.run(job, NEVER);
  const outbox = join(dataDir, "outbox");
  const files = existsSync(outbox) ? await readdir(outbox) : [];
  const mails = await Promise.all(files.map((file) => readFile(join(outbox, file), "utf8")));
  await rm(dataDir, { recursive: true });
  return mails;
};

describe("mails at once", () => {
  test("wait five minutes, and are dropped when the notification is read meanwhile", async () => {
    await send("assigned");
    const [held] =
      await database.sql`select mail_due_at - created_at = interval '5 minutes' as five from notifications`;
    expect(held?.five).toBe(true);
    await queueDueMails(database.db, { mode: "at-once" });
    expect(await queued()).toEqual([]);
    await (await callers.as(mitali)).notifications.markRead({ all: true });
    await holdIsOver();
    await queueDueMails(database.db, { mode: "at-once" });
    expect(await queued()).toEqual([]);
  });

  test("are one for a thing, not one for an event, and go out once, whoever sweeps", async () => {
    for (const kind of ["assigned", "mentioned"] as const) await send(kind);
    await send("mentioned", { ofProject: true });
    await send("comment");
    await holdIsOver();
    await Promise.all([1, 2, 3].map(() => queueDueMails(database.db, { mode: "at-once" })));
    const mails = await compose();
    expect(mails.map((mail) => mail?.subject).toSorted()).toEqual([
      "HBP-1 Tides & <ships>: Rohan Desai mentioned you",
      "Harbour: Rohan Desai mentioned you",
    ]);
    const ofTask = mails.find((mail) => mail?.subject.startsWith("HBP"));
    expect(ofTask).toMatchObject({ to: mitali.email });
    expect(ofTask?.text).toContain(
      "- Rohan Desai assigned this to you\n- Rohan Desai mentioned you\nhttps://sangam.example/task/HBP-1",
    );
    expect(ofTask?.html).toContain("Tides &amp; &lt;ships&gt;");
    expect(ofTask?.html).not.toContain("<ships>");
  });

  test("say nothing of what was read after they were queued", async () => {
    for (const kind of ["assigned", "mentioned"] as const) await send(kind);
    await holdIsOver();
    await queueDueMails(database.db, { mode: "at-once" });
    const { notifications } = await callers.as(mitali);
    const [mentioned, assigned] = (await notifications.list({})).items;
    await notifications.markRead({ ids: [mentioned?.id ?? ""] });
    expect((await compose()).map((mail) => mail?.subject)).toEqual([
      "HBP-1 Tides & <ships>: Rohan Desai assigned this to you",
    ]);
    await notifications.markRead({ ids: [assigned?.id ?? ""] });
    expect(await compose()).toEqual([null]);
    expect(await deliver()).toEqual([]);
  });

  test("say nothing of what may not be seen any more", async () => {
    await send("assigned");
    await holdIsOver();
    await queueDueMails(database.db, { mode: "at-once" });
    await (await callers.as(rohan)).projects.update({ projectId, version: 1, patch: { assignedTo: [rohan.id] } });
    expect(await compose()).toEqual([null]);
  });

  test("follow the choice as it is when they go out", async () => {
    await send("assigned");
    await (await callers.as(mitali)).notifications.setPreferences({ assigned: { inApp: true, mail: "off" } });
    await holdIsOver();
    await queueDueMails(database.db, { mode: "at-once" });
    await queueDueMails(database.db, { mode: "daily" });
    expect(await queued()).toEqual([]);
  });

  test("that are on their way already are not sent once their kinds are turned off; of a digest the rest is", async () => {
    for (const kind of ["assigned", "comment", "due-soon"] as const) await send(kind, { details: "2026-11-26" });
    await holdIsOver();
    await queueDueMails(database.db, { mode: "at-once" });
    await queueDueMails(database.db, { mode: "daily" });
    const off = { inApp: true, mail: "off" } as const;
    await (await callers.as(mitali)).notifications.setPreferences({ assigned: off, comment: off });
    const mails = await compose();
    expect(mails.filter((mail) => mail !== null).map(({ subject }) => subject)).toEqual([
      "Your day on Sangam: 1 notification",
    ]);
    expect(JSON.stringify(mails)).toContain("Due on 26 Nov 2026");
    expect(JSON.stringify(mails)).not.toContain("commented");
  });

  test("bring nothing of the time before they were turned off and on again", async () => {
    await send("assigned");
    const caller = await callers.as(mitali);
    for (const mail of ["off", "at-once"] as const)
      await caller.notifications.setPreferences({ assigned: { inApp: true, mail } });
    await holdIsOver();
    await queueDueMails(database.db, { mode: "at-once" });
    expect(await queued()).toEqual([]);
  });
});

test("a digest is one mail a day for each person, grouped by thing", async () => {
  await send("comment");
  await send("due-soon", { details: "2026-11-26" });
  await send("project-status", { ofProject: true });
  await send("assigned");
  await queueDueMails(database.db, { mode: "daily" });
  await queueDueMails(database.db, { mode: "daily" });
  const [mail, ...others] = await compose();
  expect(others).toEqual([]);
  expect(mail?.subject).toBe("Your day on Sangam: 3 notifications");
  expect(mail?.text).toContain("HBP-1 Tides & <ships>\n- Rohan Desai commented\n- Due on 26 Nov 2026\n");
  expect(mail?.text).toContain("Harbour\n- Rohan Desai changed the status");
  expect(mail?.text).not.toContain("assigned");
});

test("a morning's digests hold all that waits for anybody, one whole digest for each person", async () => {
  const { db } = database;
  const people = await Promise.all(Array.from({ length: 11 }, () => makeUser(db)));
  const { id } = await makeProject(db, { createdBy: rohan.id, assignedTo: people.map((person) => person.id) });
  for (const { id: userId } of people)
    await db.insert(notifications).values(
      Array.from({ length: 95 }, (_, at) => ({
        ...{ userId, kind: "comment" as const, cause: `${at}`, projectId: id },
        mailDueAt: new Date(Date.now() - at * 1_000),
      })),
    );
  await queueDigests(db);
  expect(await db.$count(notifications, isNotNull(notifications.mailDueAt))).toBe(0);
  const digests = await queued();
  expect(digests.map(({ notificationIds }) => notificationIds?.length)).toEqual(Array(11).fill(95));
});

test("every mail unsubscribes by one click from its kinds, again and again, and from no other", async () => {
  await send("comment");
  await send("overdue");
  await queueDueMails(database.db, { mode: "daily" });
  const [mail] = await compose();
  const url = /^<(https:\/\/sangam\.example\/api\/unsubscribe\?token=(\S+))>$/.exec(
    mail?.headers?.["List-Unsubscribe"] ?? "",
  );
  expect(mail?.headers?.["List-Unsubscribe-Post"]).toBe("List-Unsubscribe=One-Click");
  expect(mail?.text).toContain(url?.[1]);
  const token = url?.[2] ?? "";
  const server = await startLiveServer(database);
  // Signed out: a link asks first, the button of a mail program does it.
  const ask = async (method: "GET" | "POST", given = token) =>
    (await fetch(`${server.base}/api/unsubscribe?token=${encodeURIComponent(given)}`, { method })).status;
  expect(await ask("GET")).toBe(200);
  const before = await (await callers.as(mitali)).notifications.preferences();
  expect(before.comment.mail).toBe("daily");
  expect([await ask("POST"), await ask("POST")]).toEqual([200, 200]);
  expect(await (await callers.as(mitali)).notifications.preferences()).toMatchObject({
    comment: { inApp: true, mail: "off" },
    overdue: { inApp: true, mail: "off" },
    "due-soon": { inApp: true, mail: "daily" },
  });
  for (const wrong of [
    "",
    "x",
    token.replace(/^./, (first) => (first === "0" ? "1" : "0")),
    `${randomUUID()}.comment`,
    `${token.slice(0, 36)}.nothing`,
  ])
    expect(await ask("POST", wrong)).toBe(400);
  await server.close();
});

test("the headers of the one click are on the mail that goes out", async () => {
  await send("assigned");
  await holdIsOver();
  await queueDueMails(database.db, { mode: "at-once" });
  const [mail] = await compose();
  const sent = await deliver();
  expect(sent).toHaveLength(1);
  // A header may go on in the next line, which then begins with a space.
  const lines = (sent[0]?.split("\r\n\r\n")[0] ?? "").replace(/\r\n[ \t]+/g, " ").split("\r\n");
  const header = (name: string) => lines.filter((line) => line.startsWith(`${name}: `));
  expect(mail?.headers?.["List-Unsubscribe"]).toMatch(/^<https:.*token=.+>$/);
  expect(header("List-Unsubscribe")).toEqual([`List-Unsubscribe: ${mail?.headers?.["List-Unsubscribe"]}`]);
  expect(header("List-Unsubscribe-Post")).toEqual(["List-Unsubscribe-Post: List-Unsubscribe=One-Click"]);
});

describe("the jobs", () => {
  /** As the server starts them, with a time zone in which it is another day than in the organisation's. */
  const kindOf = (name: string) => {
    const push = { vault: testVault, logger, send: async () => {} };
    const kind = notificationKinds(database.db, { timeZone: "Pacific/Niue", ...push }).find((one) => one.name === name);
    if (!kind) throw new Error(`there is no ${name}`);
    return kind;
  };
  /** Whether a run was due; what is due is done. */
  const runDue = async (kind: ReturnType<typeof kindOf>) => {
    const job = await kind.claim();
    if (job) await kind.run(job, NEVER);
    return job !== null;
  };
  beforeEach(() => database.sql`truncate recurring_jobs, organisation`);
  afterAll(() => database.sql`truncate organisation`);

  test("of the day runs at 08:00 of the organisation, not before: what is due or overdue is said once, in the digest", async () => {
    const { db, sql } = database;
    const zone = "Pacific/Kiritimati";
    const admin = await makeUser(db, { accountType: "admin" });
    await (await callers.as(admin)).organisation.update({ timeZone: zone });
    for (const [title, days] of Object.entries({ Tomorrow: 1, Overdue: -1, Today: 0, Later: 2 })) {
      const task = await makeTask(db, { projectId, createdBy: rohan.id, title, assignedTo: [mitali.id] });
      await sql`update tasks set due_date = (now() at time zone ${zone})::date + ${days}::int where id = ${task.id}`;
    }
    const kind = kindOf("notification-day");
    expect(await runDue(kind)).toBe(false);
    const nextRun = () => sql`select to_char(due_at at time zone ${zone}, 'HH24:MI:SS') as at,
      due_at > now() and due_at <= now() + interval '1 day' as next from recurring_jobs`;
    expect([...(await nextRun())]).toEqual([{ at: "08:00:00", next: true }]);
    await sql`update recurring_jobs set due_at = now() + interval '1 minute'`;
    expect(await runDue(kind)).toBe(false);
    expect([await queued(), await db.$count(notifications)]).toEqual([[], 0]);
    await sql`update recurring_jobs set due_at = now()`;
    expect(await runDue(kind)).toBe(true);
    const [mail, ...others] = await compose();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: mitali.email, subject: "Your day on Sangam: 3 notifications" });
    for (const title of ["Tomorrow", "Today"]) expect(mail?.text).toMatch(new RegExp(`${title}\\n- Due on \\d+ `));
    expect(mail?.text).toMatch(/Overdue\n- Overdue\n/);
    expect([...(await nextRun())]).toEqual([{ at: "08:00:00", next: true }]);
    expect(await runDue(kind)).toBe(false);
    // Should it be done again on that day, there is nothing left to say.
    await sql`update recurring_jobs set due_at = now()`;
    expect(await runDue(kind)).toBe(true);
    expect([(await queued()).length, await db.$count(notifications)]).toEqual([1, 3]);
  });

  test("of the day that a server leaves undone when it stops is done by another one on the same morning", async () => {
    const { sql } = database;
    const kind = kindOf("notification-day");
    await send("comment");
    await kind.claim();
    await sql`update recurring_jobs set due_at = now()`;
    const job = await kind.claim();
    if (!job) throw new Error("it is due");
    await expect(kind.run(job, AbortSignal.abort())).rejects.toThrow("aborted");
    await kind.retryLater(job);
    expect([...(await sql`select due_at < now() + interval '1 minute' as soon from recurring_jobs`)]).toEqual([
      { soon: true },
    ]);
    await sql`update recurring_jobs set due_at = now()`;
    expect(await runDue(kindOf("notification-day"))).toBe(true);
    expect(await queued()).toHaveLength(1);
  });

  test("of mails sends one that is held after five minutes, not before", async () => {
    const { sql } = database;
    const kind = kindOf("notification-mail");
    await send("assigned");
    const pass = async (time: string) => {
      await sql`update notifications set mail_due_at = mail_due_at - ${time}::interval`;
      await sql`update recurring_jobs set due_at = now()`;
      expect(await runDue(kind)).toBe(true);
      return (await queued()).length;
    };
    expect([await pass("4 minutes 30 seconds"), await pass("30 seconds"), await pass("1 minute")]).toEqual([0, 1, 1]);
  });
});

test("a request, a question about it, an answer and a reason stand in the mail, with a link to the request", async () => {
  const { db } = database;
  const meera = await makeUser(db, { name: "Meera Rao", accountType: "client" });
  const { id } = await makeProject(db, {
    ...{ createdBy: rohan.id, managers: [rohan.id], clientId: meera.id, clientCollaboration: true, title: "Piers" },
  });
  const [firm, client] = [await callers.as(rohan), await callers.as(meera)];
  const title = "Ropes & <anchors>";
  const request = await client.requests.create({
    ...{ projectId: id, title, text: "Show <b>both</b>\nper berth", urgency: "high" },
  });
  const requestId = request.id;
  /** The one mail that is due now, after which nothing is. */
  const mailTo = async (person: UserRow) => {
    await holdIsOver();
    await queueDueMails(db, { mode: "at-once" });
    const mails = (await compose()).filter((mail) => mail?.to === person.email);
    await database.sql`truncate mail_jobs`;
    await (await callers.as(person)).notifications.markRead({ all: true });
    expect(mails).toHaveLength(1);
    return mails[0];
  };
  const filed = await mailTo(rohan);
  expect(filed?.subject).toBe(`${title}: Meera Rao filed a request`);
  expect(filed?.text).toContain(`${publicUrl}/dashboard/requests?request=${requestId}`);
  expect(filed?.text).toMatch(/- Meera Rao filed a request\n- Show <b>both<\/b>\n- per berth/);
  expect(filed?.html).toContain("Ropes &amp; &lt;anchors&gt;");
  expect(filed?.html).toContain("Show &lt;b&gt;both&lt;/b&gt;");
  expect(filed?.html).not.toContain("<b>both</b>");
  await firm.requests.askBack({ requestId, text: "Which berths?" });
  const asked = await mailTo(meera);
  expect(asked?.subject).toBe(`${title}: Rohan Desai has a question about your request`);
  expect(asked?.text).toContain(`${publicUrl}/client/requests?request=${requestId}`);
  expect([asked?.text, asked?.html]).toEqual([
    expect.stringContaining("Which berths?"),
    expect.stringContaining("Which berths?"),
  ]);
  await client.requests.answer({ requestId, text: `All${" of them".repeat(100)}` });
  const answered = await mailTo(rohan);
  expect(answered?.subject).toBe(`${title}: Meera Rao answered your question`);
  expect(answered?.text).toMatch(/All( of them)+ of t…/);
  await firm.requests.decline({ requestId, reason: "Not this year" });
  const declined = await mailTo(meera);
  expect(declined?.subject).toBe(`${title}: Rohan Desai declined your request`);
  expect(declined?.text).toContain("Not this year");
});

describe("what is due", () => {
  const inDays = (days: number) => sql<string>`(now() at time zone ${timeZone})::date + ${days}::int`;
  const makeDue = async (days: number, status: "todo" | "completed" = "todo") => {
    const task = await makeTask(database.db, {
      projectId,
      createdBy: rohan.id,
      title: `${days}`,
      status,
      assignedTo: [mitali.id],
    });
    await database.db
      .update(tasks)
      .set({ dueDate: inDays(days) })
      .where(eq(tasks.id, task.id));
  };
  const inbox = async (person: UserRow) =>
    (await (await callers.as(person)).notifications.list({})).items
      .map(({ kind, title }) => `${kind} ${title}`)
      .toSorted();

  test("today or tomorrow, and since when it is overdue, is said once to whom it is assigned", async () => {
    for (const days of [-9, -1, 0, 1, 2]) await makeDue(days);
    await makeDue(1, "completed");
    for (const _time of [1, 2]) await notifyOfDueDates(database.db, { timeZone });
    expect(await inbox(mitali)).toEqual(["due-soon 0", "due-soon 1", "overdue -1"]);
    expect(await inbox(rohan)).toEqual([]);
  });

  test("today is said where yesterday's morning had no server, and not again where it had one", async () => {
    // Two zones that are a day apart: the first one's tomorrow is the second one's today.
    const [yesterday, today] = ["Etc/GMT+12", "Etc/GMT-12"];
    const makeDueThen = async (title: string) => {
      const given = { projectId, createdBy: rohan.id, title, assignedTo: [mitali.id] };
      const { id } = await makeTask(database.db, given);
      await database.sql`update tasks set due_date = (now() at time zone ${today})::date where id = ${id}`;
    };
    await makeDueThen("Announced");
    await notifyOfDueDates(database.db, { timeZone: yesterday });
    expect(await inbox(mitali)).toEqual(["due-soon Announced"]);
    await (await callers.as(mitali)).notifications.markRead({ all: true });
    await makeDueThen("Missed");
    await notifyOfDueDates(database.db, { timeZone: today });
    expect(await inbox(mitali)).toEqual(["due-soon Announced", "due-soon Missed"]);
    const { items } = await (await callers.as(mitali)).notifications.list({ unreadOnly: true });
    expect(items).toMatchObject([{ title: "Missed", details: expect.stringMatching(/^\d{4}-\d\d-\d\d$/) }]);
  });

  test("of a project is said to its managers, or to all of it without one", async () => {
    await database.sql`update projects set due_date = (now() at time zone ${timeZone})::date + 1, start_date = '2020-01-01'`;
    await notifyOfDueDates(database.db, { timeZone });
    expect([await inbox(mitali), await inbox(rohan)]).toEqual([["due-soon Harbour"], ["due-soon Harbour"]]);
  });

  test("of a project whose managers are all gone is said to those who are assigned", async () => {
    await database.sql`update projects set due_date = (now() at time zone ${timeZone})::date + 1, start_date = '2020-01-01'`;
    await manage(await makeUser(database.db, { accountStatus: "inactive" }));
    await notifyOfDueDates(database.db, { timeZone });
    expect([await inbox(mitali), await inbox(rohan)]).toEqual([["due-soon Harbour"], ["due-soon Harbour"]]);
  });

  test("of a project of which nobody is left is said to the admins", async () => {
    await database.sql`update projects set due_date = (now() at time zone ${timeZone})::date + 1, start_date = '2020-01-01'`;
    const admin = await makeUser(database.db, { accountType: "admin" });
    await database.db
      .update(users)
      .set({ accountStatus: "inactive" })
      .where(inArray(users.id, [mitali.id, rohan.id]));
    await notifyOfDueDates(database.db, { timeZone });
    expect(await inbox(admin)).toEqual(["due-soon Harbour"]);
  });
});

describe("other modules", () => {
  /** Links a repository to the project; each call of the answer is a run that could not read it. */
  const linkRepository = async () => {
    const [repository] =
      await database.sql`insert into repositories (owner, name, full_name) values ('firm', 'quay', 'Firm/quay') returning id`;
    await database.sql`update projects set repository_id = ${repository?.id}`;
    return (problem: "auth" | "other", failures: number) =>
      database.db.transaction((tx) => notifyOfRepository(tx, { repositoryId: repository?.id, problem, failures }));
  };
  const inboxKinds = async (person: UserRow) =>
    (await (await callers.as(person)).notifications.list({})).items.map(({ kind, details, readAt }) => [
      kind,
      details,
      readAt !== null,
    ]);

  test("notify of assignments, of a task and of a project", async () => {
    const caller = await callers.as(rohan);
    const task = await caller.tasks.create({ projectId, title: "New", description: "Words", assignedTo: [mitali.id] });
    await caller.tasks.update({ taskId: task.id, patch: { title: "Newer" } });
    expect(await inboxKinds(mitali)).toEqual([["assigned", null, false]]);
    const priya = await makeUser(database.db);
    await caller.projects.update({ projectId, version: 1, patch: { managers: [priya.id] } });
    expect(await inboxKinds(priya)).toEqual([["assigned", null, false]]);
    expect(await inboxKinds(rohan)).toEqual([]);
  });

  describe("settle what no longer holds of a task, for everybody, and mail nothing of it", () => {
    /** Day and sentence of what is unread about the task, as it would be mailed. */
    const unread = async () => {
      const { kind, details, readAt, mailDueAt } = notifications;
      const rows = await database.db
        .select({ kind, details, readAt, mailDueAt })
        .from(notifications)
        .where(eq(notifications.taskId, taskId));
      expect(rows.filter((row) => row.readAt && row.mailDueAt)).toEqual([]);
      return rows.flatMap((row) => (row.readAt ? [] : `${row.kind} ${row.details}`)).toSorted();
    };
    const deadlines = ["due-soon 2026-11-26", "overdue 2026-11-26"];
    beforeEach(async () => {
      await database.db.update(tasks).set({ dueDate: "2026-11-26" }).where(eq(tasks.id, taskId));
      for (const kind of ["due-soon", "overdue"] as const) await send(kind, { details: "2026-11-26" });
      expect(await unread()).toEqual(deadlines);
    });

    test("its due day once it is completed, by a tick or in an edit", async () => {
      const caller = await callers.as(rohan);
      await caller.tasks.setCompleted({ taskId, completed: true });
      expect(await unread()).toEqual([]);
      await caller.tasks.setCompleted({ taskId, completed: false });
      await send("overdue", { details: "2026-11-26" });
      expect(await unread()).toEqual(["overdue 2026-11-26"]);
      await caller.tasks.update({ taskId, patch: { status: "completed" } });
      expect(await unread()).toEqual([]);
    });

    test("its due day once that is later or none; an earlier one leaves it overdue", async () => {
      const caller = await callers.as(rohan);
      const edit = (dueDate: string | null) => caller.tasks.update({ taskId, patch: { dueDate } });
      await edit("2026-11-25");
      expect(await unread()).toEqual(["overdue 2026-11-26"]);
      await edit("2026-11-27");
      expect(await unread()).toEqual([]);
      for (const kind of ["due-soon", "overdue"] as const) await send(kind, { details: "2026-11-27" });
      await edit(null);
      expect(await unread()).toEqual([]);
    });

    test("nothing where another field changes, the day stays, or another task is completed", async () => {
      const caller = await callers.as(rohan);
      await caller.tasks.update({ taskId, patch: { title: "Ebb", dueDate: "2026-11-26", assignedTo: [mitali.id] } });
      const other = await caller.tasks.create({ projectId, title: "Other", description: "Words" });
      await caller.tasks.setCompleted({ taskId: other.id, completed: true });
      await caller.tasks.setCompleted({ taskId, completed: false });
      expect(await unread()).toEqual(deadlines);
    });

    test("that somebody was given it, once they are taken off it; whoever stays keeps theirs", async () => {
      const caller = await callers.as(rohan);
      for (const recipient of [mitali, rohan])
        await database.db.insert(notifications).values({
          ...{ userId: recipient.id, kind: "assigned", cause: randomUUID(), projectId, taskId, mailDueAt: new Date() },
          details: recipient.name,
        });
      await caller.tasks.update({ taskId, patch: { assignedTo: [mitali.id, rohan.id] } });
      expect(await unread()).toEqual([`assigned ${mitali.name}`, `assigned ${rohan.name}`, ...deadlines]);
      await caller.tasks.update({ taskId, patch: { assignedTo: [rohan.id] } });
      expect(await unread()).toEqual([`assigned ${rohan.name}`, ...deadlines]);
    });
  });

  describe("settle what no longer holds of a project, for everybody, and mail nothing of it", () => {
    const edit = async (patch: object) => {
      const caller = await callers.as(rohan);
      const { version } = await caller.projects.byId({ projectId });
      await caller.projects.update({ projectId, version, patch });
    };
    /** What is unread of the project and its task, as it would be mailed. */
    const unread = async () => {
      const { kind, details, taskId: task, readAt, mailDueAt } = notifications;
      const rows = await database.db
        .select({ kind, details, task, readAt, mailDueAt })
        .from(notifications)
        .where(inArray(kind, ["due-soon", "overdue", "assigned"]));
      expect(rows.filter((row) => row.readAt && row.mailDueAt)).toEqual([]);
      return rows
        .flatMap((row) => (row.readAt ? [] : `${row.task ? "task" : "project"} ${row.kind} ${row.details}`))
        .toSorted();
    };
    const ofTask = ["task due-soon 2026-11-26", "task overdue 2026-11-26"];
    const deadlines = ["project due-soon 2026-11-26", "project overdue 2026-11-26", ...ofTask];
    beforeEach(async () => {
      await database.sql`update projects set due_date = '2026-11-26', start_date = '2020-01-01'`;
      for (const ofProject of [true, false])
        for (const kind of ["due-soon", "overdue"] as const) await send(kind, { ofProject, details: "2026-11-26" });
      expect(await unread()).toEqual(deadlines);
    });

    test.each(["completed", "on-hold", "cancelled"] as const)(
      "its due day and those of its tasks once it is %s",
      async (status) => {
        await edit({ status });
        expect(await unread()).toEqual([]);
      },
    );

    test("its own due day once that is later or none; an earlier one leaves it overdue", async () => {
      await edit({ dueDate: "2026-11-25" });
      expect(await unread()).toEqual(["project overdue 2026-11-26", ...ofTask]);
      await edit({ dueDate: "2026-11-27" });
      expect(await unread()).toEqual(ofTask);
      for (const kind of ["due-soon", "overdue"] as const) await send(kind, { ofProject: true, details: "2026-11-27" });
      await edit({ dueDate: null });
      expect(await unread()).toEqual(ofTask);
    });

    test("that somebody was given it or a task of it, once they are taken off it; whoever stays keeps theirs", async () => {
      for (const recipient of [mitali, rohan])
        for (const task of [taskId, null])
          await database.db.insert(notifications).values({
            ...{ userId: recipient.id, kind: "assigned", cause: randomUUID(), projectId, taskId: task },
            ...{ mailDueAt: new Date(), details: recipient.name },
          });
      await edit({ assignedTo: [rohan.id] });
      const kept = [`project assigned ${rohan.name}`, `task assigned ${rohan.name}`];
      expect(await unread()).toEqual([...kept, ...deadlines].toSorted());
      await edit({ assignedTo: [rohan.id, mitali.id] });
      const { items } = await (await callers.as(mitali)).notifications.list({ unreadOnly: true });
      const given = items.filter(({ kind }) => kind === "assigned");
      expect(given).toMatchObject([{ actor: { id: rohan.id }, details: null, subject: { projectId } }]);
    });

    test("nothing where another field changes, the day stays, or it goes on in another status", async () => {
      await edit({ title: "Quay", dueDate: "2026-11-26" });
      await edit({ status: "inProgress" });
      await edit({ status: "todo" });
      expect(await unread()).toEqual(deadlines);
    });
  });

  test("notify of a status that has changed, whoever follows the project", async () => {
    await (await callers.as(rohan)).projects.update({
      projectId,
      version: 1,
      patch: { status: "on-hold", title: "Quay" },
    });
    await (await callers.as(rohan)).projects.update({ projectId, version: 2, patch: { title: "Pier" } });
    expect(await inboxKinds(mitali)).toEqual([["project-status", "on-hold", false]]);
  });

  test("notify admins of sign-ups and inquiries, until one has dealt with them", async () => {
    const [asha, vikram] = [
      await makeUser(database.db, { accountType: "admin" }),
      await makeUser(database.db, { accountType: "admin" }),
    ];
    await callers.anonymous.auth.signUp({
      name: "New Person",
      email: `${randomUUID()}@firm.example`,
      mobile: "+91 98200 00000",
      password: "secret-enough",
      confirmPassword: "secret-enough",
      agreeToTerms: true,
    });
    await callers.anonymous.inquiries.submit({
      kind: "contact",
      name: "Visitor",
      email: "visitor@firm.example",
      subject: "project",
      message: "Hello",
    });
    const inbox = (await (await callers.as(asha)).notifications.list({})).items;
    expect(inbox.map(({ kind, title }) => [kind, title])).toEqual([
      ["inquiry", "Visitor"],
      ["sign-up-waiting", "New Person"],
    ]);
    const [inquiry, signUp] = inbox;
    await (await callers.as(vikram)).users.reject({ userId: signUp?.subject.userId ?? "" });
    await (await callers.as(vikram)).inquiries.setStatus({
      inquiryId: inquiry?.subject.inquiryId ?? "",
      status: "answered",
    });
    expect(await inboxKinds(asha)).toEqual([
      ["inquiry", null, true],
      ["sign-up-waiting", null, true],
    ]);
  });

  test("notify admins of a repository that can't be read where the managers are all gone", async () => {
    const asha = await makeUser(database.db, { accountType: "admin" });
    const fail = await linkRepository();
    await manage(await makeUser(database.db, { accountStatus: "inactive" }));
    await fail("auth", 1);
    expect(await inboxKinds(asha)).toEqual([["repository-trouble", "Firm/quay", false]]);
  });

  test("notify admins, not a client who stands among the managers, of what is the team's", async () => {
    const { db } = database;
    const asha = await makeUser(db, { accountType: "admin" });
    const meera = await makeUser(db, { accountType: "client" });
    const fail = await linkRepository();
    await manage(meera);
    await fail("auth", 1);
    await db.transaction((tx) => notifyOfMissingStatus(tx, { projectId, week: "2026-48" }));
    const filed = { projectId, title: "Ropes", text: "Both", createdBy: rohan.id };
    const [request] = await db.insert(requests).values(filed).returning();
    const requestId = request?.id ?? "";
    await db.transaction((tx) =>
      notifyOfRequest(tx, { requestId, projectId, actorId: rohan.id, step: "new", cause: "filed" }),
    );
    const ofTeam = [
      ["request", "new", false],
      ["status-update", "reminder", false],
      ["repository-trouble", "Firm/quay", false],
    ];
    expect(await inboxKinds(asha)).toEqual(ofTeam);
    expect(await db.$count(notifications, eq(notifications.userId, meera.id))).toBe(0);
    // A manager whose account becomes a client's reads nothing of what came before.
    await db.update(notifications).set({ userId: meera.id }).where(eq(notifications.userId, asha.id));
    expect(await inboxKinds(meera)).toEqual([]);
  });

  test("notify managers of a repository that can't be read, once until it has been read again", async () => {
    const fail = await linkRepository();
    await manage(mitali);
    await fail("other", 1);
    expect(await inboxKinds(mitali)).toEqual([]);
    for (const failures of [1, 2]) await fail("auth", failures);
    expect(await inboxKinds(mitali)).toEqual([["repository-trouble", "Firm/quay", false]]);
    await database.sql`update repositories set last_success_at = now()`;
    await fail("auth", 1);
    expect(await inboxKinds(mitali)).toHaveLength(2);
    expect(await inboxKinds(rohan)).toEqual([]);
  });
});
