import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { type Connection, connect, createDb, type Db } from "../../db/client";
import { startEmbedded } from "../../db/embedded/start";
import { disposeServer, startServer, type TestServer } from "../../e2e/server";
import { THROW_AWAY_FLAGS, throwAwayFolder } from "../../server/test/cluster";
import { signedIn } from "./rig";

/** Two versions of the server beside each other, on one PostgreSQL with a database each. */
export interface Pair {
  ours: TestServer;
  theirs: TestServer;
  /** Of ours: fill it, then `copyRows`. */
  db: Db;
  /** The same each time. Both have the same secret, so that one made before the rows are copied signs in to both. */
  cookieOf(user: { id: string }): Promise<string>;
  /** Gives the other version all rows, in the columns that both know. */
  copyRows(): Promise<void>;
  close(): Promise<void>;
}

/** `folder` is the other built checkout; `env` adds settings to both. */
export async function startPair(folder: string, env: Record<string, string> = {}): Promise<Pair> {
  const dataDir = throwAwayFolder();
  const cluster = await startEmbedded({ dataDir, flags: THROW_AWAY_FLAGS });
  const secret = randomBytes(32).toString("hex");
  const on = { cluster: cluster.connection, secret, env };
  const ours = await startOn({ ...on, name: "ours", folder: "." });
  const theirs = await startOn({ ...on, name: "theirs", folder });
  const { db, close } = createDb(ours.connection, { max: 4 });
  const cookies = new Map<string, Promise<string>>();
  return {
    ours: ours.server,
    theirs: theirs.server,
    db,
    cookieOf({ id }) {
      const cookie = cookies.get(id) ?? signedIn(db, { userId: id, secret });
      cookies.set(id, cookie);
      return cookie;
    },
    copyRows: () => copyRows({ from: ours.connection, to: theirs.connection }),
    async close() {
      await close();
      await disposeServer(ours.server);
      await disposeServer(theirs.server);
      await cluster.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

/** A checkout's server on a database of its own, which it migrates. */
async function startOn({
  cluster,
  name,
  secret,
  folder,
  env,
}: {
  cluster: Connection;
  name: string;
  secret: string;
  folder: string;
  env: Record<string, string>;
}) {
  if (!("host" in cluster)) throw new Error("The embedded cluster answers on a socket.");
  const sql = connect(cluster, { max: 1 });
  await sql.unsafe(`create database ${name}`);
  await sql.end();
  const { host, port, username } = cluster;
  const server = await startServer(
    {
      DATABASE_URL: `postgres://${username}@localhost:${port}/${name}?host=${host}`,
      BETTER_AUTH_SECRET: secret,
      TOKEN_ENCRYPTION_KEY: randomBytes(32).toString("hex"),
      DEMO: "0",
      LOG_LEVEL: "silent",
      TRUSTED_PROXIES: "127.0.0.1",
      ...env,
    },
    folder,
  );
  return { server, connection: { ...cluster, database: name } };
}

/** All rows, in the columns that both databases know: the other checkout may have other migrations. */
async function copyRows({ from, to }: { from: Connection; to: Connection }): Promise<void> {
  const [source, target] = [connect(from, { max: 1 }), connect(to, { max: 1 })];
  // Foreign keys are whole where the rows come from, and the order of the tables does not matter then.
  await target`set session_replication_role = replica`;
  const tables = await target<{ name: string; columns: string }[]>`
    select table_name as name, string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
    where table_schema = 'public' and is_generated = 'NEVER' group by table_name`;
  for (const { name, columns } of tables) {
    const [known] = await source<{ columns: string }[]>`
      select string_agg(quote_ident(column_name), ', ') as columns from information_schema.columns
      where table_schema = 'public' and table_name = ${name} and quote_ident(column_name) in
        (select trim(value) from string_to_table(${columns}, ',') as value)`;
    if (!known?.columns) continue;
    const [rows] = await source.unsafe<{ all: string | null }[]>(
      `select json_agg(one)::text as all from "${name}" as one`,
    );
    if (!rows?.all) continue;
    await target.unsafe(
      `insert into "${name}" (${known.columns}) select ${known.columns} from json_populate_recordset(null::"${name}", $1::text::json)
       on conflict do nothing`,
      [rows.all],
    );
  }
  await target.unsafe("analyze");
  await Promise.all([source.end(), target.end()]);
}
