import { connect as connectTcp } from "node:net";
import { createTRPCClient, createWSClient, wsLink } from "@trpc/client";
import { eq } from "drizzle-orm";
import superjson from "superjson";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { makeProject, makeSession, makeUser, type UserRow } from "../../db/factories";
import { sessions } from "../../db/schema";
import type { ProjectChange } from "../contract/views";
import type { AppRouter } from "../router";
import { createTestCallers, type TestCaller } from "./caller";
import { createTestDatabase, type TestDatabase } from "./db";
import { type LiveServer, startLiveServer } from "./live-server";
import { sessionCookie } from "./session-cookie";

let database: TestDatabase;
let server: LiveServer;
let rohan: UserRow;
let writer: TestCaller;
const closers: (() => void)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startLiveServer(database);
  rohan = await makeUser(database.db);
  writer = await createTestCallers(database.db).as(rohan);
});
afterEach(() => {
  for (const close of closers.splice(0)) close();
});
afterAll(async () => {
  await server.close();
  await database.close();
});

test("a browser's socket receives a change, and the next one after the server was away, without a reload", async () => {
  const project = await makeProject(database.db, { createdBy: rohan.id });
  const stream = watch(await tokenOf(rohan));
  await stream.started(1);
  await writer.projects.update({ projectId: project.id, version: 1, patch: { title: "Before" } });
  await stream.receives((change) => change.project?.title === "Before");
  await server.close();
  await writer.projects.update({ projectId: project.id, version: 2, patch: { title: "While away" } });
  server = await startLiveServer({ ...database, port: server.port });
  // The second start is the client's sign to read its lists again: what happened meanwhile is in the rows.
  await stream.started(2);
  await writer.projects.update({ projectId: project.id, version: 3, patch: { title: "After" } });
  await stream.receives((change) => change.project?.title === "After");
});

test("each operation on an open socket is authorised afresh", async () => {
  const token = await tokenOf(rohan);
  const { client } = connect(token);
  expect(await client.auth.me.query()).toMatchObject({ id: rohan.id });
  await database.db.delete(sessions).where(eq(sessions.token, token));
  expect(await client.auth.me.query()).toBeNull();
  await expect(client.projects.list.query({ scope: "mine" })).rejects.toMatchObject({ data: { code: "UNAUTHORIZED" } });
});

test("a stream whose session has ended closes with an error that is not retried", async () => {
  const project = await makeProject(database.db, { createdBy: rohan.id });
  const token = await tokenOf(rohan);
  const stream = watch(token);
  await stream.started(1);
  await database.db.delete(sessions).where(eq(sessions.token, token));
  await writer.projects.update({ projectId: project.id, version: 1, patch: { title: "Not for the signed-out" } });
  expect(await stream.failure).toMatchObject({ data: { code: "UNAUTHORIZED", kind: "domain" } });
  expect(JSON.stringify(stream.received)).not.toContain("Not for the signed-out");
});

test("a refused stream says code and words and nothing else", async () => {
  const stream = watch("no-session");
  const failure = await stream.failure;
  expect(failure).toMatchObject({ message: "Please log in to continue.", data: { code: "UNAUTHORIZED" } });
  expect(JSON.stringify(failure)).not.toMatch(/stack|\.ts/);
});

test("one message carries ten calls at most, as over HTTP", async () => {
  const answers = await new Promise<string>((resolve, reject) => {
    const socket = new WebSocket(`${server.base.replace("http", "ws")}/api/trpc`, { headers: { origin: server.base } });
    closers.push(() => socket.terminate());
    socket.on("error", reject);
    socket.on("message", (data) => resolve(String(data)));
    socket.on("open", () => {
      const call = (id: number) => ({ id, method: "query", params: { path: "auth.me", input: { json: null } } });
      socket.send(JSON.stringify(Array.from({ length: 11 }, (_, at) => call(at + 1))));
    });
  });
  expect(answers).toContain("PARSE_ERROR");
});

