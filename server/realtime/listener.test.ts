import { createServer, connect as dial, type Socket } from "node:net";
import { join } from "node:path";
import { afterAll, afterEach, beforeAll, expect, inject, test } from "vitest";
import { createLogger } from "../core/logger";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { createHub } from "./hub";
import { startListener } from "./listener";
import { notifyMail } from "./notify";
import type { Listener } from "./transport";

let database: TestDatabase;
const closers: (() => Promise<void> | void)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
});
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close();
});
afterAll(() => database.close());

test("a LISTEN that is refused on a connection that stays open is tried again", async () => {
  const { proxy, listener, received, lines } = await startBehindProxy();
  expect(await listener.isWell()).toBe(true);
  proxy.refuseListens(3);
  proxy.dropConnections();
  await expect.poll(() => proxy.refusals()).toBe(3);
  await expect.poll(() => listener.isWell()).toBe(true);
  expect(await received()).toBe(true);
  expect(lines.filter((line) => line.includes("listening was refused"))).toHaveLength(3);
});

test("a listener that no longer receives is replaced, though its connection stands and answers", async () => {
  const { proxy, listener, received, lines } = await startBehindProxy();
  proxy.withholdNotifications();
  expect(await listener.isWell()).toBe(false);
  await expect.poll(() => listener.isWell()).toBe(true);
  expect(await received()).toBe(true);
  expect(lines.join("")).toContain("listener is replaced");
});

test("a start whose first LISTEN fails rejects", async () => {
  const nowhere = { host: "/nowhere", port: 5432, username: "nobody", database: "none" };
  const logger = createLogger({ level: "silent" });
  await expect(startListener({ connection: nowhere, hub: createHub(), logger })).rejects.toMatchObject({
    code: "ENOENT",
  });
});

async function startBehindProxy() {
  const { host, port, username } = inject("pg");
  const { db, connection } = database;
  const proxy = await openProxy(join(host, `.s.PGSQL.${port}`));
  const hub = createHub();
  const lines: string[] = [];
  const listener: Listener = await startListener({
    connection: {
      host: "127.0.0.1",
      port: proxy.port,
      username,
      database: "database" in connection ? connection.database : "",
    },
    hub,
    logger: createLogger({ level: "warn", write: (line) => lines.push(line) }),
    times: { checkMs: 50, pingTimeoutMs: 500, replaceAfterMs: 1_000, retryMs: 20 },
  });
  closers.push(proxy.close, () => listener.close());
  /** Whether a notification reaches who waits for it, other wake-ups aside. */
  const received = async () => {
    const subscription = hub.open();
    subscription.join("mail");
    await notifyMail(db);
    const wakeUp = await subscription.next(AbortSignal.timeout(5_000));
    subscription.close();
    return wakeUp?.subjects.has("mail") ?? false;
  };
  return { proxy, listener, received, lines };
}

/** The way to PostgreSQL, on which LISTEN is made a mistake or notifications are lost. */
async function openProxy(socketPath: string) {
  const sockets = new Set<Socket>();
  let refusing = 0;
  let refused = 0;
  const deaf = new WeakSet<Socket>();
  const server = createServer({ noDelay: true }, (client) => {
    const upstream = dial(socketPath);
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      sockets.add(socket);
      socket.on("error", () => {});
      socket.on("close", () => other.destroy());
    }
    client.on("data", (bytes) => {
      const at = refusing > 0 ? bytes.indexOf('listen "') : -1;
      if (at >= 0) {
        refusing -= 1;
        refused += 1;
        bytes.write("lissen", at);
      }
      upstream.write(bytes);
    });
    upstream.on("data", (bytes) => {
      client.write(deaf.has(client) ? withoutPings(bytes) : bytes);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  return {
    port: typeof address === "object" && address ? address.port : 0,
    refuseListens: (count: number) => {
      refusing = count;
    },
    refusals: () => refused,
    dropConnections: () => {
      for (const socket of sockets) socket.destroy();
    },
    withholdNotifications: () => {
      for (const socket of sockets) deaf.add(socket);
    },
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

/** Small messages come whole over a local socket: a type, a length, a process id, and then what is looked for here. */
function withoutPings(bytes: Buffer): Buffer {
  const at = bytes.indexOf("sangam\0ping ");
  if (at < 0) return bytes;
  const start = at - 9;
  const end = start + 1 + bytes.readUInt32BE(start + 1);
  return Buffer.concat([bytes.subarray(0, start), withoutPings(bytes.subarray(end))]);
}
