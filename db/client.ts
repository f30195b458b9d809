import { drizzle } from "drizzle-orm/postgres-js";
import postgres from "postgres";
import * as schema from "./schema";

/** Where a PostgreSQL answers: an address, or the folder of its Unix socket (as `host`). */
export type Connection =
  | { url: string }
  | { host: string; port: number; username: string; database: string; password?: string };

/** The drizzle database over the whole schema. */
export type Db = ReturnType<typeof createDb>["db"];

/** What a `db.transaction(async (tx) => …)` callback receives; accepts the same queries as `Db`. */
export type Tx = Parameters<Parameters<Db["transaction"]>[0]>[0];

/** The plain postgres.js client below drizzle: for LISTEN, NOTIFY and statements that drizzle has no words for. */
export type Sql = ReturnType<typeof connect>;

/**
 * A lazy pool (nothing connects before the first query) and drizzle on top of it, with snake_case columns.
 * `close` waits up to 5 s for running queries. Mind that drizzle makes `sql` return dates and instants as text.
 */
export function createDb(connection: Connection, options: { max?: number } = {}) {
  const sql = connect(connection, options);
  const db = drizzle(preparing(sql), { schema, casing: "snake_case" });
  return { db, sql, close: () => sql.end({ timeout: 5 }) };
}

/** Statements with more are lists of some length, each length a text of its own: PostgreSQL would keep them all. */
const MOST_PARAMETERS = 40;
/** Each try mends one statement of one connection. */
const MOST_TRIES = 30;

/**
 * The client as drizzle sees it: each statement is prepared once a connection. Drizzle would have every call parsed and planned
 * anew, which costs as much as running it. What a migration outdates, postgres.js prepares again by itself; not within a
 * transaction, which has failed by then, so that a transaction begins again.
 */
function preparing<Client extends object>(client: Client): Client {
  return new Proxy(client, {
    get(target, name) {
      const member: unknown = Reflect.get(target, name);
      if (typeof member !== "function") return member;
      if (name === "unsafe") {
        return (text: string, parameters: unknown[] = [], options: object = {}) => {
          const prepare = parameters.length <= MOST_PARAMETERS;
          return Reflect.apply(member, target, [text, parameters, { ...options, prepare }]);
        };
      }
      if (name !== "begin" && name !== "savepoint") return member;
      const run = (...given: unknown[]) =>
        Reflect.apply(
          member,
          target,
          given.map((one) =>
            typeof one === "function" ? (scope: object) => Reflect.apply(one, undefined, [preparing(scope)]) : one,
          ),
        );
      return name === "begin" ? (...given: unknown[]) => againWhileOutdated(() => run(...given)) : run;
    },
  });
}

async function againWhileOutdated(run: () => Promise<unknown>): Promise<unknown> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await run();
    } catch (error) {
      if (tries === MOST_TRIES || !isOutdatedPlan(error)) throw error;
    }
  }
}

/** "cached plan must not change result type", as the driver throws it or as drizzle wraps it. */
function isOutdatedPlan(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  return ("code" in error && error.code === "0A000") || isOutdatedPlan(error.cause);
}

/** What is made once for each database, such as a prepared query of drizzle's. */
export function oncePerDatabase<Made>(make: (db: Db) => Made): (db: Db) => Made {
  const made = new WeakMap<Db, { value: Made }>();
  return (db) => {
    const known = made.get(db) ?? { value: make(db) };
    made.set(db, known);
    return known.value;
  };
}

/** The same for each of a few shapes of it, such as what an admin and what a client may see. */
export function oncePerShape<Shape extends string, Made>(
  make: (db: Db, shape: Shape) => Made,
): (db: Db, shape: Shape) => Made {
  const shapesOf = oncePerDatabase(() => new Map<Shape, Made>());
  return (db, shape) => {
    const shapes = shapesOf(db);
    const made = shapes.get(shape) ?? make(db, shape);
    shapes.set(shape, made);
    return made;
  };
}

/**
 * A plain postgres.js client without drizzle's parsers. Throws on an address that is no URL.
 * Connections that idle for a minute are closed, so that a quiet server holds none.
 */
export function connect(connection: Connection, options: { max?: number } = {}) {
  const settings = {
    max: options.max ?? 10,
    connect_timeout: 10,
    idle_timeout: 60,
    // Seconds before a lost connection is made again; the library's own waits up to 20, in which calls stand still.
    backoff: (retries: number) => Math.min(0.05 * 2 ** retries, 1),
    prepare: true,
    onnotice: () => {},
    // Asked for on each new connection otherwise; a connection that ends meanwhile would reject where nobody listens.
    fetch_types: false,
    // A database may have other defaults: instants are parsed as ISO, and no statement may hold a call for ever.
    connection: { application_name: "sangam", DateStyle: "ISO, YMD", TimeZone: "UTC", statement_timeout: 30_000 },
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
