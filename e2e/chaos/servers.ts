import { randomBytes } from "node:crypto";
import type { TestBus } from "../../server/test/bus";
import { freePort } from "../../server/test/free-port";
import { startLoadBalancer } from "../proxied-servers";
import { disposeServer, startServer, type TestServer } from "../server";

/** The product's server processes of a run, all on one database. */
export interface Servers {
  /** In the order in which they were started. */
  running(): readonly TestServer[];
  /** Where people reach them: each server's own, or the one of the nginx in front of all. */
  ports(): readonly number[];
  /** Starts or stops servers until `count` run; behind nginx all of them always do. */
  resize(count: number): Promise<void>;
  secret: string;
  log(): string;
  close(): Promise<void>;
}

/** With `behindNginx` so many servers behind one address; else as many as a fault wants, each with its own. */
export async function createServers(
  databaseUrl: string,
  { behindNginx = 0, bus = null }: { behindNginx?: number; bus?: TestBus | null } = {},
): Promise<Servers> {
  const secret = randomBytes(32).toString("hex");
  const all: TestServer[] = [];
  let wanted = 0;
  const env = {
    DATABASE_URL: databaseUrl,
    BETTER_AUTH_SECRET: secret,
    TOKEN_ENCRYPTION_KEY: randomBytes(32).toString("hex"),
    DEMO: "0",
    LOG_LEVEL: "info",
    ...(bus && { PUBSUB_URL: bus.url }),
    ...(behindNginx > 0 && { TRUSTED_PROXIES: "127.0.0.1" }),
  };
  for (; wanted < behindNginx; wanted += 1) all.push(await startServer(env));
  const proxy = behindNginx > 0 ? await startProxy(all) : null;
  return {
    running: () => all.slice(0, wanted),
    ports: () => (proxy ? [proxy.port] : all.slice(0, wanted).map(({ url }) => Number(new URL(url).port))),
    async resize(count) {
      if (proxy && count <= wanted) return;
      for (const server of all.slice(count, wanted)) await server.stop();
      for (const server of all.slice(wanted, count)) await server.start();
      while (all.length < count) all.push(await startServer(env));
      wanted = count;
    },
    secret,
    log: () => all.map(({ url, log }) => `${url}\n${log.join("")}`).join("\n"),
    async close() {
      await proxy?.close();
      for (const server of all) await disposeServer(server);
    },
  };
}

async function startProxy(servers: readonly TestServer[]) {
  const port = await freePort();
  return { port, close: (await startLoadBalancer({ port, servers })).close };
}
