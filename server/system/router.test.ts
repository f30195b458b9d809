import { randomUUID } from "node:crypto";
import { mkdtemp, readdir, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { SMTPServer } from "smtp-server";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { createDb } from "../../db/client";
import { makeUser } from "../../db/factories";
import {
  auditEvents,
  backupRequests,
  backups,
  jobKinds,
  mailDays,
  mailJobs,
  recurringJobs,
  serverProcesses,
} from "../../db/schema";
import { NIGHTLY_BACKUP } from "../backups/queries";
import { MESSAGES } from "../contract/messages";
import { createLogger } from "../core/logger";
import { createProcedureTimes } from "../core/procedure-times";
import { createLimits } from "../core/rate-limit";
import { createDiskStore } from "../files/disk-store";
import { recurringJob } from "../jobs/recurring";
import { mailKind } from "../mail/jobs";
import { queueMail } from "../mail/mutations";
import { askedBackup } from "../operations/backup/asked";
import { startSystem } from "../system-services";
import { createTestCallers, refusal, type TestCaller } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { reportProcess } from "./mutations";
import { findDatabaseFacts } from "./queries";
import { describeDatabase, describeVersions } from "./warnings";

const PASSWORD = "s3cret-of-the-mail-server";
const logger = createLogger({ level: "silent" });
const procedureTimes = createProcedureTimes();

let database: TestDatabase;
let dataDir: string;
let admin: { id: string };
let smtp: SMTPServer;
const systems: ReturnType<typeof startSystem>[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(join(tmpdir(), "sangam-system-"));
  admin = await makeUser(database.db, { accountType: "admin" });
  smtp = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS"],
    onRcptTo: ({ address }, _session, done) =>
      done(address.startsWith("nobody@") ? new Error("5.1.1 no such mailbox") : undefined),
    onAuth: ({ password }, _session, done) => done(new Error(`5.7.8 ${password} is wrong`)),
    onData(stream, _session, done) {
      stream.resume().on("end", () => done());
    },
  });
  await new Promise<void>((resolve) => smtp.listen(0, "127.0.0.1", resolve));
});
beforeEach(async () => {
  const tables = [serverProcesses, mailDays, mailJobs, jobKinds, recurringJobs, backups, backupRequests, auditEvents];
  for (const table of tables) await database.db.delete(table);
});
afterEach(async () => {
  for (const system of systems.splice(0)) await system.close();
});
afterAll(async () => {
  await new Promise<void>((resolve) => smtp.close(resolve));
  await database.close();
  await rm(dataDir, { recursive: true });
});

