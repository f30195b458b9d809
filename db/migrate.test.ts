import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from "vitest";
import { createTestDatabase, type TestDatabase } from "../server/test/db";
import { openFaultProxy, socketPathOf } from "../server/test/fault-proxy";
import { LockedDatabaseError, migrate, NewerSchemaError, OldPostgresError, oneAtATime } from "./migrate";
import { MigrationRefusedError } from "./migration-refusals";

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
  // Test files beside this one hold such locks too, on databases of their own.
  const isHeld = () => database.sql`
    select 1 from pg_locks join pg_database on pg_database.oid = database
    where locktype = 'advisory' and granted and datname = current_database()`;
  await expect.poll(async () => (await isHeld()).length).toBe(1);
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

test.each([
  ["asks on another connection afterwards", true],
  ["asks nothing of it", false],
])("start-up work begins again when it lost the lock between two statements and %s", async (_, asks) => {
  const { connection, sql } = database;
  let attempts = 0;
  const done = await oneAtATime({ connection }, async (one) => {
    attempts += 1;
    const [own] = await one<{ pid: number }[]>`select pg_backend_pid() as pid`;
    if (attempts === 1) {
      await sql`select pg_terminate_backend(${own?.pid ?? null})`;
      // Until the end of the connection has arrived here: the driver would open another, without the lock.
      await expect.poll(() => sql`select 1 from pg_stat_activity where pid = ${own?.pid ?? null}`).toHaveLength(0);
      await setTimeout(1_000);
    }
    if (asks) await one`select 1`;
    return attempts;
  });
  expect(done).toBe(2);
});

test("start-up work that fails for another reason is not repeated", async () => {
  let attempts = 0;
  const work = oneAtATime({ connection: database.connection }, async (sql) => {
    attempts += 1;
    await sql`select 1 / 0`;
  });
  await expect(work).rejects.toMatchObject({ code: "22012" });
  expect(attempts).toBe(1);
});

test("the version before runs on a schema to which a newer one has added, and not on one that needs a newer one", async () => {
  const own = await createTestDatabase();
  const start = async () => {
    const notices: string[] = [];
    await migrate(own.connection, { onNewer: () => notices.push("newer") });
    return notices;
  };
  expect(await start()).toEqual([]);
  const note = (at: string, needs: string | null) =>
    own.sql`insert into drizzle.__drizzle_migrations (hash, created_at, needs) values ('newer', ${at}, ${needs})`;
  await note("9999999999997", null);
  await note("9999999999998", "0.0.9");
  expect(await start()).toEqual(["newer"]);
  await note("9999999999999", "0.10.0");
  await expect(start()).rejects.toBeInstanceOf(NewerSchemaError);
  await expect(start()).rejects.toThrow(/upgraded for version 0\.10\.0 or newer, and this is \d/);
  await own.close();
});

test("a PostgreSQL that is too old for the migrations is not touched, and the sentence says which one is needed", async () => {
  const own = await createTestDatabase();
  await own.sql.unsafe(`create schema old; create function old.current_setting(name text) returns text language sql as
    'select case name when ''server_version_num'' then ''140012'' else pg_catalog.current_setting(name) end'`);
  await own.sql.unsafe(`alter database ${own.connection.database} set search_path = old, public, pg_catalog`);
  await migrate(own.connection);
  const root = await checkoutWith("alter table projects add column wide text;");
  const beforeChange = vi.fn(async () => {});
  const upgrade = migrate(own.connection, { root, beforeChange });
  await expect(upgrade).rejects.toBeInstanceOf(OldPostgresError);
  await expect(upgrade).rejects.toThrow(
    "PostgreSQL 14.12 is too old. Upgrade it to version 15 or later, then start again. Nothing has been changed.",
  );
  expect(beforeChange).not.toHaveBeenCalled();
  await own.close();
});

