import { cp, mkdtemp, readdir, readFile, rm, utimes, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeUser } from "../../../db/factories";
import { migrate, readMigrations } from "../../../db/migrate";
import { organisation, recurringJobs } from "../../../db/schema";
import { findBackupStatus, NIGHTLY_BACKUP } from "../../backups/queries";
import { DAY_MS } from "../../contract/days";
import { createDiskStore } from "../../files/disk-store";
import { createTestDatabase, type TestDatabase } from "../../test/db";
import { checkWhole, openBackup } from "../restore/read";
import { backUpBeforeMigration, nightlyBackup } from "./nightly";
import { writeBackup } from "./write";

const secrets = {
  betterAuthSecret: "a".repeat(32),
  oldBetterAuthSecrets: [],
  tokenEncryptionKey: "k".repeat(32),
  oldTokenEncryptionKeys: [],
};

let database: TestDatabase;
let folder: string;

beforeAll(async () => {
  database = await createTestDatabase();
  folder = await mkdtemp(join(tmpdir(), "sangam-nightly-"));
  await makeUser(database.db);
  await database.db.insert(organisation).values({ timeZone: "Asia/Kolkata" });
});
afterAll(async () => {
  await database.close();
  await rm(folder, { recursive: true });
});

const source = () => ({
  connection: database.connection,
  dataDir: folder,
  store: createDiskStore(join(folder, "files")),
  secrets,
  passphrase: null,
  version: "0.1.0",
});

function job(dir: string) {
  return nightlyBackup(database.db, { dir, keep: 2, timeZone: "UTC", source: source() });
}

async function run(dir: string): Promise<void> {
  const kind = job(dir);
  const held = await kind.claim();
  if (!held) throw new Error("a backup is due");
  await kind.run(held, new AbortController().signal).catch(async (error: unknown) => {
    await kind.retryLater(held);
    throw error;
  });
}

const makeDue = () =>
  database.db.update(recurringJobs).set({ dueAt: sql`now()` }).where(eq(recurringJobs.id, NIGHTLY_BACKUP));

test("one is written each night at half past two, by one process, and the newest are kept", async () => {
  const dir = await mkdtemp(join(folder, "kept-"));
  await writeFile(join(dir, "sangam-20250101T023000Z.zip"), "");
  await writeFile(join(dir, "sangam-20250102T023000Z.zip"), "");
  await writeFile(join(dir, "sangam-of-mine.zip"), "");
  const left = join(dir, "sangam-20250103T023000Z.zip.7.partial");
  await writeFile(left, "");
  await utimes(left, 1, 1);
  const kind = job(dir);
  const held = await kind.claim();
  expect(await job(dir).claim()).toBeNull();
  if (held) await kind.run(held, new AbortController().signal);
  const [newest, ...names] = (await readdir(dir)).sort().reverse();
  expect(newest).toBe("sangam-of-mine.zip");
  expect(names).toEqual([expect.stringMatching(/^sangam-\d{8}T\d{6}Z\.zip$/), "sangam-20250102T023000Z.zip"]);
  const status = await findBackupStatus(database.db);
  expect(status.lastGoodNightly).toMatchObject({ file: join(dir, names[0] ?? ""), holdsSecrets: false });
  // 02:30 in Kolkata, in UTC.
  expect(status).toMatchObject({ isOverdue: false, nextAt: expect.stringMatching(/T21:00:00\.000Z$/) });
  expect(Date.parse(status.nextAt ?? "")).toBeGreaterThan(Date.now());
  expect(Date.parse(status.nextAt ?? "")).toBeLessThan(Date.now() + DAY_MS);
});

test("one that fails is recorded in a sentence and tried again", async () => {
  await makeDue();
  await expect(run(join(folder, "missing"))).rejects.toThrow();
  const status = await findBackupStatus(database.db);
  expect(status.lastNightly?.error).toContain("There is no ");
  expect(status.lastGoodNightly).not.toBeNull();
  expect(Date.parse(status.nextAt ?? "")).toBeLessThan(Date.now() + 1_000_000);
});

test("a stop of the server breaks it off and leaves no file and no failure", async () => {
  await makeDue();
  const dir = await mkdtemp(join(folder, "stopped-"));
  const before = await findBackupStatus(database.db);
  const kind = job(dir);
  const held = await kind.claim();
  if (held) await expect(kind.run(held, AbortSignal.abort())).rejects.toThrow();
  expect(await readdir(dir)).toEqual([]);
  expect((await findBackupStatus(database.db)).lastNightly).toEqual(before.lastNightly);
});

test("a stop breaks off reading it back, too", async () => {
  const path = join(folder, "whole.zip");
  await writeBackup(path, source());
  const backup = await openBackup(path, {
    migrations: readMigrations(process.cwd()).map(({ folderMillis }) => folderMillis),
  });
  const reading = checkWhole(backup, { signal: AbortSignal.abort() });
  await expect(reading).rejects.toMatchObject({ name: "AbortError" });
  backup.archive.close();
});

test("that of a killed process is soon made by another one", async () => {
  await makeDue();
  await job(folder).claim();
  const [row] = await database.db.select().from(recurringJobs).where(eq(recurringJobs.id, NIGHTLY_BACKUP));
  expect(row?.leasedUntil?.valueOf()).toBeLessThan(Date.now() + 300_000);
});

test("a database in use is backed up before it is migrated, and only then", async () => {
  const calls: string[] = [];
  const beforeChange = async () => void calls.push(await backUpBeforeMigration(source(), { keep: 2 }));
  await migrate(database.connection, { beforeChange });
  expect(calls).toEqual([]);
  await migrate(database.connection, { root: await laterCheckout(), beforeChange });
  expect(calls).toEqual([expect.stringMatching(/backups\/before-migration-\d{8}T\d{6}Z\.zip$/)]);
  expect(await readdir(join(folder, "backups"))).toHaveLength(1);
});

/** A folder with one migration more than this one. */
async function laterCheckout(): Promise<string> {
  const root = await mkdtemp(join(folder, "later-"));
  await cp("drizzle", join(root, "drizzle"), { recursive: true });
  const file = join(root, "drizzle", "meta", "_journal.json");
  const journal = JSON.parse(await readFile(file, "utf8"));
  const { idx, when } = journal.entries.at(-1);
  journal.entries.push({ idx: idx + 1, version: "7", when: when + 1, tag: "later", breakpoints: true });
  await writeFile(file, JSON.stringify(journal));
  await writeFile(join(root, "drizzle", "later.sql"), "create table later (id integer);");
  return root;
}
