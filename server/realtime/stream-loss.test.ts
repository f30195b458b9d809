import { randomUUID } from "node:crypto";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { createTRPCClient, createWSClient, retryLink, wsLink } from "@trpc/client";
import superjson from "superjson";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { createDb } from "../../db/client";
import { makeConversation, makeSession, makeUser, type UserRow } from "../../db/factories";
import type { AppRouter } from "../router";
import { createTestCallers, type TestCaller } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { type FaultProxy, type Loss, openFaultProxy, socketPathOf } from "../test/fault-proxy";
import { type LiveServer, startLiveServer } from "../test/live-server";
import { sessionCookie } from "../test/session-cookie";

const STREAMS = 40;
const SOCKETS = 4;
/** The reads of a stream end sooner here; what is left is to begin again, and a busy machine. */
const POOL = { max: 10, readTimeoutMs: 800, writeTimeoutMs: 1_000 };
/** Of the event loop: in so many of them the subscriptions arrive and are read for. */
const TURNS = 60;
/** The listening connection may be among those that fell silent: then it is the safety timer that brings the news, within 15 s. */
const SILENCE_MS = 20_000;
const REFUSALS = ["UNAUTHORIZED", "FORBIDDEN", "NOT_FOUND", "BAD_REQUEST"];

let database: TestDatabase;
let gate: FaultProxy;
let server: LiveServer;
let asha: UserRow;
let writer: TestCaller;
let conversationId: string;
let pool: ReturnType<typeof createDb>;

beforeAll(async () => {
  database = await createTestDatabase();
  gate = await openFaultProxy(() => socketPathOf(database.connection));
  const connection = { ...database.connection, host: "127.0.0.1", port: gate.port };
  pool = createDb(connection, POOL);
  server = await startLiveServer({ db: pool.db, sql: pool.sql, connection });
  asha = await makeUser(database.db, { accountType: "admin" });
  const meera = await makeUser(database.db, { accountType: "client" });
  const first = { senderId: asha.id, text: "1" };
  conversationId = (await makeConversation(database.db, { between: [asha.id, meera.id], messages: [first] })).id;
  // Past the gate: what is written is stored, whatever is lost.
  writer = await createTestCallers(database.db).as(asha);
});
afterAll(async () => {
  // What is silent still is used up.
  await Promise.allSettled(Array.from({ length: STREAMS }, () => pool.sql`select 1`));
  await server.close();
  await Promise.all([pool.close(), gate.close()]);
  await database.close();
});

test.each<Loss>(["closed", "reset", "silenced"])(
  "connections that are %s in the turn in which 40 streams open leave none of them silent",
  async (loss) => {
    const client = await openSockets();
    const open = () => Array.from({ length: STREAMS }, (_, at) => openStream(client(at)));
    for (let round = 0; round < (loss === "silenced" ? 1 : 3); round += 1) {
      // On connections where all statements are prepared: there more of them are under way at once.
      await expectNews(open());
      const streams = open();
      for (let turn = 0; turn < TURNS; turn += 1) {
        await nextTurn();
        if (turn % 4 === 0) for (const connection of gate.connections().slice(0, 2)) connection.lose(loss);
      }
      await expectNews(streams);
    }
  },
  60_000,
);

/** Each of them delivers the next message, at once or after it has begun again; and ends. */
async function expectNews(streams: ReturnType<typeof openStream>[]): Promise<void> {
  const { seq } = await writer.chat.send({ conversationId, text: "More", clientMessageId: randomUUID() });
  const until = performance.now() + SILENCE_MS;
  while (!streams.every(({ receivedUpTo }) => receivedUpTo() >= seq) && performance.now() < until) await sleep(10);
  const silent = streams.flatMap(({ receivedUpTo, ended }) => (receivedUpTo() < seq ? [ended() ?? "silent"] : []));
  for (const { stop } of streams) stop();
  expect(silent).toEqual([]);
}

type Client = ReturnType<typeof createTRPCClient<AppRouter>>;

/** Sockets of one person's tabs that begin again as the browser's do, with shorter pauses; streams are dealt out to them. */
async function openSockets(): Promise<(at: number) => Client> {
  const { token } = await makeSession(database.db, { userId: asha.id });
  class CookieSocket extends WebSocket {
    constructor(url: string | URL) {
      super(url, { headers: { cookie: sessionCookie(token), origin: server.base } });
    }
  }
  const clients = Array.from({ length: SOCKETS }, () => {
    const socket = createWSClient({
      url: `${server.base.replace("http", "ws")}/api/trpc`,
      WebSocket: CookieSocket as never,
      retryDelayMs: () => 100,
    });
    onTestFinished(() => void socket.close());
    const retry = retryLink<AppRouter>({
      retry: ({ error }) => !REFUSALS.includes(error.data?.code ?? ""),
      retryDelayMs: () => 100,
    });
    return createTRPCClient<AppRouter>({ links: [retry, wsLink({ client: socket, transformer: superjson })] });
  });
  await Promise.all(clients.map((client) => client.auth.me.query()));
  return (at) => clients[at % SOCKETS] as Client;
}

function openStream(client: Client) {
  let receivedUpTo = 0;
  let ended: string | null = null;
  const { unsubscribe } = client.chat.onMessage.subscribe(
    { conversationId },
    {
      onData({ data }) {
        if (data.type === "message") receivedUpTo = data.message.seq;
      },
      onError: (error) => {
        ended = error.message;
      },
      onComplete: () => {
        ended = "complete";
      },
    },
  );
  return { receivedUpTo: () => receivedUpTo, ended: () => ended, stop: unsubscribe };
}
