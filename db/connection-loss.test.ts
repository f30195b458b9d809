import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { sql as query } from "drizzle-orm";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { createTestDatabase, type TestDatabase } from "../server/test/db";
import { type FaultProxy, openFaultProxy, socketPathOf } from "../server/test/fault-proxy";
import { connect, createDb, type Db, type Sql } from "./client";

/** How a connection can end: by PostgreSQL itself, or on its way. */
const ENDINGS = ["terminated", "closed", "reset", "silenced"] as const;
type Ending = (typeof ENDINGS)[number];

const POOL = { max: 10, readTimeoutMs: 800, writeTimeoutMs: 1_000 };
/** What a busy machine may add to a deadline. */
const SLACK_MS = 1_500;
const STORM_MS = 1_500;

interface Rig {
  proxy: FaultProxy;
  db: Db;
}

let database: TestDatabase;
/** The only other connection to the database. */
let killer: Sql;
const uncaught: unknown[] = [];
const note = (error: unknown) => uncaught.push(error);

beforeAll(async () => {
  database = await createTestDatabase();
  killer = connect(database.connection, { max: 1 });
  process.on("uncaughtException", note);
  process.on("unhandledRejection", note);
});
afterAll(async () => {
  process.off("uncaughtException", note);
  process.off("unhandledRejection", note);
  await killer.end();
  await database.close();
});

/** A pool of its own, behind a proxy unless PostgreSQL itself does the ending, and an empty table to write to. */
async function openRig(ending: Ending): Promise<Rig> {
  uncaught.length = 0;
  const proxy = await openFaultProxy(() => socketPathOf(database.connection));
  const proxied = { ...database.connection, host: "127.0.0.1", port: proxy.port };
  const { db, close } = createDb(ending === "terminated" ? database.connection : proxied, POOL);
  await killer`drop table if exists parts`;
  await killer`create table parts (call int, part int)`;
  onTestFinished(async () => {
    // Silenced connections never end by themselves.
    const closed = close();
    await proxy.close();
    await closed;
  });
  return { proxy, db };
}

/** Calls as the application makes them: each has to answer its own number, and nothing else will do. */
const CALLS = {
  async read(db: Db, call: number) {
    const rows = await db.execute<{ call: number; tens: number }>(
      query`select ${call}::int as call, ${call * 10}::int as tens`,
    );
    return rows.length === 1 && rows[0]?.tens === call * 10 ? rows[0].call : rows;
  },
  async list(db: Db, call: number) {
    const length = 1 + (call % 7);
    const rows = await db.execute<{ part: number }>(
      query`select ${call}::int + part as part from generate_series(1, ${length}::int) as part`,
    );
    return rows.length === length && rows.every(({ part }, at) => part === call + at + 1) ? call : rows;
  },
  async write(db: Db, call: number) {
    const rows = await db.execute<{ call: number }>(
      query`insert into parts values (${call}, 1), (${call}, 2) returning call`,
    );
    return rows.length === 2 ? rows[0]?.call : rows;
  },
  transaction(db: Db, call: number) {
    return db.transaction(async (tx) => {
      await tx.execute(query`insert into parts values (${call}, 1)`);
      const [[found], [echo]] = await Promise.all([
        tx.execute<{ call: number }>(query`select call from parts where call = ${call}`),
        tx.execute<{ echo: number }>(query`select ${call}::int as echo`),
      ]);
      const rows = await tx.execute<{ part: number }>(query`insert into parts values (${call}, 2) returning part`);
      return rows[0]?.part === 2 && echo?.echo === call ? found?.call : [found, echo, ...rows];
    });
  },
};
type Kind = keyof typeof CALLS;

const KINDS: readonly Kind[] = ["read", "list", "write", "transaction"];
const DEADLINES_MS: Record<Kind, number> = {
  read: POOL.readTimeoutMs,
  list: POOL.readTimeoutMs,
  write: POOL.writeTimeoutMs,
  transaction: POOL.writeTimeoutMs,
};

/** What became of the calls of one test, by the numbers that they should have answered. */
class Outcomes {
  readonly answered: Record<Kind, number[]> = { read: [], list: [], write: [], transaction: [] };
  readonly unsettled: string[] = [];
  readonly wrong: string[] = [];
  failed = 0;
  #calls = 0;
  readonly #db: Db;

  constructor(db: Db) {
    this.#db = db;
  }

