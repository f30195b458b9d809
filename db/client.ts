import type { PgTransactionConfig } from "drizzle-orm/pg-core";
import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import * as z from "zod/mini";
import { createDeadlines, createSilenceLimit, type DriverQuery, type Timeouts } from "./deadlines";
import { withPreparedStatements } from "./prepared";
import * as schema from "./schema";

/** Where a PostgreSQL answers: an address, or the folder of its Unix socket (as `host`). */
export type Connection =
  | { url: string }
  | { host: string; port: number; username: string; database: string; password?: string };

/** The drizzle database over the whole schema. */
export type Db = ReturnType<typeof createDb>["db"];

/**
 * What a `db.transaction(async (tx) => …)` callback receives; accepts the same queries as `Db`. The callback may run again from
 * its start (db/prepared.ts), so it does nothing but queries: mails and notifications are rows, and go out at commit.
 */
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

/** The postgres.js client below drizzle: for LISTEN, NOTIFY and statements that drizzle cannot express. */
export type Sql = ReturnType<typeof connect>;

/** The driver as a package manager leaves it that applies no patches. Its message says what to do. */
export class UnpatchedDriverError extends Error {}

/** What calls are given: on the side of the client (Timeouts) and on that of PostgreSQL. */
export interface PoolOptions extends Partial<Timeouts> {
  /** Connections. */
  max?: number;
  /** Of one statement; null for none. Below `writeTimeoutMs`, so that PostgreSQL's own answer comes first. */
  statementTimeoutMs?: number | null;
  /** How long a statement waits for a lock. */
  lockTimeoutMs?: number;
  /** A transaction that gets no statement for so long is ended, and with it its locks; null for never. */
  idleInTransactionTimeoutMs?: number | null;
}

/** Is given the text of a statement, and at its end the error, if any; null for one that is of no interest. */
type StatementObserver = (strings: readonly string[]) => ((error?: unknown) => void) | null;
/** Of the driver's option: what it tells when the query has settled. */
type OnQuery = (query: DriverQuery) => { settled(): void };

const DEFAULTS = {
  max: 10,
  readTimeoutMs: 5_000,
  writeTimeoutMs: 35_000,
  statementTimeoutMs: 30_000,
  lockTimeoutMs: 20_000,
  idleInTransactionTimeoutMs: 10_000,
} as const satisfies PoolOptions;

/** The longest that PostgreSQL knows: the driver leaves out a zero, and the database's own default would hold. */
const NO_TIMEOUT_MS = 2 ** 31 - 1;

/** For migrations and what else a server does before it serves: as long as it takes, but no endless wait for a lock. */
export const STARTUP_OPTIONS = {
  max: 1,
  readTimeoutMs: null,
  writeTimeoutMs: null,
  statementTimeoutMs: null,
  lockTimeoutMs: 600_000,
  idleInTransactionTimeoutMs: null,
} as const satisfies PoolOptions;

/**
 * A lazy pool (nothing connects before the first query) and drizzle on top of it, with snake_case columns. Every call settles:
 * a late one rejects with DatabaseTimeoutError. `overdueMs` says how long a call has been pending past its deadline, which
 * none should; `readState` says what the pool does now. `close` waits up to 5 s for running queries. Mind that drizzle makes `sql` return dates and instants as text.
 */
export function createDb(
  connection: Connection,
  options: PoolOptions & ClientHooks & { startStatement?: StatementObserver | undefined } = {},
) {
  const deadlines = createDeadlines({ ...DEFAULTS, ...options });
  const { startStatement, ...rest } = options;
  const onquery = startStatement ? observed(deadlines.onquery, startStatement) : deadlines.onquery;
  const sql = open(connection, { ...DEFAULTS, ...rest, onquery });
  const db = drizzle(withPreparedStatements(sql, deadlines.watch), { schema, casing: "snake_case" });
  const readState = (): PoolState => ({
    ...connectionsSchema.parse(Reflect.get(sql, "poolState")()),
    oldestPendingMs: deadlines.oldestMs(),
  });
  return { db, sql, readState, overdueMs: deadlines.overdueMs, close: () => sql.end({ timeout: 5 }) };
}

