import { randomUUID } from "node:crypto";
import { asc, eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeUser } from "../../db/factories";
import { backups, jobKinds, mailJobs, recurringJobs, serverProcesses, systemConditions, users } from "../../db/schema";
import { NIGHTLY_BACKUP } from "../backups/queries";
import { createLogger } from "../core/logger";
import { createJobHealth } from "../jobs/health";
import { recurringJob } from "../jobs/recurring";
import { startJobs } from "../jobs/runner";
import { mailKind } from "../mail/jobs";
import { queueMail } from "../mail/mutations";
import { createHub } from "../realtime/hub";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { checkConditions, type Watched } from "./conditions";
import { createConditionMails } from "./mails";
import { reportProcess } from "./mutations";
import { listFailingKinds } from "./queries";

const MINUTE = 60_000;
const START = new Date("2026-11-20T10:00:00Z");

let database: TestDatabase;
let lines: string[] = [];
const logger = createLogger({ level: "info", write: (line) => lines.push(line) });

beforeAll(async () => {
  database = await createTestDatabase();
  await makeUser(database.db, { name: "Asha", email: "asha@firm.example", accountType: "admin" });
  await makeUser(database.db, { accountType: "admin", accountStatus: "inactive" });
  await makeUser(database.db, { accountType: "user" });
  await makeUser(database.db, { email: "demo@sangam.example", accountType: "admin" });
});
beforeEach(async () => {
  lines = [];
  const tables = [mailJobs, systemConditions, jobKinds, recurringJobs, backups, serverProcesses];
  for (const table of tables) await database.db.delete(table);
});
afterAll(() => database.close());

/** A server whose clock stands still until `check` moves it; `free` is the percentage of its disk. */
function openServer(given: Partial<Watched> = {}) {
  const server = { free: 50, minutes: 0 };
  const watched: Watched = {
    db: database.db,
    logger,
    measureDisks: async () => [{ path: "/srv/sangam", freeBytes: server.free * 1e9, freePercent: server.free }],
    kinds: [],
    hasNightlyBackups: false,
    closedTo: ["demo@sangam.example"],
    ...given,
  };
  return Object.assign(server, {
    /** One check a minute, for so many minutes. */
    async check(minutes = 1) {
      for (let at = 0; at < minutes; at += 1) {
        await checkConditions(watched, { now: new Date(START.valueOf() + server.minutes * MINUTE) });
        server.minutes += 1;
      }
    },
  });
}

/** The mails that wait, as they would be sent now. */
async function readMails() {
  const compose = createConditionMails({ db: database.db, publicUrl: "https://sangam.example" });
  const queued = await database.db.select().from(mailJobs).orderBy(asc(mailJobs.id));
  const mails = await Promise.all(queued.map(compose));
  return mails.map((mail) => mail && { to: mail.to, subject: mail.subject, text: mail.text });
}
const subjects = async () => (await readMails()).map((mail) => mail?.subject);
const sendAll = () => database.db.delete(mailJobs);

test("a disk that fills is mailed once to each active admin, and once more when it has room again", async () => {
  const server = openServer();
  await server.check();
  server.free = 9.4;
  await server.check();
  expect(await readMails()).toEqual([]);
  await server.check();
  expect(await readMails()).toEqual([
    { to: "asha@firm.example", subject: "Sangam: the disk is almost full", text: expect.any(String) },
  ]);
  const [mail] = await readMails();
  expect(mail?.text).toContain("Only 9 % of the disk of /srv/sangam is free (9.4 GB), since 20 Nov 2026, 10:01 UTC.");
  await sendAll();
  await server.check(60);
  expect(await readMails()).toEqual([]);
  server.free = 40;
  await server.check(15);
  expect(await readMails()).toEqual([]);
  await server.check();
  expect(await readMails()).toMatchObject([
    { subject: "Sangam: the disk has room again", text: expect.stringContaining("from 20 Nov 2026, 10:01 UTC to") },
  ]);
  await sendAll();
  await server.check(60);
  expect(await readMails()).toEqual([]);
});

test("nothing is mailed to whoever is no active admin any more when the mail is sent", async () => {
  const server = openServer();
  server.free = 9.4;
  await server.check();
  await server.check();
  expect(await readMails()).toMatchObject([{ to: "asha@firm.example" }]);
  const set = (values: Partial<typeof users.$inferInsert>) =>
    database.db.update(users).set(values).where(eq(users.email, "asha@firm.example"));
  for (const gone of [{ accountType: "user" }, { accountStatus: "inactive" }] as const) {
    await set(gone);
    expect(await readMails()).toEqual([null]);
    await set({ accountType: "admin", accountStatus: "active" });
  }
  expect(await readMails()).toHaveLength(1);
});

