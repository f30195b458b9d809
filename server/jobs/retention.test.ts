import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { eq, getTableName } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { makeProject, makeSession, makeUser } from "../../db/factories";
import { webVitals } from "../../db/schema";
import { DAY_MS } from "../contract/days";
import { sweepOutbox } from "../mail/client";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { deleteExpired, OUTBOX_DAYS, PERIODS } from "./retention";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test("each kind of row is kept for the documented time, and goes after it", async () => {
  const { db, sql } = database;
  const { id: userId } = await makeUser(db, {});
  const { id: projectId } = await makeProject(db, { createdBy: userId });
  await sql`insert into live_links (project_id, url) values (${projectId}, 'https://firm.example')`;
  const ago = (days: number) => new Date(Date.now() - days * DAY_MS).toISOString();
  const insert: Record<string, (days: number) => Promise<unknown>> = {
    audit_events: (days) => sql`insert into audit_events (kind, at) values ('session.ended', ${ago(days)})`,
    inquiries: (days) => sql`insert into inquiries (kind, name, email, subject, message, created_at)
      values ('contact', 'A', 'a@firm.example', 'other', 'Words', ${ago(days)})`,
    invitations: (days) => sql`insert into invitations (email, name, account_type, expires_at)
      values (${`${days}@firm.example`}, 'A', 'user', ${ago(days)})`,
    live_link_checks: (days) =>
      sql`insert into live_link_checks (project_id, is_up, at) values (${projectId}, true, ${ago(days)})`,
    notifications: (days) =>
      sql`insert into notifications (user_id, kind, cause, created_at) values (${userId}, 'inquiry', ${`${days}`}, ${ago(days)})`,
    sessions: (days) =>
      sql`insert into sessions (token, user_id, expires_at) values (${`t${days}`}, ${userId}, ${ago(days)})`,
    verifications: (days) =>
      sql`insert into verifications (identifier, value, expires_at) values ('reset:x', 'y', ${ago(days)})`,
    webhook_deliveries: async (days) => {
      const [webhook] = await sql`insert into webhooks (url, kinds, sealed_secret, key_id, created_by)
        values ('https://firm.example', '{}', '', '', ${userId}) returning id`;
      await sql`insert into webhook_deliveries (webhook_id, kind, body, created_at)
        values (${webhook?.id}, 'test', '{}', ${ago(days)})`;
    },
    web_vitals: (days) => sql`insert into web_vitals (route, vital, value, at) values ('/', 'LCP', 1, ${ago(days)})`,
  };
  const days = Object.fromEntries(PERIODS.map((period) => [getTableName(period.table), period.days]));
  expect(days).toEqual({
    audit_events: 1095,
    inquiries: 730,
    invitations: 90,
    live_link_checks: 14,
    notifications: 180,
    sessions: 0,
    verifications: 0,
    web_vitals: 28,
    webhook_deliveries: 90,
  });
  for (const [table, kept] of Object.entries(days)) {
    await insert[table]?.(kept - 0.5);
    await insert[table]?.(kept + 0.5);
  }
  await deleteExpired(db);
  for (const table of Object.keys(days)) expect(await sql`select from ${sql(table)}`, table).toHaveLength(1);
});

test("an inquiry is kept from when it was last decided about, and a live session stays", async () => {
  const { db, sql } = database;
  await sql`truncate inquiries, sessions cascade`;
  const { id: userId } = await makeUser(db, {});
  const live = await makeSession(db, { userId });
  await sql`insert into inquiries (kind, name, email, subject, message, created_at, decided_at)
    values ('contact', 'A', 'a@firm.example', 'other', 'Words', now() - interval '5 years', now())`;
  await deleteExpired(db);
  expect(await sql`select from inquiries`).toHaveLength(1);
  expect([...(await sql`select id from sessions`)]).toEqual([{ id: live.id }]);
});

test("many rows go in batches, and all of them", async () => {
  const { db, sql } = database;
  await sql`insert into web_vitals (route, vital, value, at) select '/', 'LCP', n, now() - interval '40 days' from generate_series(1, 250) as n`;
  await deleteExpired(db, { batch: 100 });
  expect(await sql`select from web_vitals where at < now() - interval '30 days'`).toHaveLength(0);
});

test("a row that somebody changes just now is passed over, and goes with the next run", async () => {
  const { db, sql } = database;
  await sql`truncate web_vitals`;
  await sql`insert into web_vitals (route, vital, value, at) select '/', 'LCP', n, now() - interval '40 days' from generate_series(1, 3) as n`;
  await db.transaction(async (tx) => {
    await tx.update(webVitals).set({ route: "/login" }).where(eq(webVitals.value, 2));
    await deleteExpired(db);
  });
  expect([...(await sql`select route from web_vitals`)]).toEqual([{ route: "/login" }]);
  await deleteExpired(db);
  expect(await sql`select from web_vitals`).toHaveLength(0);
});

test("old mails of the outbox go, and nothing else of it", async () => {
  const dataDir = mkdtempSync(join(tmpdir(), "sangam-outbox-"));
  await sweepOutbox(dataDir, { days: OUTBOX_DAYS });
  const outbox = join(dataDir, "outbox");
  mkdirSync(outbox);
  for (const name of ["old.eml", "new.eml", "old.txt"]) {
    writeFileSync(join(outbox, name), "");
    const at = new Date(Date.now() - (name.startsWith("old") ? 31 : 29) * DAY_MS);
    utimesSync(join(outbox, name), at, at);
  }
  await sweepOutbox(dataDir, { days: OUTBOX_DAYS });
  expect(readdirSync(outbox)).toEqual(["new.eml", "old.txt"]);
  rmSync(dataDir, { recursive: true });
});
