import { eq, sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { recurringJobs } from "../../db/schema";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { recordBackup } from "./mutations";
import { findBackupStatus, NIGHTLY_BACKUP } from "./queries";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

const startedAt = new Date("2026-11-20T02:30:00Z");

test("the newest backup, the newest nightly one and the newest whole one are told apart", async () => {
  const { db } = database;
  expect(await findBackupStatus(db)).toEqual({
    last: null,
    lastNightly: null,
    lastGoodNightly: null,
    nextAt: null,
    isOverdue: false,
  });
  await recordBackup(db, { kind: "nightly", file: "/b/1.zip", startedAt, sizeBytes: 10, holdsSecrets: true });
  await recordBackup(db, { kind: "nightly", file: "/b/2.zip", startedAt, error: "The disk is full." });
  await recordBackup(db, { kind: "asked", file: "/b/3.zip", startedAt, sizeBytes: 12 });
  expect(await findBackupStatus(db)).toMatchObject({
    last: { file: "/b/3.zip", sizeBytes: 12, holdsSecrets: false, error: null },
    lastNightly: { file: "/b/2.zip", sizeBytes: null, error: "The disk is full." },
    lastGoodNightly: { file: "/b/1.zip", sizeBytes: 10, holdsSecrets: true },
  });
});

test("a nightly backup that nobody makes is overdue after two hours", async () => {
  const { db } = database;
  const dueHoursAgo = async (hours: number) => {
    await db
      .update(recurringJobs)
      .set({ dueAt: sql`now() - ${hours} * interval '1 hour'` })
      .where(eq(recurringJobs.id, NIGHTLY_BACKUP));
    return (await findBackupStatus(db)).isOverdue;
  };
  await db.insert(recurringJobs).values({ id: NIGHTLY_BACKUP });
  expect([await dueHoursAgo(1), await dueHoursAgo(3), await dueHoursAgo(-20)]).toEqual([false, true, false]);
});