/** `onquery` of the driver, and the text and outcome of each query for who wants to know. */
function observed(bound: OnQuery, start: StatementObserver): OnQuery {
  return (query) => {
    const call = bound(query);
    const ended = start(query.strings);
    if (ended === null) return call;
    let failure: unknown;
    const { reject } = query;
    query.reject = (error) => {
      failure = error;
      return Reflect.apply(reject, query, [error]);
    };
    return {
      settled() {
        call.settled();
        ended(failure);
      },
    };
  };
}

/** Of the patched driver (patches/). */
const connectionsSchema = z.object({ idle: z.number(), busy: z.number(), connecting: z.number(), waiting: z.number() });

/** The connections of a pool by what they do, the calls that wait for one, and since when the oldest call is pending. */
export type PoolState = z.infer<typeof connectionsSchema> & { oldestPendingMs: number };

/**
 * Makes something once for each database, such as a prepared query of drizzle's, and again for each further argument, such as
 * whose role it is for.
 */
export function perDatabase<Args extends string[], Made>(
  make: (db: Db, ...args: Args) => Made,
): (db: Db, ...args: Args) => Made {
  const databases = new WeakMap<Db, Map<string, { value: Made }>>();
  return (db, ...args) => {
    const made = databases.get(db) ?? new Map<string, { value: Made }>();
    databases.set(db, made);
    const key = args.join(" ");
    const { value } = made.get(key) ?? { value: make(db, ...args) };
    made.set(key, { value });
    return value;
  };
}

/**
 * A plain postgres.js client without drizzle's parsers. Throws on an address that is no URL, and UnpatchedDriverError.
 * Connections that idle for a minute are closed, so that a quiet server holds none.
 */
export function connect(connection: Connection, options: PoolOptions & ClientHooks = {}) {
  const { onquery } = createDeadlines({ ...DEFAULTS, ...options });
  return open(connection, { ...DEFAULTS, ...options, onquery });
}

/** The plain client within a transaction. */
export type TransactionSql = postgres.TransactionSql;

/**
 * A transaction of any length on a connection of its own, both through drizzle and through the plain client, which can COPY. Ends
 * the connection; `work` runs once. With `maxSilenceMs` it rejects when the database has been silent for so long in the middle of a
 * call, and also when nobody has read on in the answer. The signal ends it at any moment before its commit, and is its error then.
 */
export async function inTransaction<Result>(
  connection: Connection,
  {
    maxSilenceMs = NO_TIMEOUT_MS,
    signal,
    ...config
  }: PgTransactionConfig & { maxSilenceMs?: number; signal?: AbortSignal | undefined },
  work: (scope: { tx: Tx; sql: TransactionSql }) => Promise<Result>,
): Promise<Result> {
  const scopes: TransactionSql[] = [];
  const limit = createSilenceLimit(maxSilenceMs, () => bytesOf(scopes[0]));
  const unlimited = { ...DEFAULTS, ...STARTUP_OPTIONS, idle_timeout: 0, max_lifetime: 0 };
  const client = open(connection, { ...unlimited, onquery: limit.onquery });
  const begin = (callback: (sql: TransactionSql) => Promise<unknown>) =>
    client.begin(async (sql) => {
      scopes.push(sql);
      try {
        return await callback(sql);
      } catch (error) {
        // A COPY that nobody reads any further would hold up the rollback; without its connection it is rolled back too.
        Reflect.get(sql, "destroy")(error);
        throw error;
      }
    });
  const watched = new Proxy(client, {
    get: (target, name) => (name === "begin" ? begin : Reflect.get(target, name)),
  });
  const abort = () => scopes[0] && Reflect.get(scopes[0], "destroy")(signal?.reason);
  signal?.addEventListener("abort", abort);
  try {
    return await drizzle(watched, { schema, casing: "snake_case" }).transaction(async (tx) => {
      const [sql] = scopes;
      if (!sql) throw new Error("drizzle begins a transaction by the client's own means");
      signal?.throwIfAborted();
      const result = await work({ tx, sql });
      // What becomes of a commit that is broken off, nobody knows.
      signal?.removeEventListener("abort", abort);
      return result;
    }, config);
  } finally {
    signal?.removeEventListener("abort", abort);
    limit.stop();
    await client.end({ timeout: 5 });
  }
}