test("a user without the rights to migrate, and a PostgreSQL without the extension, are told what is to be done", async () => {
  const own = await createTestDatabase();
  const username = `narrow_${own.connection.database}`;
  await own.sql.unsafe(`create role ${username} login`);
  try {
    const narrow = migrate({ ...own.connection, username });
    await expect(narrow).rejects.toBeInstanceOf(MigrationRefusedError);
    await expect(narrow).rejects.toThrow(
      /^The database user may not bring .* \(permission denied for schema drizzle\): make it the owner of .* CREATE on /,
    );
    await own.sql.unsafe(`grant usage on schema drizzle to ${username}`);
    await own.sql.unsafe(`grant select on all tables in schema drizzle to ${username}`);
    const root = await checkoutWith("create extension sangam_lacks;");
    const upgrade = migrate({ ...own.connection, username }, { root });
    await expect(upgrade).rejects.toThrow(/\(permission denied for database test_\w+\)/);
    const without = migrate(own.connection, { root });
    await expect(without).rejects.toBeInstanceOf(MigrationRefusedError);
    await expect(without).rejects.toThrow(
      /^PostgreSQL lacks an extension .* \(.*sangam_lacks.*\): install its contrib package /,
    );
  } finally {
    await own.sql.unsafe(`drop owned by ${username}`);
    await own.sql.unsafe(`drop role ${username}`);
    await own.close();
  }
});

test("a migration beside running calls gives way to them: none of them ends in a deadlock", async () => {
  const own = await createTestDatabase({ max: 4 });
  // Two tables that the newest migration below has not touched yet, locked in turn as a call does that reads both.
  const root = await checkoutWith(
    "alter table projects add column wide text;\nalter table users add column wide text;",
  );
  let migrated: Promise<void> | undefined;
  await own.sql.begin(async (tx) => {
    await tx`select 1 from users limit 1`;
    migrated = migrate(own.connection, { root });
    await expect.poll(() => waiting(own)).toBe(1);
    // The migration holds projects and waits for users; this would wait for it in a circle.
    await tx`select 1 from projects limit 1`;
  });
  await migrated;
  const [row] = await own.sql`select count(*)::int as count from information_schema.columns where column_name = 'wide'`;
  expect(row?.count).toBe(2);
  await own.close();
});

async function waiting({ sql }: TestDatabase): Promise<number> {
  const [row] = await sql`
    select count(*)::int as count from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
  return row?.count ?? 0;
}

/** A folder with this checkout's migrations and one more, until the test is over. */
async function checkoutWith(statement: string): Promise<string> {
  const root = mkdtempSync(join(tmpdir(), "sangam-migrations-"));
  onTestFinished(() => rmSync(root, { recursive: true }));
  cpSync("package.json", join(root, "package.json"));
  cpSync("drizzle", join(root, "drizzle"), { recursive: true });
  const file = join(root, "drizzle", "meta", "_journal.json");
  const journal = JSON.parse(readFileSync(file, "utf8"));
  journal.entries.push({
    ...journal.entries.at(-1),
    idx: journal.entries.length,
    when: 9_999_999_999_999,
    tag: "9999_wide",
  });
  writeFileSync(file, JSON.stringify(journal));
  writeFileSync(join(root, "drizzle", "9999_wide.sql"), statement);
  return root;
}

test("a schema that another branch has made beside ours is refused", async () => {
  const own = await createTestDatabase();
  await own.sql`delete from drizzle.__drizzle_migrations where created_at = (select max(created_at) from drizzle.__drizzle_migrations)`;
  await own.sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('newer', 9999999999999)`;
  await expect(migrate(own.connection)).rejects.toThrow(/lacks some of its own/);
  await own.close();
});

test("a database of the first versions, which noted no needs, is migrated", async () => {
  const own = await createTestDatabase();
  await own.sql`alter table drizzle.__drizzle_migrations drop column needs`;
  await migrate(own.connection);
  await own.close();
});