test("the disk of another machine is watched too, by what its server reports, and the mail names the machine", async () => {
  const report = (freePercent: number) =>
    reportProcess(database.db, {
      ...{ id, version: "0.2.0", node: "26.0.0", host: "second", startedAt: START },
      activity: {
        ...{ memoryBytes: 1, sockets: 0, eventStreams: 0, procedures: [] },
        disk: { path: "/srv/sangam", freeBytes: freePercent * 1e9, freePercent },
      },
    });
  const id = randomUUID();
  const server = openServer();
  await report(9.4);
  await server.check(2);
  expect((await readMails())[0]?.text).toContain("Only 9 % of the disk of /srv/sangam on second is free (9.4 GB)");
  await report(50);
  await server.check(16);
  expect(await subjects()).toEqual(["Sangam: the disk has room again"]);
});

test("a disk that goes up and down near its limit is no news, nor is what one check alone has seen", async () => {
  const server = openServer();
  for (const free of [9, 30, 9, 30, 9, 30]) {
    server.free = free;
    await server.check();
  }
  expect(await readMails()).toEqual([]);
  server.free = 9;
  await server.check(2);
  expect(await subjects()).toEqual(["Sangam: the disk is almost full"]);
  await sendAll();
  for (let round = 0; round < 10; round += 1) {
    for (const free of [11, 9.9, 13]) {
      server.free = free;
      await server.check(5);
    }
  }
  expect(await readMails()).toEqual([]);
});

test("two processes that check at once, and one that starts anew, mail once", async () => {
  const [one, other] = [openServer(), openServer()];
  for (const server of [one, other]) server.free = 1;
  for (let round = 0; round < 5; round += 1) await Promise.all([one.check(), other.check()]);
  const restarted = openServer();
  restarted.free = 1;
  restarted.minutes = 10;
  await restarted.check(5);
  expect(await subjects()).toEqual(["Sangam: the disk is almost full"]);
});

test("a mail that has not gone out when all is well again is not sent: the later one is", async () => {
  const server = openServer();
  server.free = 1;
  await server.check(2);
  server.free = 50;
  await server.check(16);
  expect(await subjects()).toEqual(["Sangam: the disk has room again"]);
  server.free = 1;
  await server.check(2);
  expect(await subjects()).toEqual(["Sangam: the disk is almost full"]);
});

test("a kind of job that is due for 15 minutes, or has failed for as long, is mailed with its last error", async () => {
  const { db } = database;
  const kind = recurringJob(db, { name: "tidy", everySeconds: 3_600, work: async () => {} });
  const server = openServer({ kinds: [kind] });
  await db.insert(recurringJobs).values({ id: "tidy", dueAt: new Date(Date.now() - 14 * MINUTE) });
  await server.check(3);
  expect(await readMails()).toEqual([]);
  await db.update(recurringJobs).set({ dueAt: new Date(Date.now() - 16 * MINUTE) });
  await server.check(3);
  expect(await subjects()).toEqual(["Sangam: background work is stuck (tidy)"]);
  await db.update(recurringJobs).set({ dueAt: new Date(Date.now() + 60 * MINUTE) });
  await server.check(16);
  expect(await subjects()).toEqual(["Sangam: background work runs again (tidy)"]);
  await sendAll();

  const failingSince = new Date(START.valueOf() + server.minutes * MINUTE);
  await db.insert(jobKinds).values({ id: "tidy", failingSince, lastError: "Error 53100" });
  await server.check(15);
  expect(await readMails()).toEqual([]);
  await server.check(2);
  expect((await readMails())[0]?.text).toContain("The last error: Error 53100.");
});

