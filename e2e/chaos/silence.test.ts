import { connect, createServer, type Socket } from "node:net";
import { createTRPCClient, httpSubscriptionLink } from "@trpc/client";
import { EventSource } from "eventsource";
import superjson from "superjson";
import { afterAll, beforeAll, expect, test } from "vitest";
import { resumingLink } from "@/client/resuming-link";
import { makeConversation, makeSession, makeUser, type UserRow } from "../../db/factories";
import type { AppRouter } from "../../server/router";
import { createTestCallers, type TestCaller } from "../../server/test/caller";
import { createTestDatabase, type TestDatabase } from "../../server/test/db";
import { listen } from "../../server/test/fault-proxy";
import { type LiveServer, startLiveServer } from "../../server/test/live-server";
import { sessionCookie } from "../../server/test/session-cookie";
import { type ChatClient, createBrowserClient } from "./browser-client";

/* Connections that stand, and over which nothing comes any more: nobody closes them, and nobody is told. */

const SILENCE_MS = 800;

let database: TestDatabase;
let server: LiveServer;
let asha: UserRow;
let writer: TestCaller;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startLiveServer(database);
  asha = await makeUser(database.db, { accountType: "admin" });
  writer = await createTestCallers(database.db).as(asha);
});
afterAll(async () => {
  await server.close();
  await database.close();
});

type Open = (way: { url: string; cookie: string }) => { client: Pick<ChatClient, "chat">; close(): void };
const TRANSPORTS: [string, Open][] = [
  ["a socket", (way) => createBrowserClient({ ...way, silenceMs: SILENCE_MS, onConnection: () => {} })],
  ["server-sent events", openEvents],
];

test.each(TRANSPORTS)(
  "a stream over %s that goes silent is begun again, and misses and doubles nothing",
  async (_name, open) => {
    const meera = await makeUser(database.db, { accountType: "client" });
    const { id: conversationId } = await makeConversation(database.db, { between: [asha.id, meera.id], messages: [] });
    const write = (text: string) => writer.chat.send({ conversationId, text, clientMessageId: crypto.randomUUID() });
    const way = await openWay();
    const cookie = sessionCookie((await makeSession(database.db, { userId: meera.id })).token);
    const { client, close } = open({ url: way.url, cookie });
    const received: string[] = [];
    const errors: unknown[] = [];
    const stream = client.chat.onMessage.subscribe(
      { conversationId, lastEventId: "0" },
      {
        onData: ({ data }) => data.type === "message" && received.push(data.message.text),
        onError: (error) => errors.push(error),
      },
    );
    const receives = (text: string) => expect.poll(() => received, { timeout: 15_000, interval: 20 }).toContain(text);
    await write("one");
    await receives("one");
    way.swallow();
    await write("two");
    await receives("two");
    await write("three");
    await receives("three");
    expect({ received, errors }).toEqual({ received: ["one", "two", "three"], errors: [] });
    stream.unsubscribe();
    close();
    await way.close();
  },
);

function openEvents({ url, cookie }: { url: string; cookie: string }) {
  const client = createTRPCClient<AppRouter>({
    links: [
      resumingLink({ maxWaitMs: 4_000, silenceMs: SILENCE_MS }),
      httpSubscriptionLink<AppRouter, typeof EventSource>({
        url: `${url}/api/trpc`,
        transformer: superjson,
        EventSource,
        eventSourceOptions: {
          fetch: (target, init) => fetch(target, { ...init, headers: { ...init.headers, cookie } }),
        },
      }),
    ],
  });
  return { client, close: () => {} };
}

/** A way to the server. `swallow`: of what it says from now on over the connections that stand, nothing arrives. */
async function openWay() {
  const sockets = new Set<Socket>();
  const swallowed = new WeakSet<Socket>();
  const listener = createServer({ noDelay: true }, (client) => {
    const behind = connect({ port: server.port, host: "127.0.0.1", noDelay: true });
    for (const [one, other] of [
      [client, behind],
      [behind, client],
    ] as const) {
      sockets.add(one);
      one.on("error", () => one.destroy());
      one.on("close", () => other.destroy());
    }
    client.pipe(behind);
    behind.on("data", (bytes) => swallowed.has(behind) || client.write(bytes));
  });
  return {
    url: `http://127.0.0.1:${await listen(listener)}`,
    swallow() {
      for (const socket of sockets) swallowed.add(socket);
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => listener.close(resolve));
    },
  };
}
