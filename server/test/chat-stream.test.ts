import { randomUUID } from "node:crypto";
import { connect as connectTcp } from "node:net";
import { createTRPCClient, createWSClient, wsLink } from "@trpc/client";
import superjson from "superjson";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { makeConversation, makeSession, makeUser, type UserRow } from "../../db/factories";
import type { AppRouter } from "../router";
import { createTestCallers, type TestCaller } from "./caller";
import { createTestDatabase, type TestDatabase } from "./db";
import { type LiveServer, startLiveServer } from "./live-server";
import { sessionCookie } from "./session-cookie";

let database: TestDatabase;
let server: LiveServer;
let asha: UserRow;
let meera: UserRow;
let writer: TestCaller;
let conversationId: string;
const closers: (() => void)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startLiveServer(database);
  asha = await makeUser(database.db, { accountType: "admin" });
  writer = await createTestCallers(database.db).as(asha);
});
beforeEach(async () => {
  meera = await makeUser(database.db, { accountType: "client" });
  const first = { senderId: asha.id, text: "1" };
  const made = await makeConversation(database.db, { between: [asha.id, meera.id], messages: [first] });
  conversationId = made.id;
});
afterEach(() => {
  for (const close of closers.splice(0)) close();
});
afterAll(async () => {
  await server.close();
  await database.close();
});

const write = async (count: number) => {
  for (let at = 0; at < count; at += 1) {
    await writer.chat.send({ conversationId, text: "More", clientMessageId: randomUUID() });
  }
};
const upTo = (size: number, from = 1) => Array.from({ length: size - from + 1 }, (_, at) => from + at);

test("a browser's socket resumes behind what it has received, with no gap and no double, after the server was away", async () => {
  const stream = await watch();
  await write(4);
  await stream.receives(5);
  await server.close();
  await write(120);
  server = await startLiveServer({ ...database, port: server.port });
  await stream.receives(125);
  await write(3);
  await stream.receives(128);
  expect(stream.received).toEqual(upTo(128));
});

test("an event stream resumes behind its last event id, and a cursor of another kind makes a resync", async () => {
  await write(70);
  const input = encodeURIComponent(JSON.stringify({ json: { conversationId } }));
  const cookie = sessionCookie((await makeSession(database.db, { userId: meera.id })).token);
  const open = async (lastEventId: string, headers: Record<string, string> = { cookie }) => {
    const answer = await fetch(`${server.base}/api/trpc/chat.onMessage?input=${input}`, {
      headers: { accept: "text/event-stream", "last-event-id": lastEventId, ...headers },
    });
    return answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  };
  const idsUntil = async (lastEventId: string, last: string) => {
    const reader = await open(lastEventId);
    let text = "";
    while (!text.includes(`id: ${last}\n`)) text += (await reader?.read())?.value ?? "";
    await reader?.cancel();
    return [...text.matchAll(/^id: (\d+)$/gm)].map(([, id]) => Number(id));
  };
  expect(await idsUntil("60", "71")).toEqual(upTo(71, 61));
  expect(await idsUntil("nonsense", "71")).toEqual(upTo(71, 22));
  const stranger = await makeUser(database.db, { accountType: "admin" });
  const foreign = sessionCookie((await makeSession(database.db, { userId: stranger.id })).token);
  const refused = (await (await open("60", { cookie: foreign }))?.read())?.value ?? "";
  expect(refused).toContain("NOT_FOUND");
  expect(refused).not.toContain("More");
});

test("a reader that never reads is dropped while it catches up", async () => {
  const { id } = await makeConversation(database.db, {
    between: [asha.id, (await makeUser(database.db)).id],
    messages: Array.from({ length: 1_500 }, () => ({ senderId: asha.id, text: "₹".repeat(4_000) })),
  });
  const others = await server.connections();
  const socket = connectTcp(server.port, "127.0.0.1");
  closers.push(() => socket.destroy());
  const cookie = sessionCookie((await makeSession(database.db, { userId: asha.id })).token);
  socket.write(
    `GET /api/trpc HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: ${server.base}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nCookie: ${cookie}\r\n\r\n`,
  );
  await new Promise((resolve) => socket.once("data", resolve));
  socket.pause();
  const params = { path: "chat.onMessage", input: { json: { conversationId: id } }, lastEventId: "0" };
  socket.write(frame(JSON.stringify({ id: 1, method: "subscription", params })));
  while ((await server.connections()) > others) await new Promise((resolve) => setTimeout(resolve, 20));
});

/** A socket of Meera's browser on the conversation, from the first message on. */
async function watch() {
  const { token } = await makeSession(database.db, { userId: meera.id });
  class CookieSocket extends WebSocket {
    constructor(url: string | URL) {
      super(url, { headers: { cookie: sessionCookie(token), origin: server.base } });
    }
  }
  const socket = createWSClient({
    url: `${server.base.replace("http", "ws")}/api/trpc`,
    WebSocket: CookieSocket as never,
    retryDelayMs: () => 50,
  });
  const client = createTRPCClient<AppRouter>({ links: [wsLink({ client: socket, transformer: superjson })] });
  const received: number[] = [];
  let wakeUp = () => {};
  const subscription = client.chat.onMessage.subscribe(
    { conversationId, lastEventId: "0" },
    {
      onData: ({ data }) => {
        if (data.type === "message") received.push(data.message.seq);
        wakeUp();
      },
    },
  );
  closers.push(() => {
    subscription.unsubscribe();
    void socket.close();
  });
  return {
    received,
    /** Resolves once the message of that number was received. */
    async receives(seq: number) {
      while (!received.includes(seq)) {
        await new Promise<void>((resolve) => {
          wakeUp = resolve;
        });
      }
    },
  };
}

/** A masked text frame, as a client sends it. */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const header = Buffer.from([0x81, 0xfe, payload.length >> 8, payload.length & 255]);
  return Buffer.concat([header, Buffer.alloc(4), payload]);
}
