import { randomBytes, randomUUID } from "node:crypto";
import { rmSync } from "node:fs";
import { parseArgs } from "node:util";
import { type Connection, connect, createDb } from "../db/client";
import { startEmbedded } from "../db/embedded/start";
import { makeConversation, makeUser } from "../db/factories";
import { disposeServer, startServer } from "../e2e/server";
import { THROW_AWAY_FLAGS, throwAwayFolder } from "../server/test/cluster";
import { comparePaired } from "./lib/measure";
import { makeFirm, signedIn } from "./lib/rig";
import { mutate } from "./lib/sockets";

/*
 * Has it become slower? `npm run bench paired -- --against FOLDER`, another checkout that is built: both servers run beside
 * each other on one PostgreSQL, with the same firm in a database each. No interval may lie wholly below 0.95.
 */

const LEAST = 0.95;

const { values } = parseArgs({ options: { against: { type: "string" }, seconds: { type: "string", default: "1" } } });
if (values.against === undefined) console.log("paired: name another built checkout with --against FOLDER.");
else await compare(values.against, Number(values.seconds) * 1_000);

async function compare(folder: string, durationMs: number): Promise<void> {
  const dataDir = throwAwayFolder();
  const cluster = await startEmbedded({ dataDir, flags: THROW_AWAY_FLAGS });
  const secret = randomBytes(32).toString("hex");
  const [ours, theirs] = [
    await startOn({ cluster: cluster.connection, name: "ours", secret, folder: "." }),
    await startOn({ cluster: cluster.connection, name: "theirs", secret, folder }),
  ] as const;
  try {
    const { cookie, adminCookie, projectIds, conversationIds } = await fill(ours.connection, secret);
    await copyRows({ from: ours.connection, to: theirs.connection });
    const both = (call: (api: string) => () => Promise<unknown>) => {
      const work = (api: string) => {
        const one = call(api);
        return async () => void (await one());
      };
      return [work(`${ours.server.url}/api/trpc`), work(`${theirs.server.url}/api/trpc`)] as const;
    };
    const read = (path: string, input: object) => (api: string) => async () => {
      const url = `${api}/${path}?input=${encodeURIComponent(JSON.stringify({ json: input }))}`;
      const answer = await fetch(url, { headers: { cookie } });
      if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
      return answer.arrayBuffer();
    };
    let count = 0;
    const next = (ids: readonly string[]) => ids[count++ % ids.length];
    const create = (api: string) => () =>
      mutate(`${api}/tasks.create`, cookie, {
        projectId: next(projectIds),
        title: "Measured",
        description: "About it.",
      });
    const send = (api: string) => () =>
      mutate(`${api}/chat.send`, adminCookie, {
        conversationId: next(conversationIds),
        text: "Measured",
        clientMessageId: randomUUID(),
      });
    const results = [
      await comparePaired("tasks.list", {
        concurrency: 16,
        durationMs,
        works: both(read("tasks.list", { projectId: projectIds[0] })),
      }),
      await comparePaired("projects.list", {
        concurrency: 16,
        durationMs,
        works: both(read("projects.list", { scope: "mine" })),
      }),
      await comparePaired("tasks.create", { concurrency: 8, durationMs, works: both(create) }),
      await comparePaired("chat.send", { concurrency: 8, durationMs, works: both(send) }),
    ];
    if (results.some(({ high }) => high < LEAST)) process.exitCode = 1;
  } finally {
    await disposeServer(ours.server);
    await disposeServer(theirs.server);
    await cluster.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** A checkout's server on a database of its own, which it migrates. */
async function startOn({
  cluster,
  name,
  secret,
  folder,
}: {
  cluster: Connection;
  name: string;
  secret: string;
  folder: string;
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
    },
    folder,
  );
  return { server, connection: { ...cluster, database: name } };
}

async function fill(connection: Connection, secret: string) {
  const { db, close } = createDb(connection, { max: 4 });
  try {
    const { user, people, projectIds } = await makeFirm(db, { projects: 100, tasks: 1_500, tasksOfFirst: 200 });
    const admin = await makeUser(db, { accountType: "admin" });
    const conversationIds: string[] = [];
    for (const other of people) {
      conversationIds.push((await makeConversation(db, { between: [admin.id, other.id], messages: [] })).id);
    }
    const [cookie, adminCookie] = [
      await signedIn(db, { userId: user.id, secret }),
      await signedIn(db, { userId: admin.id, secret }),
    ];
    return { cookie, adminCookie, projectIds, conversationIds };
  } finally {
    await close();
  }
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