test("how jobs fare is kept: a failure until the next success, and none for an address that takes no mail", async () => {
  const { db } = database;
  const error = { now: new Error("not today") };
  const kind = mailKind(db, {
    compose: async ({ recipient }) => ({ to: recipient, subject: "s", text: "t", html: "h" }),
    async transport({ to }) {
      if (to !== "well@firm.example") throw error.now;
    },
  });
  const send = async (recipient: string) => {
    await queueMail(db, { template: "account-approved", recipient });
    const jobs = startJobs([{ ...kind, pollMs: 5 }], { feed: createHub(), logger, health: createJobHealth(db) });
    while ((await db.select().from(mailJobs)).some(({ attempts }) => attempts === 0))
      await new Promise((resolve) => setTimeout(resolve, 5));
    await jobs.close();
    await db.delete(mailJobs);
    return (await db.select().from(jobKinds))[0];
  };
  error.now = Object.assign(new Error("no such user"), { code: "EENVELOPE", command: "RCPT TO" });
  expect(await send("gone@firm.example")).toBeUndefined();
  error.now = Object.assign(new Error("connect"), { code: "ECONNREFUSED" });
  const failed = await send("asha@firm.example");
  expect(failed).toMatchObject({ id: "mail", failingSince: expect.any(Date), lastError: "Error ECONNREFUSED" });
  expect((await send("asha@firm.example"))?.failingSince).toEqual(failed?.failingSince);
  expect(await send("well@firm.example")).toMatchObject({ failingSince: null, lastSuccessAt: expect.any(Date) });
});

test("a failure of one process is over with the next success of any", async () => {
  const { db } = database;
  const [one, other] = [createJobHealth(db), createJobHealth(db)];
  await one.noteSuccess("mail");
  await other.noteFailure("mail", new Error("not today"));
  expect(await listFailingKinds(db)).toMatchObject([{ id: "mail" }]);
  await one.noteSuccess("mail");
  expect(await listFailingKinds(db)).toEqual([]);
});

test("mail that stands still is logged, and mailed when it goes out again", async () => {
  const { db } = database;
  const server = openServer({ kinds: [{ name: "mail", backlog: async () => ({ waiting: 1, lagSeconds: 0 }) }] });
  await db.insert(jobKinds).values({ id: "mail", failingSince: START, lastError: "Error ECONNREFUSED" });
  await server.check(20);
  expect(await readMails()).toEqual([]);
  expect(lines.filter((line) => line.includes('"level":"error"'))).toEqual([
    expect.stringContaining('"condition":"job:mail","error":"Error ECONNREFUSED"'),
  ]);
  await db.update(jobKinds).set({ failingSince: null });
  await server.check(16);
  expect((await readMails())[0]).toMatchObject({
    subject: "Sangam: email is sent again",
    text: expect.stringContaining("No email could be sent from 20 Nov 2026, 10:15 UTC to 20 Nov 2026, 10:20 UTC."),
  });
});

test("a refused repository token and one that no key opens are mailed, each with what to do", async () => {
  const { db, sql } = database;
  const server = openServer();
  await sql`insert into repository_tokens (sealed, key_id, last_four, owners, last_result) values ('x', 'y', 'abcd', '[]', 'refused')`;
  await server.check(2);
  expect((await readMails())[0]).toMatchObject({
    subject: "Sangam: the repository token no longer works",
    text: expect.stringContaining("Open Settings: https://sangam.example/admin/settings"),
  });
  await sql`update repository_tokens set last_result = 'unreadable'`;
  await server.check();
  expect((await readMails())[0]?.text).toContain("TOKEN_ENCRYPTION_KEY_OLD");
  await sql`delete from repository_tokens`;
  await server.check(16);
  expect(await subjects()).toEqual(["Sangam: the repository token works again"]);
  await db.delete(mailJobs);
});

test("a nightly backup that failed or is overdue is mailed, but none where nightly backups are not wanted", async () => {
  const { db } = database;
  const failed = { kind: "nightly" as const, file: "/b/1.zip", startedAt: START, error: "The disk is full." };
  await db.insert(backups).values(failed);
  await openServer().check(5);
  expect(await readMails()).toEqual([]);
  const server = openServer({ hasNightlyBackups: true });
  await server.check(2);
  expect((await readMails())[0]).toMatchObject({
    subject: "Sangam: the nightly backup failed",
    text: expect.stringContaining("The nightly backup failed: The disk is full."),
  });
  await db.insert(backups).values({ ...failed, error: null, sizeBytes: 10 });
  await server.check(16);
  expect(await subjects()).toEqual(["Sangam: nightly backups work again"]);
  // Nobody has made the one that was due three hours ago.
  await db.delete(systemConditions);
  await db.insert(recurringJobs).values({ id: NIGHTLY_BACKUP, dueAt: new Date(Date.now() - 180 * MINUTE) });
  await server.check(2);
  expect((await readMails()).at(-1)).toMatchObject({ subject: "Sangam: the nightly backup is overdue" });
  await db.update(recurringJobs).set({ dueAt: new Date(Date.now() - 60 * MINUTE) });
  await server.check(16);
  expect((await readMails()).at(-1)).toMatchObject({ subject: "Sangam: nightly backups work again" });
});
