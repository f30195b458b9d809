import postgres from "postgres";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../server/test/db";
import { connect, createDb, inTransaction, UnpatchedDriverError } from "./client";
import { DatabaseTimeoutError, isUnavailable } from "./deadlines";

let database: TestDatabase;
/** Calls wait for each other, so that what a late one leaves behind is seen. */
let pool: ReturnType<typeof createDb>;

beforeAll(async () => {
  database = await createTestDatabase();
  pool = createDb(database.connection, { max: 1, readTimeoutMs: 400, writeTimeoutMs: 1_200 });
  await database.sql`create table notes (text text)`;
});
afterAll(async () => {
  await pool.close();
  await database.close();
});

test("a read that takes too long is rejected, and its connection serves nobody any more", async () => {
  const [before] = await inTime(() => pool.sql`select pg_backend_pid() as pid`);
  expect(await failure(pool.sql`select pg_sleep(20)`)).toBeInstanceOf(DatabaseTimeoutError);
  const [after] = await inTime(() => pool.sql`select pg_backend_pid() as pid`);
  expect(after?.pid).not.toBe(before?.pid);
});

test("a write may take longer than a read, but not for ever", async () => {
  await pool.sql`insert into notes select 'written' from pg_sleep(0.5)`;
  const late = pool.sql`insert into notes select 'late' from pg_sleep(20)`;
  expect(await failure(late)).toBeInstanceOf(DatabaseTimeoutError);
  const rows = await inTime(() => pool.sql`select text from notes`);
  expect(rows.map(({ text }) => text)).toEqual(["written"]);
});

test("a transaction is bounded as a whole, also when it waits for something else than the database", async () => {
  const never = new Promise<void>(() => {});
  await expect(pool.db.transaction(() => never)).rejects.toThrow();
  const steps = pool.db.transaction(async (tx) => {
    for (;;) await tx.execute("select pg_sleep(0.3)");
  });
  await expect(steps).rejects.toThrow();
  expect(await inTime(() => pool.sql`select 1 as one`)).toEqual([{ one: 1 }]);
  expect(pool.overdueMs()).toBe(0);
});

test("a call that waits too long for a connection is rejected, and never reaches the database", async () => {
  const holding = pool.sql`insert into notes select 'held' from pg_sleep(0.8)`;
  // The pool sends what fits behind a running statement; a transaction takes the connection for itself.
  const blocked = pool.db.transaction(async (tx) => void (await tx.execute("select pg_sleep(0.9)")));
  expect(await failure(pool.sql`select 1`)).toBeInstanceOf(DatabaseTimeoutError);
  await Promise.allSettled([holding, blocked]);
  expect(await inTime(() => pool.sql`select 2 as two`)).toEqual([{ two: 2 }]);
});

test("a transaction of any length lasts while the database answers, and ends once it is silent for too long", async () => {
  // Far more than a page takes, on a busy machine too, and less than all of them.
  const silent = { isolationLevel: "read committed", maxSilenceMs: 2_000 } as const;
  const sixPages = inTransaction(database.connection, silent, async ({ sql }) => {
    let pages = 0;
    for await (const page of sql`select pg_sleep(0.5), at from generate_series(1, 6) as at`.cursor(1))
      pages += page.length;
    // Between its statements it may do something else for as long.
    await new Promise((resolve) => setTimeout(resolve, 2_500));
    return pages + Number((await sql`select 1 as one`)[0]?.one);
  });
  expect(await sixPages).toBe(7);
  const stuck = inTransaction(database.connection, silent, ({ sql }) => sql`select pg_sleep(600)`);
  await expect(stuck).rejects.toThrow(DatabaseTimeoutError);
});

test("a transaction that is broken off ends in the middle of a statement, and not in the middle of its commit", async () => {
  const config = { isolationLevel: "read committed" } as const;
  const aborted = new AbortController();
  const stuck = inTransaction(database.connection, { ...config, signal: aborted.signal }, async ({ sql }) => {
    const asleep = sql`select pg_sleep(600)`.execute();
    aborted.abort();
    return asleep;
  });
  await expect(stuck).rejects.toMatchObject({ name: "AbortError" });
  const late = new AbortController();
  const committed = inTransaction(database.connection, { ...config, signal: late.signal }, async ({ sql }) => {
    await sql`insert into notes values ('committed')`;
    // Once the work is done.
    setImmediate(() => late.abort());
    return "done";
  });
  expect(await committed).toBe("done");
});

test("PostgreSQL itself ends waits for locks and transactions that stand still", async () => {
  const settings = ["statement_timeout", "lock_timeout", "idle_in_transaction_session_timeout"];
  const shown = await Promise.all(settings.map((name) => database.sql.unsafe(`show ${name}`)));
  expect(shown.map(([row]) => Object.values(row ?? {})[0])).toEqual(["30s", "20s", "10s"]);
});

test("of two writes that wait for each other one goes through, and the other may try again", async () => {
  const { db, sql, close } = createDb(database.connection, { max: 2 });
  await sql`insert into notes values ('one'), ('other')`;
  let holding = 0;
  const both = (first: string, second: string) =>
    db.transaction(async (tx) => {
      await tx.execute(`update notes set text = text where text = '${first}'`);
      holding += 1;
      await expect.poll(() => holding).toBe(2);
      await tx.execute(`update notes set text = text where text = '${second}'`);
    });
  const ended = await Promise.allSettled([both("one", "other"), both("other", "one")]);
  const reasons = ended.flatMap((end) => (end.status === "rejected" ? [end.reason] : []));
  expect(reasons.map(isUnavailable)).toEqual([true]);
  await close();
});

test("a driver that was installed without its patch is refused with what to do", () => {
  Reflect.set(postgres, "settlesEveryQuery", undefined);
  try {
    expect(() => connect(database.connection)).toThrow(UnpatchedDriverError);
    expect(() => connect(database.connection)).toThrow(/npx bun install/);
  } finally {
    Reflect.set(postgres, "settlesEveryQuery", true);
  }
});

/** What a read answers that may take longer than its limit on a busy machine. */
async function inTime<Rows>(read: () => PromiseLike<Rows>): Promise<Rows> {
  for (;;) {
    try {
      return await read();
    } catch (error) {
      if (!(error instanceof DatabaseTimeoutError)) throw error;
    }
  }
}

/** What a call fails with; null when it does not. */
async function failure(query: PromiseLike<unknown>): Promise<unknown> {
  return query.then(
    () => null,
    (error: unknown) => error,
  );
}
