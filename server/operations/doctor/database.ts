import { setTimeout } from "node:timers/promises";
import { type Connection, connect, type Sql } from "../../../db/client";
import { findNewestApplied, readMigrations } from "../../../db/migrate";
import { type Finding, toDo, well } from "./finding";

/** `gen_random_uuid()` and what the migrations need besides. */
const MIN_VERSION = 14;
/** A phone's code for two-factor sign-in counts for half a minute around its time. */
const MAX_CLOCK_DIFFERENCE_MS = 10_000;
/** Of the connections that PostgreSQL allows: a server takes up to twelve. */
const MAX_CONNECTION_SHARE = 0.8;
const LISTEN_TIMEOUT_MS = 2_000;
/** Any name: nobody else listens there. */
const DOCTOR_CHANNEL = "sangam_doctor";

/** Version, room for connections, clock, and whether it can be written. Rejects when the database does not answer. */
export async function examineDatabase(sql: Sql): Promise<Finding[]> {
  const askedMs = Date.now();
  const [row] = await sql`select current_setting('server_version') as version,
    current_setting('server_version_num')::int / 10000 as major,
    current_setting('max_connections')::int as allowed,
    (select count(*)::int from pg_stat_activity where backend_type = 'client backend') as taken,
    extract(epoch from clock_timestamp()) * 1000 as clock_ms`;
  const answeredMs = Date.now();
  if (!row) throw new Error("no row");
  const aheadMs = Number(row.clock_ms) - (askedMs + answeredMs) / 2;
  const seconds = Math.round(Math.abs(aheadMs) / 1_000);
  const connections = `${row.taken} of ${row.allowed} connections are taken`;
  return [
    row.major >= MIN_VERSION
      ? well("database", `PostgreSQL ${row.version} answers.`)
      : toDo("database", `PostgreSQL ${row.version} is too old: upgrade it to version ${MIN_VERSION} or later.`),
    await examineWriting(sql),
    row.taken < row.allowed * MAX_CONNECTION_SHARE
      ? well("connections", `${connections}.`)
      : toDo("connections", `${connections}: raise max_connections of PostgreSQL, or run fewer servers on it.`),
    Math.abs(aheadMs) <= MAX_CLOCK_DIFFERENCE_MS
      ? well("clock", "The database and this machine agree on the time.")
      : toDo("clock", `The database's clock is ${seconds} s ${aheadMs > 0 ? "ahead" : "behind"}: set both by NTP.`),
  ];
}

/** Makes a table and takes it back, as a migration would. */
async function examineWriting(sql: Sql): Promise<Finding> {
  const isDone = new Error("taken back");
  try {
    await sql.begin(async (tx) => {
      await tx`create table sangam_doctor ()`;
      throw isDone;
    });
  } catch (error) {
    if (error === isDone) return well("writing", "The database can be written.");
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "25006")
      return toDo("writing", "The database is read-only: DATABASE_URL must lead to the primary server.");
    if (code === "53100") return toDo("writing", "The database's disk is full: make room there.");
    if (code === "42501") {
      return toDo("writing", "The database user may not create tables: grant it CREATE on the schema public.");
    }
    return toDo("writing", `The database cannot be written (${code}): its log says why.`);
  }
  return well("writing", "The database can be written.");
}

/** Whether the database has the schema of this checkout. `isPresent` is false when its tables cannot be relied on. */
export async function examineSchema(sql: Sql, { root }: { root: string }): Promise<Finding & { isPresent: boolean }> {
  const known = readMigrations(root).map(({ folderMillis }) => folderMillis);
  const newest = await findNewestApplied(sql);
  const pending = known.filter((migration) => newest === null || migration > newest).length;
  if (newest !== null && !known.includes(newest)) {
    const text = "The database has migrations that this version does not know: start the newer version.";
    return { ...toDo("migrations", text), isPresent: false };
  }
  if (pending === 0) return { ...well("migrations", "None is pending."), isPresent: true };
  const count = pending === 1 ? "1 is pending" : `${pending} are pending`;
  const text = `${count}: the next start applies them, or \`npm run db:migrate\` now.`;
  return { ...toDo("migrations", text), isPresent: false };
}

/** A round trip over LISTEN and NOTIFY, without which open pages learn of changes late. */
export async function examineListening(connection: Connection): Promise<Finding> {
  let arrive = () => {};
  const arrival = new Promise<true>((resolve) => {
    arrive = () => resolve(true);
  });
  const sql = connect(connection, { max: 1, onnotify: () => arrive() });
  const roundTrip = async () => {
    await sql.unsafe(`listen "${DOCTOR_CHANNEL}"`);
    await sql`select pg_notify(${DOCTOR_CHANNEL}, '')`;
    return Promise.race([arrival, setTimeout(LISTEN_TIMEOUT_MS, false, { ref: false })]);
  };
  const hasArrived = await roundTrip().catch(() => false);
  await sql.end({ timeout: 1 });
  if (hasArrived) return well("LISTEN", "Notifications arrive.");
  return toDo(
    "LISTEN",
    "No notification arrives: open pages learn of changes only every 15 s. DATABASE_URL must lead to PostgreSQL itself, or to a pooler in session mode.",
  );
}
