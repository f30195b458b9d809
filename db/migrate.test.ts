import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../server/test/db";
import { LockedDatabaseError, migrate, oneAtATime } from "./migrate";

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());

test("start-up work has no statement timeout, whatever the database's default is", async () => {
  const { connection, sql } = database;
  await sql.unsafe(
    "do $$ begin execute format('alter database %I set statement_timeout = 50', current_database()); end $$",
  );
  const work = oneAtATime(
    { connection },
    (one) => one`select pg_sleep(0.3), current_setting('statement_timeout') as limit`,
  );
  expect(Number.parseInt((await work)[0]?.limit, 10)).toBeGreaterThan(20);
});

test("a second server waits for the first one's migration, and each does its work alone", async () => {
  const { connection } = database;
  const order: string[] = [];
  const work = (name: string) =>
    oneAtATime({ connection }, async (sql) => {
      order.push(`${name} begins`);
      await sql`select pg_sleep(0.2)`;
      order.push(`${name} ends`);
    });
  await Promise.all([work("one"), work("other"), migrate(connection)]);
  expect(order[0]?.split(" ")[0]).toBe(order[1]?.split(" ")[0]);
  expect(order[2]?.split(" ")[0]).toBe(order[3]?.split(" ")[0]);
});

test("a lock that is not to be had in time is called a lock, not a wrong password", async () => {
  const { connection } = database;
  let release = () => {};
  const held = oneAtATime({ connection }, () => new Promise<void>((resolve) => (release = resolve)));
  await expect
    .poll(async () => (await database.sql`select 1 from pg_locks where locktype = 'advisory'`).length)
    .toBe(1);
  const late = migrate(connection, { lockTimeoutMs: 200 });
  await expect(late).rejects.toBeInstanceOf(LockedDatabaseError);
  await expect(late).rejects.toThrow(/another server may be preparing it/);
  release();
  await held;
});