  /** Resolves in any case, and at the latest when the call is overdue. */
  async run(kind: Kind): Promise<void> {
    this.#calls += 1;
    const call = this.#calls;
    const settled = new AbortController();
    const outcome = await Promise.race([
      CALLS[kind](this.#db, call).then(
        (answer) => ({ answer }),
        (error: unknown) => ({ error }),
      ),
      sleep(DEADLINES_MS[kind] + SLACK_MS, null, settled).catch(() => null),
    ]);
    settled.abort();
    if (outcome === null) this.unsettled.push(`${kind} ${call}`);
    else if ("error" in outcome) this.failed += 1;
    else if (outcome.answer === call) this.answered[kind].push(call);
    else this.wrong.push(`${kind} ${call} was answered by ${JSON.stringify(outcome.answer)}`);
  }
}

/** Ends so many of the pool's connections, or all. */
async function lose({ proxy }: Rig, { ending, max }: { ending: Ending; max?: number }): Promise<void> {
  if (ending !== "terminated") for (const connection of proxy.connections().slice(0, max)) connection.lose(ending);
  else {
    await killer`select pg_terminate_backend(pid) from (
      select pid from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()
        and backend_type = 'client backend' order by random() limit ${max ?? null}) as chosen`;
  }
}

/** What holds after every storm. */
async function expectWhole({ db }: Rig, outcomes: Outcomes): Promise<void> {
  expect(outcomes.unsettled, "calls that never settle").toEqual([]);
  expect(outcomes.wrong, "answers of other calls, or none").toEqual([]);
  await expectTenServe(db);
  const rows = await killer<{ call: number; parts: string }[]>`
    select call, string_agg(part::text, ',' order by part) as parts from parts group by call`;
  const uneven = rows.filter(({ parts }) => parts !== "1,2");
  expect(uneven, "halves of writes and of transactions, or doubles").toEqual([]);
  const stored = new Set(rows.map(({ call }) => call));
  const acknowledged = [...outcomes.answered.write, ...outcomes.answered.transaction];
  expect(
    acknowledged.filter((call) => !stored.has(call)),
    "acknowledged and not stored",
  ).toEqual([]);
  expect(uncaught).toEqual([]);
}

/** Before long: that an idle connection has gone silent shows only when it is used. */
async function expectTenServe(db: Db): Promise<void> {
  await expect.poll(() => servingConnections(db), { timeout: 8_000 }).toBe(POOL.max);
}

/** How many connections answer ten calls that are made at once; a call without an answer counts for none. */
async function servingConnections(db: Db): Promise<number> {
  const late = sleep(POOL.readTimeoutMs + SLACK_MS).then(() => undefined);
  const calls = Array.from({ length: POOL.max }, () =>
    db.execute<{ pid: number }>(query`select pg_backend_pid() as pid, pg_sleep(0.2)`).then(
      ([row]) => row?.pid,
      () => undefined,
    ),
  );
  const pids = await Promise.all(calls.map((call) => Promise.race([call, late])));
  return new Set(pids.filter((pid) => pid !== undefined)).size;
}

test.each(ENDINGS)(
  "under 24 callers connections are %s one after the other: each call settles in time, by its own answer or an error",
  async (ending) => {
    const rig = await openRig(ending);
    const outcomes = new Outcomes(rig.db);
    let isOver = false;
    const callers = Array.from({ length: 24 }, async (_, at) => {
      const kind = KINDS[at % KINDS.length] ?? "read";
      while (!isOver) {
        // Whoever is refused asks again in the same turn, as a caller that retries does.
        await outcomes.run(kind);
        await outcomes.run(kind);
        await nextTurn();
      }
    });
    // Statements have to be prepared again on each new connection, and are lost in other ways than those that are.
    const pauseMs = 100;
    for (let strike = 0; strike < STORM_MS / pauseMs; strike += 1) {
      await sleep(pauseMs);
      await lose(rig, { ending, max: 1 + (strike % 3) });
    }
    isOver = true;
    await Promise.all(callers);
    await expectWhole(rig, outcomes);
    expect(outcomes.failed).toBeGreaterThan(0);
    expect(outcomes.answered.transaction.length).toBeGreaterThan(0);
  },
  30_000,
);

test.each(ENDINGS)(
  "all connections are %s at once, with calls on them and behind them: all settle, and the pool is whole",
  async (ending) => {
    const rig = await openRig(ending);
    const outcomes = new Outcomes(rig.db);
    const callAll = (kinds: readonly Kind[]) =>
      Promise.all(Array.from({ length: 36 }, (_, at) => outcomes.run(kinds[at % kinds.length] ?? "read")));
    for (const delayMs of [0, 3]) {
      await expectTenServe(rig.db);
      // Statements that are prepared already are lost in other ways than those that are not.
      for (const kind of KINDS) await callAll([kind]);
      const calls = callAll(KINDS);
      await sleep(delayMs);
      await lose(rig, { ending });
      await calls;
    }
    await expectWhole(rig, outcomes);
  },
  30_000,
);