const smtpUrl = (login = "") => {
  const address = smtp.server.address();
  return `smtp://${login}127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;
};

type Given = {
  smtpUrl?: string | null;
  backup?: { dir: string | null; keep: number; passphrase: string | null };
  isListening?: boolean;
  freePercent?: number;
  limits?: Parameters<typeof createTestCallers>[1];
};

/** An admin at a server of this database. */
async function openServer({
  smtpUrl = null,
  backup = { dir: null, keep: 2, passphrase: null },
  isListening = true,
  freePercent = 50,
  limits = {},
}: Given = {}): Promise<TestCaller> {
  const { db } = database;
  const env = {
    publicUrl: "https://sangam.example",
    smtpUrl,
    mailFrom: "Sangam <hello@firm.example>",
    dataDir,
    backup,
    pubsubUrl: null,
  };
  const kinds = [
    mailKind(db, { compose: async () => null, transport: async () => {} }),
    recurringJob(db, { name: "housekeeping", everySeconds: 60, work: async () => {} }),
  ];
  const watched = {
    ...{ db, logger, kinds, closedTo: [], hasNightlyBackups: backup.dir !== null },
    measureDisks: async () => [{ path: "/srv/data-of-the-firm", freeBytes: 4e9, freePercent }],
  };
  const system = startSystem({
    ...{ env, db, root: "/nowhere", logger, procedureTimes, background: { kinds, watched } },
    countStreams: () => ({ sockets: 3, eventStreams: 1 }),
    isListening: async () => isListening,
  });
  systems.push(system);
  return createTestCallers(db, { system, ...limits }).as(admin);
}

const askedKind = (dir: string | null) =>
  askedBackup(database.db, {
    dir,
    keep: 2,
    source: {
      ...{ connection: database.connection, dataDir, passphrase: null, version: "0.1.0" },
      store: createDiskStore(join(dataDir, "files")),
      secrets: {
        betterAuthSecret: "a".repeat(32),
        oldBetterAuthSecrets: [],
        tokenEncryptionKey: "k".repeat(32),
        oldTokenEncryptionKeys: [],
      },
    },
  });

/** Takes up the backup that was asked for, as the runner does. */
async function makeAsked(kind: ReturnType<typeof askedKind>, signal = new AbortController().signal) {
  const job = await kind.claim();
  if (!job) throw new Error("nobody has asked for a backup");
  await kind.run(job, signal).catch(() => kind.retryLater(job));
}

test("a new server says what it is and which settings are missing, without a path or a secret", async () => {
  const status = await (await openServer()).system.status();
  expect(status).toMatchObject({
    version: "0.0.0",
    node: process.versions.node,
    processes: [{ version: "0.0.0", sockets: 3, eventStreams: 1, memoryBytes: expect.any(Number) }],
    database: { version: expect.stringMatching(/^\d+/), sizeBytes: expect.any(Number), maxConnections: 200 },
    backups: { last: null, nextAt: null, running: null, isNightly: false, holdSecrets: false },
    mail: {
      ...{ queued: 0, retrying: 0, sent: 0, givenUp: 0, oldestAt: null, lastError: null },
      ...{ isConfigured: false, from: "Sangam <hello@firm.example>" },
    },
    jobs: [
      { kind: "mail", waiting: 0, lagSeconds: 0, failingSince: null, lastError: null },
      { kind: "housekeeping", waiting: 0 },
    ],
    streams: { sockets: 3, eventStreams: 1 },
  });
  expect(status.warnings.map(({ text }) => text)).toEqual([
    "Emails are written to the outbox folder and reach nobody.",
    "No backup is made at night.",
  ]);
  expect(status.warnings.every(({ action }) => action.length > 0)).toBe(true);
  const withAll = await openServer({
    smtpUrl: smtpUrl(`hello:${PASSWORD}@`),
    backup: { dir: dataDir, keep: 2, passphrase: "the-passphrase-of-the-firm" },
  });
  const text = JSON.stringify(await withAll.system.status());
  expect(JSON.parse(text).warnings).toEqual([]);
  for (const secret of [PASSWORD, "the-passphrase", dataDir, "/srv/"]) expect(text).not.toContain(secret);
});

test("the servers of one database are one picture: versions side by side, connections and times summed", async () => {
  const caller = await openServer({ smtpUrl: smtpUrl() });
  const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
  const other = { id: randomUUID(), version: "0.2.0", node: "24.0.0", host: "second", startedAt: minutesAgo(2) };
  const procedures = [{ name: "tasks.slow", buckets: [[60, 7] as [number, number]] }];
  await reportProcess(database.db, {
    ...other,
    activity: { memoryBytes: 5, sockets: 40, eventStreams: 2, procedures },
  });
  const status = await caller.system.status();
  expect(status.processes.map(({ version, host }) => [version, host])).toContainEqual(["0.2.0", "second"]);
  expect(status).toMatchObject({ version: "0.0.0", streams: { sockets: 43, eventStreams: 3 } });
  expect(status.procedures[0]).toMatchObject({ name: "tasks.slow", count: 7 });
  expect(status.warnings.map(({ text }) => text)).toEqual(["No backup is made at night."]);
  const upgraded = [14, 40].map((minutes) => ({
    version: `0.${minutes}`,
    startedAt: minutesAgo(minutes).toISOString(),
  }));
  expect(describeVersions(upgraded)).toEqual([]);
  const halfUpgraded = [16, 40].map((minutes) => ({
    version: `0.${minutes}`,
    startedAt: minutesAgo(minutes).toISOString(),
  }));
  expect(describeVersions(halfUpgraded)).toMatchObject([{ text: "Servers of 2 versions run: 0.16 and 0.40." }]);
  await database.db.update(serverProcesses).set({ activity: { of: "a later version" } });
  expect((await caller.system.status()).processes).toHaveLength(2);
  await database.db.update(serverProcesses).set({ seenAt: minutesAgo(3) });
  expect((await caller.system.status()).processes).toHaveLength(1);
  await reportProcess(database.db, {
    ...other,
    id: randomUUID(),
    activity: { memoryBytes: 1, sockets: 0, eventStreams: 0, procedures: [] },
  });
  await database.db.update(serverProcesses).set({ seenAt: minutesAgo(11) });
  await reportProcess(database.db, {
    ...other,
    id: randomUUID(),
    activity: { memoryBytes: 1, sockets: 0, eventStreams: 0, procedures: [] },
  });
  expect(await database.db.select().from(serverProcesses)).toHaveLength(1);
});

test("PostgreSQL before 15 is too old, and connections of other users count for one who may not see what they do", async () => {
  const role = `narrow_${randomUUID().slice(0, 8)}`;
  await database.sql.unsafe(`create role ${role} login`);
  const { db, close } = createDb({ ...database.connection, username: role }, { max: 1 });
  const facts = await findDatabaseFacts(db);
  expect(facts.connections).toBeGreaterThan(1);
  await close();
  await database.sql.unsafe(`drop role ${role}`);
  expect(describeDatabase({ ...facts, version: "15.0" }).database).toBeNull();
  expect(describeDatabase({ ...facts, version: "14.12" }).database).toEqual({
    text: "PostgreSQL 14.12 is too old.",
    action: "Upgrade it to version 15 or later.",
  });
});

test("mail that waits and jobs that fail are told with their error, and each warning says what to do", async () => {
  const { db } = database;
  const caller = await openServer({
    smtpUrl: smtpUrl(),
    backup: { dir: "/srv/b", keep: 2, passphrase: null },
    isListening: false,
    freePercent: 4,
  });
  await queueMail(db, { template: "account-approved", recipient: admin.id });
  await db.execute(
    sql`update mail_jobs set due_at = now() - interval '20 minutes', created_at = now() - interval '30 minutes'`,
  );
  await db
    .insert(jobKinds)
    .values({ id: "mail", failingSince: new Date(Date.now() - 20 * 60_000), lastError: "Error EAUTH" });
  await db
    .insert(backups)
    .values({ kind: "nightly", file: "/srv/b/1.zip", startedAt: new Date(), error: "The disk of /srv/b is full." });
  const { mail, jobs, warnings, backups: status } = await caller.system.status();
  expect(mail).toMatchObject({ queued: 1, lastError: "Error EAUTH" });
  expect(Date.parse(mail.oldestAt ?? "")).toBeLessThan(Date.now() - 29 * 60_000);
  expect(jobs[0]).toMatchObject({
    kind: "mail",
    waiting: 1,
    lastError: "Error EAUTH",
    failingSince: expect.any(String),
  });
  expect(jobs[0]?.lagSeconds).toBeGreaterThan(1_100);
  expect(status.last).toMatchObject({ ok: false, file: "1.zip", error: "The disk of b is full." });
  expect(warnings).toEqual([
    expect.objectContaining({ text: expect.stringMatching(/^Only 4 % of the disk of data-of-the-firm is free/) }),
    expect.objectContaining({ text: "The nightly backup failed: The disk of b is full." }),
    expect.objectContaining({ text: "Email has been stuck. The last error: Error EAUTH." }),
    expect.objectContaining({ text: expect.stringContaining("every 15 s") }),
    expect.objectContaining({
      text: expect.stringContaining("hold no secrets"),
      action: expect.stringContaining("BACKUP_PASSPHRASE"),
    }),
  ]);
  expect(warnings.every(({ action }) => action.length > 0)).toBe(true);
});

test("System counts the mails of today and yesterday that went out or were given up, and those that are tried again", async () => {
  const { db } = database;
  const caller = await openServer({ smtpUrl: smtpUrl() });
  const daysAgo = (days: number) => sql<string>`(now() at time zone 'UTC')::date - ${days}::int`;
  await db.insert(mailDays).values([
    { day: daysAgo(0), sent: 3, givenUp: 1 },
    { day: daysAgo(1), sent: 4, givenUp: 1 },
    { day: daysAgo(2), sent: 100, givenUp: 100 },
  ]);
  for (const recipient of ["new", "failed"]) await queueMail(db, { template: "account-approved", recipient });
  await db.update(mailJobs).set({ attempts: 2 }).where(eq(mailJobs.recipient, "failed"));
  expect((await caller.system.status()).mail).toMatchObject({ queued: 2, retrying: 1, sent: 7, givenUp: 2 });
});

test("a backup that is asked for is made once, read back, and recorded; a second wish waits for its end", async () => {
  const caller = await openServer();
  expect(await caller.system.backupNow()).toEqual({ ok: true });
  expect((await caller.system.status()).backups.running).toEqual({ since: expect.any(String) });
  expect(await refusal(caller.system.backupNow())).toMatchObject({
    code: "CONFLICT",
    message: MESSAGES.system.backupInProgress,
  });
  const [one, other] = [askedKind(null), askedKind(null)];
  await writeFile(join(dataDir, "unrelated.zip"), "");
  await makeAsked(one);
  expect(await other.claim()).toBeNull();
  const { backups: status } = await caller.system.status();
  expect(status).toMatchObject({
    running: null,
    last: { kind: "asked", ok: true, verified: true, holdsSecrets: false, error: null },
  });
  expect(await readdir(join(dataDir, "backups"))).toEqual([status.last?.file]);
  expect(status.last?.sizeBytes).toBeGreaterThan(1_000);
  await caller.system.backupNow();
  const kinds = (await database.db.select().from(auditEvents)).map(({ kind }) => kind);
  expect(kinds).toEqual(["backup.asked", "backup.asked"]);
});

test("two admins at once ask for one backup, and none is asked for while the nightly one is made", async () => {
  const [one, other] = [await openServer(), await openServer()];
  const asked = await Promise.allSettled([one.system.backupNow(), other.system.backupNow()]);
  expect(asked.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
  await database.db.delete(backupRequests);
  const leasedUntil = new Date(Date.now() + 60_000);
  await database.db.insert(recurringJobs).values({ id: NIGHTLY_BACKUP, leasedUntil, leaseId: randomUUID() });
  expect((await refusal(one.system.backupNow())).code).toBe("CONFLICT");
  expect((await one.system.status()).backups.running).toEqual({ since: null });
  expect(await database.db.select().from(backupRequests)).toEqual([]);
});

test("one that fails says why and may be asked for again; one that a stop breaks off is made afterwards", async () => {
  const caller = await openServer();
  await caller.system.backupNow();
  await makeAsked(askedKind(join(dataDir, "missing")));
  expect((await caller.system.status()).backups).toMatchObject({
    running: null,
    last: { ok: false, sizeBytes: null, error: expect.stringMatching(/^There is no .*missing/) },
  });
  expect(JSON.stringify(await caller.system.status())).not.toContain(dataDir);
  await caller.system.backupNow();
  await makeAsked(askedKind(null), AbortSignal.abort());
  expect((await caller.system.status()).backups.running).not.toBeNull();
  const killed = await askedKind(null).claim();
  expect(killed).not.toBeNull();
  expect(await askedKind(null).claim()).toBeNull();
  await database.db.execute(sql`update backup_requests set due_at = now(), leased_until = now() - interval '1 second'`);
  await makeAsked(askedKind(null));
  expect((await caller.system.status()).backups).toMatchObject({ running: null, last: { ok: true } });
});

test("the answer of the mail server to a test mail is told, without the password", async () => {
  const { db } = database;
  const to = "you@firm.example";
  const caller = await openServer({ smtpUrl: smtpUrl() });
  expect(await caller.system.sendTestMail({ to })).toEqual({
    outcome: "accepted",
    answer: expect.stringMatching(/^250 /),
  });
  expect(await caller.system.sendTestMail({ to: "nobody@firm.example" })).toEqual({
    outcome: "refused",
    answer: expect.stringContaining("no such mailbox"),
  });
  for (const password of [PASSWORD, "50%25off", "50%off"]) {
    const locked = await openServer({ smtpUrl: smtpUrl(`hello:${password}@`) });
    const { outcome, answer } = await locked.system.sendTestMail({ to });
    expect(outcome).toBe("refused");
    expect(answer).toContain("… is wrong");
  }
  const unreachable = await openServer({ smtpUrl: "smtp://127.0.0.1:9" });
  expect(await unreachable.system.sendTestMail({ to })).toMatchObject({
    outcome: "refused",
    answer: expect.stringContaining("ECONNREFUSED"),
  });
  expect(await (await openServer()).system.sendTestMail({ to })).toMatchObject({ outcome: "written" });
  expect(await readdir(join(dataDir, "outbox"))).toHaveLength(1);
  expect((await refusal(caller.system.sendTestMail({ to: "nobody" }))).fieldErrors).toHaveProperty("to");
  expect((await db.select().from(auditEvents)).map(({ kind }) => kind)).toEqual(Array(7).fill("test-mail.sent"));
  expect(await db.select().from(mailJobs)).toEqual([]);
  const limited = await openServer({ limits: { limits: createLimits({ sql: database.sql, multiplier: 0.1 }) } });
  await limited.system.sendTestMail({ to });
  expect((await refusal(limited.system.sendTestMail({ to }))).code).toBe("TOO_MANY_REQUESTS");
});
