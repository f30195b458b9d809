import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { connect, type Sql } from "../../db/client";
import { type EmbeddedCluster, startEmbedded } from "../../db/embedded/start";
import { throwAwayFolder } from "../../server/test/cluster";
import { type FaultProxy, openFaultProxy } from "../../server/test/fault-proxy";
import type { Rows } from "./history";
import type { OverviewRows } from "./overview-history";
import { readOverviewRows } from "./overview-rows";

/** The one PostgreSQL of a run. The servers connect through a proxy, the runner directly. */
export interface Database {
  /** For the servers. */
  url: string;
  /** Direct; calls fail while the database is down. */
  sql: Sql;
  proxy: DatabaseProxy;
  /** A fast shutdown: running transactions are rolled back. */
  stop(): Promise<void>;
  /** kill -9 of all its processes. */
  kill(): Promise<void>;
  /** On the same files. */
  start(): Promise<void>;
  /** One snapshot of what is stored. */
  readRows(personIds: readonly string[]): Promise<Rows>;
  /** What "since you were here" and whose turn it is are counted from. */
  readOverviewRows(personIds: readonly string[]): Promise<OverviewRows>;
  /** Stores a commit of a project, as a sync run that has read it does. */
  push(projectId: string): Promise<void>;
  /** Resolves once no transaction is left that runs now. */
  untilIdle(): Promise<void>;
  close(): Promise<void>;
}

const NAME = "sangam";
/** Acknowledged writes are on disk: a crash loses nothing. */
const DURABLE = ["fsync=on", "synchronous_commit=on"];
/** Killing the process loses nothing that is in the system's page cache. */
const IN_MEMORY = ["fsync=off", "synchronous_commit=on"];
const START_TRIES = 50;

export async function startDatabase({ isDurable }: { isDurable: boolean }): Promise<Database> {
  const dataDir = folderFor({ isDurable });
  const flags = ["max_connections=100", ...(isDurable ? DURABLE : IN_MEMORY)];
  let cluster = await startEmbedded({ dataDir, flags });
  const socketPath = () =>
    "host" in cluster.connection ? join(cluster.connection.host, `.s.PGSQL.${cluster.connection.port}`) : "";
  const proxy = await openDatabaseProxy(socketPath);
  const sql = connect(cluster.connection, { max: 3 });
  return {
    url: `postgres://${NAME}@127.0.0.1:${proxy.port}/${NAME}`,
    sql,
    proxy,
    stop: () => cluster.stop(),
    async kill() {
      const children = await sql<{ pid: number }[]>`select pid from pg_stat_activity`;
      const pids = [postmasterOf(dataDir), ...children.map(({ pid }) => pid)];
      for (const pid of pids) killNow(pid);
      await cluster.exited;
    },
    async start() {
      cluster = await startAgain({ dataDir, flags });
    },
    readRows: (personIds) => readRows(sql, personIds),
    readOverviewRows: (personIds) => readOverviewRows(sql, personIds),
    async push(projectId) {
      await sql`insert into commits (repository_id, sha, message, html_url, author_name, authored_at)
        select repository_id, md5(gen_random_uuid()::text), 'Tides', '', 'Asha', now() - interval '1 hour'
        from projects where id = ${projectId}`;
    },
    untilIdle: () => untilIdle(sql),
    async close() {
      await sql.end({ timeout: 1 });
      await proxy.close();
      await cluster.stop();
      rmSync(dataDir, { recursive: true, force: true });
    },
  };
}

async function untilIdle(sql: Sql): Promise<void> {
  const [begun] = await sql<{ now: string }[]>`select clock_timestamp()::text as now`;
  const runs = async () => {
    const left = await sql`select from pg_stat_activity
      where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()
      and xact_start < ${begun?.now ?? null}::timestamptz`;
    return left.length > 0;
  };
  while (await runs()) await sleep(100);
}

/** PostgreSQL refuses to start while a process of its predecessor still runs. */
async function startAgain(options: { dataDir: string; flags: readonly string[] }): Promise<EmbeddedCluster> {
  for (let round = 1; ; round += 1) {
    try {
      return await startEmbedded(options);
    } catch (error) {
      if (round === START_TRIES) throw error;
      await sleep(100);
    }
  }
}

