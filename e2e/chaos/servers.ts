import { randomBytes } from "node:crypto";
import { disposeServer, startServer, type TestServer } from "../server";

/** The product's server processes of a run, all on one database. */
export interface Servers {
  /** In the order in which they were started. */
  running(): readonly TestServer[];
  ports(): readonly number[];
  /** Starts or stops servers until `count` run. */
  resize(count: number): Promise<void>;
  secret: string;
  log(): string;
  close(): Promise<void>;
}

export function createServers(databaseUrl: string): Servers {
  const secret = randomBytes(32).toString("hex");
  const all: TestServer[] = [];
  let wanted = 0;
  const env = {
    DATABASE_URL: databaseUrl,
    BETTER_AUTH_SECRET: secret,
    TOKEN_ENCRYPTION_KEY: randomBytes(32).toString("hex"),
    DEMO: "0",
    LOG_LEVEL: "info",
  };
  return {
    running: () => all.slice(0, wanted),
    ports: () => all.slice(0, wanted).map(({ url }) => Number(new URL(url).port)),
    async resize(count) {
      for (const server of all.slice(count, wanted)) await server.stop();
      for (const server of all.slice(wanted, count)) await server.start();
      while (all.length < count) all.push(await startServer(env));
      wanted = count;
    },
    secret,
    log: () => all.map(({ url, log }) => `${url}\n${log.join("")}`).join("\n"),
    async close() {
      for (const server of all) await disposeServer(server);
    },
  };
}
