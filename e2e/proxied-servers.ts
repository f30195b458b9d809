import { randomBytes } from "node:crypto";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { createDb, type Db } from "../db/client";
import { type EmbeddedCluster, startEmbedded } from "../db/embedded/start";
import { makeSession } from "../db/factories";
import { findProgram } from "../scripts/find-program.mjs";
import { throwAwayFolder } from "../server/test/cluster";
import { freePort } from "../server/test/free-port";
import { sessionCookie } from "../server/test/session-cookie";
import { startNginx } from "./deploy/proxies";
import { disposeServer, startServer, type TestServer } from "./server";

/** Built servers on one database, behind one nginx. */
export interface ProxiedServers {
  /** Of nginx, without a slash at the end. */
  url: string;
  servers: readonly TestServer[];
  db: Db;
  /** The cookie that a browser of this person would send. */
  cookieOf(user: { id: string }): Promise<string>;
  close(): Promise<void>;
}

interface Options {
  count: number;
  /** Settings of all servers besides. */
  env?: Record<string, string>;
  /** The built checkout that each of them runs; without one this one. */
  folders?: readonly string[];
  flags?: readonly string[];
}

const FLAGS = ["fsync=off", "synchronous_commit=off", "full_page_writes=off", "max_connections=200"];

/** Starts `count` servers, one after the other as each migrates, and nginx in front of them, which must be there (`findProgram`). */
export async function startProxiedServers(options: Options): Promise<ProxiedServers> {
  const { count, env = {}, folders = [], flags = FLAGS } = options;
  const folder = throwAwayFolder();
  const closers: (() => Promise<void>)[] = [async () => rmSync(folder, { recursive: true, force: true })];
  const close = async () => {
    for (const closer of closers.reverse()) await closer();
  };
  try {
    const cluster = await startEmbedded({ dataDir: join(folder, "pg"), flags });
    closers.push(() => cluster.stop());
    const port = await freePort();
    const url = `http://127.0.0.1:${port}`;
    const secret = randomBytes(32).toString("hex");
    const shared = {
      DATABASE_URL: urlOf(cluster),
      BETTER_AUTH_SECRET: secret,
      TOKEN_ENCRYPTION_KEY: randomBytes(32).toString("hex"),
      PUBLIC_URL: url,
      TRUSTED_PROXIES: "127.0.0.1",
      DEMO: "0",
      LOG_LEVEL: "warn",
      ...env,
    };
    const servers: TestServer[] = [];
    for (let at = 0; at < count; at += 1) {
      const server = await startServer(shared, folders[at], servers[0]);
      servers.push(server);
      closers.push(() => disposeServer(server));
    }
    const { db, close: closeDb } = createDb(cluster.connection, { max: 4 });
    closers.push(closeDb);
    const proxy = await startLoadBalancer({ port, servers });
    closers.push(() => proxy.close());
    return {
      url,
      servers,
      db,
      async cookieOf(user) {
        const { token } = await makeSession(db, { userId: user.id, hours: 24 });
        return sessionCookie(token, secret);
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

function urlOf({ connection }: EmbeddedCluster): string {
  if (!("host" in connection)) throw new Error("The embedded cluster answers on a socket.");
  const { host, port, username, database } = connection;
  return `postgres://${username}@localhost:${port}/${database}?host=${host}`;
}

/** nginx by `deploy/nginx.conf` in front of servers, over http, each request to the next one. */
export async function startLoadBalancer({ port, servers }: { port: number; servers: readonly TestServer[] }) {
  const program = await findProgram("nginx");
  if (program === null) throw new Error("nginx is not installed.");
  const upstreams = servers.map(({ url }) => new URL(url).host);
  return startNginx({ program, port, plainPort: await freePort(), upstreams, load: { connections: 20_000 } });
}