/** How many bytes have come over the connection of a transaction (patches/). */
function bytesOf(sql: TransactionSql | undefined): number {
  return sql === undefined ? 0 : Reflect.get(sql, "received")();
}

/** For who holds one connection and has to know what comes over it. */
export interface ClientHooks {
  /** How PostgreSQL lists the connection in pg_stat_activity. */
  applicationName?: string;
  /** Runs whenever a connection has ended, however it did, and whenever one could not be made. */
  onclose?: () => void;
  onnotify?: (channel: string, payload: string) => void;
  /** Seconds; 0 keeps the connection for good. */
  idle_timeout?: number;
  max_lifetime?: number;
}

type OpenOptions = Required<PoolOptions> & ClientHooks & { onquery: OnQuery };

function open(connection: Connection, options: OpenOptions) {
  const { readTimeoutMs: _, writeTimeoutMs: __, ...rest } = options;
  const { statementTimeoutMs, lockTimeoutMs, idleInTransactionTimeoutMs, applicationName, ...hooks } = rest;
  if (Reflect.get(postgres, "settlesEveryQuery") !== true) {
    throw new UnpatchedDriverError(
      "The PostgreSQL driver is not the patched one, and calls could wait for ever when a connection is lost. Install with " +
        "`npm start` or `npx bun install`, which apply the patches of this repository; other package managers do not.",
    );
  }
  const settings = {
    connect_timeout: 10,
    idle_timeout: 60,
    ...hooks,
    // Seconds before a lost connection is made again; the library's own waits up to 20, in which calls stand still.
    backoff: (retries: number) => Math.min(0.05 * 2 ** retries, 1),
    prepare: true,
    onnotice: () => {},
    // Asked for on each new connection otherwise; a connection that ends meanwhile would reject where nobody listens.
    fetch_types: false,
    connection: {
      application_name: applicationName ?? "sangam",
      // A database may have other defaults.
      DateStyle: "ISO, YMD",
      TimeZone: "UTC",
      statement_timeout: statementTimeoutMs ?? NO_TIMEOUT_MS,
      lock_timeout: lockTimeoutMs,
      idle_in_transaction_session_timeout: idleInTransactionTimeoutMs ?? NO_TIMEOUT_MS,
    },
  };
  return "url" in connection ? connectToUrl(connection.url, settings) : postgres({ ...connection, ...settings });
}

/** postgres.js ignores `?host=/folder` and goes to localhost:5432 instead, so a socket folder is taken out of the URL. */
function connectToUrl(url: string, settings: postgres.Options<Record<string, postgres.PostgresType>>) {
  const parsed = new URL(url);
  const folder = parsed.searchParams.get("host");
  if (folder === null || !folder.startsWith("/")) return postgres(url, settings);
  return postgres({
    ...settings,
    host: folder,
    port: Number(parsed.searchParams.get("port") ?? (parsed.port || 5432)),
    username: decodeURIComponent(parsed.username) || (parsed.searchParams.get("user") ?? "postgres"),
    password: decodeURIComponent(parsed.password),
    database: decodeURIComponent(parsed.pathname.slice(1)) || "postgres",
  });
}

const REACHABLE_MS = 2_000;

/** Whether the database answers, within two seconds. */
export async function isReachable(db: Db): Promise<boolean> {
  let late: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    late = setTimeout(() => resolve(false), REACHABLE_MS);
  });
  const answer = db.execute("select 1").then(
    () => true,
    () => false,
  );
  const isThere = await Promise.race([answer, timeout]);
  clearTimeout(late);
  return isThere;
}
