import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../server/test/db";
import { openFaultProxy, socketPathOf } from "../server/test/fault-proxy";
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

test.each(["closed", "reset", "terminated"] as const)(
  "start-up work begins again when its connection is %s",
  async (ending) => {
    const { connection, sql } = database;
    const proxy = await openFaultProxy(() => socketPathOf(connection));
    const proxied = { ...connection, host: "127.0.0.1", port: proxy.port };
    let attempts = 0;
    const done = await oneAtATime({ connection: proxied }, async (one) => {
      attempts += 1;
      const [own] = await one<{ pid: number }[]>`select pg_backend_pid() as pid`;
      const waiting = one`select pg_sleep(0.2)`;
      // The connection before may not be gone yet.
      const held = proxy.connections().find(({ pid }) => pid === own?.pid);
      if (!held) throw new Error("the proxy does not hold this connection");
      if (attempts < 3 && ending === "terminated") await sql`select pg_terminate_backend(${held.pid})`;
      else if (attempts < 3 && ending !== "terminated") held.lose(ending);
      await waiting;
      return "done";
    });
    expect([done, attempts]).toEqual(["done", 3]);
    await proxy.close();
  },
);

test("start-up work that fails for another reason is not repeated", async () => {
  let attempts = 0;
  const work = oneAtATime({ connection: database.connection }, async (sql) => {
    attempts += 1;
    await sql`select 1 / 0`;
  });
  await expect(work).rejects.toMatchObject({ code: "22012" });
  expect(attempts).toBe(1);
});
