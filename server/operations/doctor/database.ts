import { setTimeout } from "node:timers/promises";
import { type Connection, connect, type Db, type Sql } from "../../../db/client";
import { compareSchema } from "../../../db/migrate";
import { GIVE_RIGHTS, INSTALL_CONTRIB } from "../../../db/migration-refusals";
import type { SystemWarning } from "../../contract/system";
import { commandLine } from "../../core/command-line";
import { findDatabaseFacts } from "../../system/queries";
import { describeDatabase, describeSilence, inOneLine } from "../../system/warnings";
import { type Finding, toDo, well } from "./finding";

const LISTEN_TIMEOUT_MS = 2_000;
/** That of contrib which migrations make (drizzle/0027_search.sql). */
const EXTENSION = "pg_trgm";
/** Any name: nobody else listens there. */
const DOCTOR_CHANNEL = "sangam_doctor";

/** Version, room for connections, clock, and whether it can be written. Rejects when the database does not answer. */
export async function examineDatabase({ db, sql }: { db: Db; sql: Sql }): Promise<Finding[]> {
  // Drizzle would wrap the reason why nobody answers.
  await sql`select 1`;
  const facts = await findDatabaseFacts(db);
  const { database, connections, clock } = describeDatabase(facts);
  const { version, connections: taken, maxConnections } = facts;
  return [
    found("database", database, `PostgreSQL ${version} answers.`),
    await examineWriting(sql),
    found("connections", connections, `${taken} of ${maxConnections} connections are taken.`),
    found("clock", clock, "The database and this machine agree on the time."),
  ];
}

function found(topic: string, warning: SystemWarning | null, text: string): Finding {
  return warning ? toDo(topic, inOneLine(warning)) : well(topic, text);
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
    if (error === isDone) return examineRights(sql);
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (code === "25006")
      return toDo("writing", "The database is read-only: DATABASE_URL must lead to the primary server.");
    if (code === "53100") return toDo("writing", "The database's disk is full: make room there.");
    if (code === "42501") {
      return toDo("writing", `The database user may not create tables: ${GIVE_RIGHTS}.`);
    }
    return toDo("writing", `The database cannot be written (${code}): its log says why.`);
  }
  return well("writing", "The database can be written.");
}

/** Whether migrations may make what they need beside tables, and could. */
async function examineRights(sql: Sql): Promise<Finding> {
  const [row] = await sql`
    select has_database_privilege(current_database(), 'CREATE') as "mayCreate",
      exists (select 1 from pg_extension where extname = ${EXTENSION})
        or exists (select 1 from pg_available_extensions where name = ${EXTENSION}) as "hasExtension"`;
  if (row?.mayCreate !== true) {
    return toDo("writing", `The database user may create tables but not schemas, which migrations do: ${GIVE_RIGHTS}.`);
  }
  if (row?.hasExtension !== true) {
    return toDo("writing", `PostgreSQL lacks the extension ${EXTENSION}, which migrations use: ${INSTALL_CONTRIB}.`);
  }
  return well("writing", "The database can be written.");
}

/** Whether the database has the schema of this checkout. `isPresent` is false when its tables cannot be relied on. */
export async function examineSchema(sql: Sql, { root }: { root: string }): Promise<Finding & { isPresent: boolean }> {
  const { pending, isNewer, refusal } = await compareSchema(sql, { root });
  if (refusal !== null) return { ...toDo("migrations", refusal), isPresent: false };
  if (isNewer) {
    const text = "A newer version has added to the database, and this one runs on it all the same.";
    return { ...well("migrations", text), isPresent: true };
  }
  if (pending.length === 0) return { ...well("migrations", "None is pending."), isPresent: true };
  const count = pending.length === 1 ? "1 is pending" : `${pending.length} are pending`;
  const text = `${count}: the next start applies them, or \`${commandLine("db:migrate")}\` now.`;
  return { ...toDo("migrations", text), isPresent: false };
}

/** A round trip over LISTEN and NOTIFY, without which open pages learn of changes late. */
export async function examineListening(connection: Connection): Promise<Finding> {
  let arrive = () => {};
  const arrival = new Promise<true>((resolve) => {
    arrive = () => resolve(true);
  });
  const sql = connect(connection, { max: 1, onnotify: () => arrive() });
  // Of another connection: an idle pooler sends what one connection notifies of back over it, although it forgets who listens.
  const sender = connect(connection, { max: 1 });
  const roundTrip = async () => {
    await sql.unsafe(`listen "${DOCTOR_CHANNEL}"`);
    await sender`select pg_notify(${DOCTOR_CHANNEL}, '')`;
    return Promise.race([arrival, setTimeout(LISTEN_TIMEOUT_MS, false, { ref: false })]);
  };
  const hasArrived = await roundTrip().catch(() => false);
  await Promise.all([sql.end({ timeout: 1 }), sender.end({ timeout: 1 })]);
  if (hasArrived) return well("LISTEN", "Notifications arrive.");
  return toDo("LISTEN", inOneLine(describeSilence({ pubsubUrl: null })));
}
