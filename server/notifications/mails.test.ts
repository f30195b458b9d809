import { randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { asc, isNotNull } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeProject, makeUser, type UserRow } from "../../db/factories";
import { mailJobs, notifications } from "../../db/schema";
import { createLogger } from "../core/logger";
import { createMailTransport } from "../mail/client";
import { mailKind } from "../mail/jobs";
import { createTestCallers, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { startLiveServer } from "../test/live-server";
import { makeNotificationRows, type NotificationRows } from "../test/notification-rows";
import { createNotificationMails, queueDigests, queueDueMails } from "./mails";

const publicUrl = "https://sangam.example";
const logger = createLogger({ level: "silent" });
/** Of a process that goes on. */
const NEVER = new AbortController().signal;

let database: TestDatabase;
let callers: TestCallers;
let rohan: UserRow;
let mitali: UserRow;
let projectId: string;
let send: NotificationRows["send"];

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
});
afterAll(() => database.close());
beforeEach(async () => {
  ({ rohan, mitali, projectId, send } = await makeNotificationRows(database));
});

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