test.each(["Bearer sgm_é", "Bearer a\nb", "Bearer nonsense"])(
  "a socket that brings the key %j is nobody's, whatever cookie comes with it",
  async (authorization) => {
    const { client } = connect(await tokenOf(rohan), { authorization });
    expect(await client.auth.me.query()).toBeNull();
  },
);

test("sign-in over a socket is refused: it cannot set a cookie", async () => {
  const { client } = connect(await tokenOf(rohan));
  await expect(
    client.auth.signIn.mutate({ email: rohan.email, password: "sangam-demo", rememberMe: true }),
  ).rejects.toMatchObject({ data: { code: "BAD_REQUEST" } });
});

test("a reader that never reads is dropped before it holds more than a few megabytes", async () => {
  const reader = await makeUser(database.db);
  for (let at = 0; at < 40; at += 1) {
    await makeProject(database.db, { createdBy: rohan.id, assignedTo: [reader.id], description: "₹".repeat(5000) });
  }
  const others = await server.connections();
  const socket = connectTcp(server.port, "127.0.0.1");
  closers.push(() => socket.destroy());
  const cookie = sessionCookie(await tokenOf(reader));
  socket.write(
    `GET /api/trpc HTTP/1.1\r\nHost: 127.0.0.1\r\nOrigin: ${server.base}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
      `Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nCookie: ${cookie}\r\n\r\n`,
  );
  await new Promise((resolve) => socket.once("data", resolve));
  socket.write(
    frame(
      JSON.stringify({ id: 1, method: "subscription", params: { path: "projects.onChange", input: { json: {} } } }),
    ),
  );
  await new Promise((resolve) => socket.once("data", resolve));
  socket.pause();
  // 600 kB a round; the kernel's own buffers take some ten megabytes before the server holds anything.
  for (let round = 0; round < 200 && (await server.connections()) > others; round += 1) {
    await database.sql`update projects set change_seq = change_seq + 1, version = version + 1`;
    await database.sql`select pg_notify('sangam', json_build_object('subject', 'project:' || id, 'topics', '[]'::json)::text) from projects`;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  expect(await server.connections()).toBe(others);
});

test("a handshake for a host that is none is refused, and leaves the process whole", async () => {
  const uncaught: unknown[] = [];
  const note = (error: unknown) => uncaught.push(error);
  process.on("uncaughtException", note);
  for (const host of ["", "[", "a b", "a:99999", "%", "::1"]) {
    const socket = connectTcp(server.port, "127.0.0.1");
    socket.write(
      `GET /api/trpc HTTP/1.1\r\nHost: ${host}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
        "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
    );
    const answer = await new Promise((resolve) => socket.once("data", (bytes) => resolve(String(bytes))));
    expect(answer, host).toContain("400 Bad Request");
    socket.destroy();
  }
  process.off("uncaughtException", note);
  expect(uncaught).toEqual([]);
});

test("an offer to speak HTTP/2 is ignored, and the request answered", async () => {
  const ask = async (method: string) => {
    const socket = connectTcp(server.port, "127.0.0.1");
    socket.write(
      `${method} /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\n` +
        "HTTP2-Settings: AAMAAABkAAQCAAAAAAIAAAAA\r\n\r\n",
    );
    let answer = "";
    socket.on("data", (bytes) => {
      answer += String(bytes);
    });
    await new Promise((resolve) => socket.once("close", resolve));
    return answer;
  };
  expect(await ask("GET")).toMatch(/^HTTP\/1\.1 200 OK[\s\S]*\{"ok":true\}/);
  expect(await ask("POST")).toContain("400 Bad Request");
});

