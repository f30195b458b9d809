import { createServer, type Server } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Connection, Db, Sql } from "../../db/client";
import { createApp } from "../app";
import type { AppOptions } from "../app-options";
import { createLogger, type Logger } from "../core/logger";
import { answerMalformed, KEEP_ALIVE_MS } from "../core/request-limits";
import type { Tracing } from "../core/tracing";
import { TEST_DATA_DIR } from "./cluster";
import { freePort } from "./free-port";
import { SECRET } from "./session-cookie";

export interface LiveServer {
  /** `http://127.0.0.1:PORT` */
  base: string;
  port: number;
  /** Open TCP connections, sockets included. */
  connections(): Promise<number>;
  /** As a server does that is told to stop. */
  endStreams(): Promise<void>;
  close(): Promise<void>;
}

/** The whole server in this process on a real port: HTTP, server-sent events and WebSockets. */
export async function startLiveServer({
  db,
  sql,
  connection,
  env = {},
  secrets = {},
  port = 0,
  logger,
  connectionTimes,
  keepAliveMs = KEEP_ALIVE_MS,
  streamTimes,
  build,
  root = "/nowhere",
  tracing,
}: {
  db: Db;
  sql: Sql;
  connection: Connection;
  /** Settings that differ from those of most tests: no limits, mails to a folder below the system's own. */
  env?: Partial<AppOptions["env"]>;
  secrets?: Partial<AppOptions["secrets"]>;
  port?: number;
  logger?: Logger;
  connectionTimes?: NonNullable<AppOptions["connectionTimes"]>;
  /** Shorter where a test counts connections, which a client keeps for as long. */
  keepAliveMs?: number;
  streamTimes?: AppOptions["streamTimes"];
  build?: string;
  /** A folder with `dist/` below it; without one there are no pages. */
  root?: string;
  tracing?: Tracing;
}): Promise<LiveServer> {
  const lines: string[] = [];
  const collecting = createLogger({ level: "debug", write: (line) => lines.push(line) });
  const actualPort = port || (await freePort());
  const base = `http://127.0.0.1:${actualPort}`;
  const app = await createApp({
    env: {
      port: actualPort,
      publicUrl: base,
      google: null,
      trustedProxies: [],
      rateLimitMultiplier: 0,
      databaseUrl: null,
      smtpUrl: null,
      pubsubUrl: null,
      mailFrom: "Sangam <hello@sangam.example>",
      contactEmail: null,
      timeZone: "Asia/Kolkata",
      // Nobody answers there: tests of repositories bring a server of their own.
      github: { apiUrl: "http://127.0.0.1:9", webhookSecret: null },
      liveLinkCheckSeconds: 0,
      outgoing: { allowLoopback: false },
      metrics: { port: null, token: null },
      s3Url: null,
      filesQuotaBytes: 1_000_000_000,
      backup: { dir: null, keep: 14, passphrase: null },
      dataDir: TEST_DATA_DIR,
      ...env,
    },
    secrets: {
      betterAuthSecret: SECRET,
      oldBetterAuthSecrets: [],
      tokenEncryptionKey: `${SECRET}-of-tokens`,
      oldTokenEncryptionKeys: [],
      ...secrets,
    },
    db,
    sql,
    connection,
    logger: logger ?? collecting,
    root,
    build,
    closedTo: ["closed@sangam.example"],
    ...(tracing && { tracing }),
    ...(connectionTimes && { connectionTimes }),
    ...(streamTimes && { streamTimes }),
  });
  const server = createServer(getRequestListener(app.fetch, { errorHandler: answerMalformed }));
  server.keepAliveTimeout = keepAliveMs;
  app.attach(server);
  // Last: who comes before the upgrade listener is there waits for ever.
  await listen(server, actualPort);
  return {
    base,
    port: actualPort,
    connections: () =>
      new Promise((resolve, reject) =>
        server.getConnections((error, count) => (error ? reject(error) : resolve(count))),
      ),
    endStreams: app.endStreams,
    async close() {
      await app.close();
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
      await expectNoSecrets(lines, sql);
    },
  };
}

/** What nobody may find in a log: passwords and their hashes, session tokens, reset links, API keys. Whatever the test did. */
async function expectNoSecrets(lines: string[], sql: Sql): Promise<void> {
  const kept =
    await sql`select token as secret from sessions union select password from accounts where password is not null`;
  const secrets = [
    ...kept.map(({ secret }) => String(secret)),
    "sangam-demo",
    "session_token=",
    "reset-password?token=",
    "sgm_",
  ];
  const leaks = lines.filter((line) => secrets.some((secret) => line.includes(secret)));
  if (leaks.length > 0) throw new Error(`secrets in the log:\n${leaks.join("")}`);
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, "127.0.0.1", resolve);
  });
}

/** A stream of project changes as server-sent events, begun; `rest` is all of it up to the refusal that ends it. */
export async function openEventStream(
  server: LiveServer | undefined,
  credentials: Record<string, string>,
): Promise<{ rest: Promise<string> }> {
  const answer = await fetch(`${server?.base}/api/trpc/projects.onChange?input=${encodeURIComponent('{"json":{}}')}`, {
    headers: { accept: "text/event-stream", ...credentials },
  });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  await reader?.read();
  const rest = (async () => {
    let text = "";
    for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
      text += part.value;
      if (text.includes("serialized-error")) break;
    }
    await reader?.cancel();
    return text;
  })();
  return { rest };
}