function postmasterOf(dataDir: string): number {
  const note: unknown = JSON.parse(readFileSync(join(dataDir, "cluster.json"), "utf8"));
  if (typeof note !== "object" || note === null || !("pid" in note)) throw new Error("cluster.json names no process");
  return Number(note.pid);
}

function killNow(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended by itself.
  }
}

/** On disk, or in memory when nothing has to survive. */
function folderFor({ isDurable }: { isDurable: boolean }): string {
  if (!isDurable) return throwAwayFolder();
  const folder = mkdtempSync(join(tmpdir(), `sangam-chaos-${process.pid}-`));
  // When root runs this, PostgreSQL's own user must be able to enter.
  chmodSync(folder, 0o711);
  return folder;
}

/** One statement sees one state of the database. */
async function readRows(sql: Sql, personIds: readonly string[]): Promise<Rows> {
  const [read] = await sql<{ rows: Rows }[]>`
    with own as (
      select * from conversations where lower_user_id in ${sql([...personIds])}
    ), discussed as (
      select d.* from discussions d join projects p on p.id = d.project_id where p.client_id in ${sql([...personIds])}
    ), commented as (
      select c.*, d.task_id from comments c join discussed d on d.id = c.discussion_id
    )
    select json_build_object(
      'conversations', (
        select coalesce(json_agg(json_build_object(
          'id', id, 'personIds', json_build_array(lower_user_id, higher_user_id), 'lastSeq', last_seq,
          'readSeqs', json_build_object(lower_user_id, lower_read_seq, higher_user_id, higher_read_seq),
          'updatedAtMs', floor(extract(epoch from updated_at) * 1000)
        ) order by updated_at desc), '[]') from own
      ),
      'messages', (
        select coalesce(json_agg(json_build_object(
          'conversationId', conversation_id, 'seq', seq, 'senderId', sender_id, 'key', client_message_id,
          'label', split_part(text, chr(10), 1)
        ) order by conversation_id, seq), '[]') from messages where conversation_id in (select id from own)
      ),
      'discussions', (
        select coalesce(json_agg(json_build_object(
          'taskId', task_id, 'lastSeq', last_seq, 'lastClientSeq', last_client_seq
        ) order by task_id), '[]') from discussed
      ),
      'comments', (
        select coalesce(json_agg(json_build_object(
          'id', id, 'taskId', task_id, 'seq', seq, 'clientSeq', client_seq, 'authorId', author_id,
          'key', client_comment_id, 'label', split_part(text, chr(10), 1), 'visibility', visibility
        ) order by task_id, seq), '[]') from commented
      ),
      'notifications', (
        select coalesce(json_agg(json_build_object('userId', user_id, 'commentId', comment_id)
          order by comment_id, user_id), '[]')
        from notifications where comment_id in (select id from commented)
      )
    ) as rows`;
  return read?.rows ?? { conversations: [], messages: [], discussions: [], comments: [], notifications: [] };
}

/** A proxy in front of PostgreSQL that loses connections and blocks notifications. */
interface DatabaseProxy extends FaultProxy {
  /** Blocks all notifications, and nothing else. */
  blockNotifications(isBlocking: boolean): void;
  /** Blocks the notifications of the present connections, not those of later ones. */
  blockPresentConnections(): void;
}

const NOTIFICATION = "A".charCodeAt(0);

/** `socketPath` returns PostgreSQL's current socket. */
async function openDatabaseProxy(socketPath: () => string): Promise<DatabaseProxy> {
  const blocked = new Set<number | null>();
  let isBlocking = false;
  const proxy = await openFaultProxy(
    socketPath,
    ({ type, pid }) => type !== NOTIFICATION || !(isBlocking || blocked.has(pid)),
  );
  return {
    ...proxy,
    blockNotifications(next) {
      isBlocking = next;
    },
    blockPresentConnections() {
      for (const { pid } of proxy.connections()) blocked.add(pid);
    },
  };
}