test("a stream that is stopped before it has started ends, and makes room for others", async () => {
  const received: string[] = [];
  const socket = new WebSocket(`${server.base.replace("http", "ws")}/api/trpc`, {
    headers: { origin: server.base, cookie: sessionCookie(await tokenOf(rohan)) },
  });
  closers.push(() => socket.terminate());
  await new Promise((resolve) => socket.once("open", resolve));
  // More than a connection may hold at a time.
  for (let id = 1; id <= 60; id += 1) {
    const stopped = new Promise<void>((resolve) => {
      socket.on("message", (data) => {
        received.push(String(data));
        if (String(data) === `{"id":${id},"result":{"type":"stopped"}}`) resolve();
      });
    });
    const start = { id, method: "subscription", params: { path: "projects.onChange", input: { json: {} } } };
    const stop = { id, method: "subscription.stop" };
    if (id % 2) socket.send(JSON.stringify([start, stop]));
    else for (const call of [start, stop]) socket.send(JSON.stringify(call));
    await stopped;
    socket.removeAllListeners("message");
  }
  expect(received.join()).not.toContain("TOO_MANY_REQUESTS");
});

test("the same stream answers as server-sent events, and a refused one with an error frame and no row", async () => {
  const project = await makeProject(database.db, { createdBy: rohan.id });
  const open = (cookie: string) =>
    fetch(`${server.base}/api/trpc/projects.onChange?input=${encodeURIComponent('{"json":{}}')}`, {
      headers: { accept: "text/event-stream", cookie },
    });
  const answer = await open(sessionCookie(await tokenOf(rohan)));
  expect(answer.headers.get("content-type")).toContain("text/event-stream");
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  await reader?.read();
  await writer.projects.update({ projectId: project.id, version: 1, patch: { title: "Over an event stream" } });
  let text = "";
  while (!text.includes("Over an event stream")) text += (await reader?.read())?.value ?? "";
  await reader?.cancel();
  const refused = await (await open("")).text();
  expect(refused).toContain("UNAUTHORIZED");
  expect(refused).not.toContain("projectId");
});

async function tokenOf(user: UserRow): Promise<string> {
  return (await makeSession(database.db, { userId: user.id })).token;
}

function connect(token: string, connectionParams: Record<string, string> | null = null) {
  class CookieSocket extends WebSocket {
    constructor(url: string | URL) {
      super(url, { headers: { cookie: sessionCookie(token), origin: server.base } });
    }
  }
  const socket = createWSClient({
    url: `${server.base.replace("http", "ws")}/api/trpc`,
    WebSocket: CookieSocket as never,
    connectionParams,
    retryDelayMs: () => 50,
  });
  closers.push(() => void socket.close());
  return { client: createTRPCClient<AppRouter>({ links: [wsLink({ client: socket, transformer: superjson })] }) };
}

function watch(token: string) {
  const { client } = connect(token);
  const received: ProjectChange[] = [];
  let starts = 0;
  const waiting = new Set<() => void>();
  const wakeUp = () => {
    for (const check of [...waiting]) check();
  };
  const until = (condition: () => boolean) =>
    new Promise<void>((resolve) => {
      const check = () => {
        if (!condition()) return;
        waiting.delete(check);
        resolve();
      };
      waiting.add(check);
      check();
    });
  const failure = new Promise<unknown>((resolve) => {
    const subscription = client.projects.onChange.subscribe(undefined, {
      onStarted: () => {
        starts += 1;
        wakeUp();
      },
      onData: (change) => {
        received.push(change);
        wakeUp();
      },
      onError: resolve,
    });
    closers.push(() => subscription.unsubscribe());
  });
  return {
    received,
    failure,
    started: (times: number) => until(() => starts >= times),
    receives: (condition: (change: ProjectChange) => boolean) => until(() => received.some(condition)),
  };
}

/** A masked text frame, as a client sends it. */
function frame(text: string): Buffer {
  const payload = Buffer.from(text);
  const header =
    payload.length < 126
      ? Buffer.from([0x81, 0x80 | payload.length])
      : Buffer.from([0x81, 0xfe, payload.length >> 8, payload.length & 255]);
  return Buffer.concat([header, Buffer.alloc(4), payload]);
}
