import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { connect as connectTcp } from "node:net";
import { text as textOf } from "node:stream/consumers";
import { createClient } from "sangam/client";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { makeProject, makeSession, makeUser, type UserRow } from "../../db/factories";
import { createLogger } from "../core/logger";
import { createTestCallers, type TestCallers } from "./caller";
import { createTestDatabase, type TestDatabase } from "./db";
import { type LiveServer, startLiveServer } from "./live-server";
import { sessionCookie } from "./session-cookie";

/** The ten seconds that a connection without a session has, scaled down. */
const SESSIONLESS_MS = 700;
/** Long enough for 300 handshakes on a busy machine. */
const SLOW_SESSIONLESS_MS = 4_000;
/** How long an event stream may last, scaled down. */
const EVENT_STREAM_MS = 1_500;
/** A client's idle connection is counted for no longer. */
const KEEP_ALIVE_MS = 1_000;

let database: TestDatabase;
let callers: TestCallers;
let server: LiveServer;
const closers: (() => void)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  server = await startLiveServer({
    ...database,
    env: { trustedProxies: ["127.0.0.1"] },
    connectionTimes: { sessionlessMs: SESSIONLESS_MS },
    keepAliveMs: KEEP_ALIVE_MS,
  });
});
afterEach(() => idle());
afterAll(async () => {
  await server.close();
  await database.close();
});

test("of 300 sockets without a session 100 open, the others are told to come later, and all are closed in time", async () => {
  const patient = await startLiveServer({ ...database, connectionTimes: { sessionlessMs: SLOW_SESSIONLESS_MS } });
  const sockets = await openMany(300, { base: patient.base });
  const open = sockets.filter((socket) => socket.status === 101);
  expect(open).toHaveLength(100);
  for (const { status, retryAfter } of sockets.filter((socket) => !open.includes(socket))) {
    expect({ status, isNumber: Number(retryAfter) > 0 }).toEqual({ status: 429, isNumber: true });
  }
  expect(new Set(await Promise.all(open.map(({ closed }) => closed)))).toEqual(new Set([4401]));
  // Their places are free again.
  expect((await openSocket({ base: patient.base })).status).toBe(101);
  await patient.close();
});

test("a peer that never answers holds nothing once it is refused or closed", async () => {
  const key = "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";
  const handshake = `GET /api/trpc HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n${key}\r\n`;
  const answers = await Promise.all(
    Array.from({ length: 120 }, async () => {
      // Neither ends its own side nor speaks WebSocket.
      const socket = connectTcp({ port: server.port, host: "127.0.0.1", allowHalfOpen: true });
      socket.on("error", () => {});
      closers.push(() => socket.destroy());
      socket.write(handshake);
      return new Promise<string>((resolve) => socket.once("data", (bytes) => resolve(String(bytes).slice(9, 12))));
    }),
  );
  expect(answers.filter((status) => status === "101")).toHaveLength(100);
  await expect.poll(() => server.connections(), { timeout: 8_000, interval: 20 }).toBe(0);
});

test("a session that has ended counts as none, and one that stands is left alone", async () => {
  const rohan = await makeUser(database.db);
  const [ended, open] = [
    await openSocket({ cookie: sessionCookie("ended-long-ago") }),
    await openSocket({ cookie: await cookieOf(rohan) }),
  ];
  expect(await ended.closed).toBe(4401);
  expect(open.socket.readyState).toBe(WebSocket.OPEN);
});

test("who is not active has no session", async () => {
  const left = await makeUser(database.db, { accountStatus: "inactive" });
  expect(await (await openSocket({ cookie: await cookieOf(left) })).closed).toBe(4401);
});

test("a key may come as the first message within that time, and then stays", async () => {
  const own = await callers.as(await makeUser(database.db));
  const { key } = await own.auth.createApiKey({ name: "A script", scope: "read" });
  const [late, inTime] = [
    await openSocket({ query: "connectionParams=1" }),
    await openSocket({ query: "connectionParams=1" }),
  ];
  const say = (authorization: string) => JSON.stringify({ method: "connectionParams", data: { authorization } });
  inTime.socket.send(say(`Bearer ${key}`));
  expect(await late.closed).toBe(4401);
  expect(inTime.socket.readyState).toBe(WebSocket.OPEN);
});

test("a person has 40 sockets, tabs of 20 and more; the 41st is told to come later, and comes in when one has gone", async () => {
  const rohan = await makeUser(database.db);
  const cookie = await cookieOf(rohan);
  const sockets = await openMany(40, { cookie });
  // Each is counted once it is known whose it is.
  await Promise.all(sockets.map(({ socket }) => askOver(socket)));
  // Another browser of the same person.
  const tooMany = await openSocket({ cookie: await cookieOf(rohan) });
  expect(await tooMany.closed).toBe(4429);
  expect(sockets.every(({ socket }) => socket.readyState === WebSocket.OPEN)).toBe(true);
  const colleague = await openSocket({ cookie: await cookieOf(await makeUser(database.db)) });
  sockets[0]?.socket.terminate();
  await expect.poll(() => server.connections()).toBe(40);
  const next = await openSocket({ cookie });
  await askOver(next.socket);
  expect([next, colleague].map(({ socket }) => socket.readyState)).toEqual([WebSocket.OPEN, WebSocket.OPEN]);
});

test("ten people with 20 tabs each fit behind one address", async () => {
  const people = await Promise.all(Array.from({ length: 10 }, () => makeUser(database.db)));
  const cookies = await Promise.all(people.map(cookieOf));
  const sockets = (await Promise.all(cookies.map((cookie) => openMany(20, { cookie })))).flat();
  await Promise.all(sockets.map(({ socket }) => askOver(socket)));
  expect(sockets.filter(({ socket }) => socket.readyState === WebSocket.OPEN)).toHaveLength(200);
});

test("a person has 100 event streams; the next is refused before it begins, in words and with a time", async () => {
  const rohan = await makeUser(database.db);
  const cookie = await cookieOf(rohan);
  const streams = await Promise.all(Array.from({ length: 100 }, () => openEvents({ cookie })));
  expect(new Set(streams.map(({ status }) => status))).toEqual(new Set([200]));
  const refused = await openEvents({ cookie });
  expect(refused).toMatchObject({ status: 429, type: expect.stringContaining("application/json") });
  expect(Number(refused.retryAfter)).toBeGreaterThan(0);
  expect(JSON.parse(await refused.text())).toMatchObject({
    error: { json: { data: { code: "TOO_MANY_REQUESTS", httpStatus: 429, reason: "too-many-connections" } } },
  });
  expect((await openEvents({ cookie: await cookieOf(await makeUser(database.db)) })).status).toBe(200);
  // Asking and changing need no place.
  expect((await openEvents({ cookie, path: "auth.me" })).status).toBe(200);
});

test("an event stream gives its place back however it ends", async () => {
  const rohan = await makeUser(database.db);
  const session = await makeSession(database.db, { userId: rohan.id });
  const cookie = sessionCookie(session.token);
  const isFree = async () => {
    const { status, stop } = await openEvents({ cookie });
    stop();
    return status === 200;
  };
  /** Asking takes a place for a moment: once nothing but the 99 is open it has been given back. */
  async function becomes(free: boolean): Promise<void> {
    await expect.poll(isFree, { timeout: 10_000, interval: 20 }).toBe(free);
    if (free) await expect.poll(() => server.connections(), { timeout: 10_000, interval: 10 }).toBe(99);
  }
  await Promise.all(Array.from({ length: 99 }, () => openEvents({ cookie })));
  // Given up by its reader.
  const last = await openEvents({ cookie });
  await becomes(false);
  last.stop();
  await becomes(true);
  // Reset by a peer that reads no further than the head.
  const silent = connectTcp(server.port, "127.0.0.1").on("error", () => {});
  silent.write(
    "GET /api/trpc/projects.onChange?input=%7B%22json%22%3A%7B%7D%7D HTTP/1.1\r\nHost: 127.0.0.1\r\n" +
      `Accept: text/event-stream\r\nCookie: ${cookie}\r\n\r\n`,
  );
  const [head] = await once(silent, "data");
  silent.pause();
  expect(String(head)).toContain("200 OK");
  await becomes(false);
  silent.resetAndDestroy();
  await becomes(true);
  // Refused by the procedure: 200 and a frame that says so.
  for (let round = 0; round < 3; round += 1) {
    expect(await (await openEvents({ cookie, path: "users.onChange" })).text()).toContain("FORBIDDEN");
  }
  await becomes(true);
  // Ended by the server, since its session has.
  const own = await makeSession(database.db, { userId: rohan.id });
  const ending = await openEvents({ cookie: sessionCookie(own.token) });
  await becomes(false);
  await database.sql`delete from sessions where id = ${own.id}`;
  await database.sql`select pg_notify('sangam', ${JSON.stringify({ subject: `account:${rohan.id}`, topics: ["accounts"] })})`;
  expect(await ending.text()).toContain("UNAUTHORIZED");
  await becomes(true);
});

test("before a stop a socket's calls are answered, sockets close as for a restart, and event streams end without a last word", async () => {
  const stopping = await startLiveServer(database);
  const rohan = await makeUser(database.db);
  const cookie = await cookieOf(rohan);
  const project = await makeProject(database.db, { createdBy: rohan.id });
  const [idle, busy] = [
    await openSocket({ cookie, base: stopping.base }),
    await openSocket({ cookie, base: stopping.base }),
  ];
  const answers: unknown[] = [];
  busy.socket.on("message", (frame) => answers.push(JSON.parse(String(frame))));
  const stream = await openEvents({ cookie, base: stopping.base });
  let ending: Promise<void> | undefined;
  await database.sql.begin(async (tx) => {
    await tx`select id from projects where id = ${project.id} for update`;
    const input = { json: { projectId: project.id, version: 1, patch: { title: "Renamed" } } };
    busy.socket.send(JSON.stringify({ id: 7, method: "mutation", params: { path: "projects.update", input } }));
    await database.untilWaiting();
    ending = stopping.endStreams();
    expect(await idle.closed).toBe(1012);
    expect(busy.socket.readyState).toBe(WebSocket.OPEN);
  });
  await ending;
  expect(await busy.closed).toBe(1012);
  expect(answers).toMatchObject([{ id: 7, result: { data: { json: { title: "Renamed" } } } }]);
  expect(await stream.text()).not.toMatch(/event: (return|serialized-error)/);
  // Who is still led here is sent on as well.
  const late = await openSocket({ cookie, base: stopping.base });
  expect(await late.closed).toBe(1012);
  expect(await (await openEvents({ cookie, base: stopping.base })).text()).toContain("event: connected");
  await stopping.close();
});

test("an event stream that its reader never lets end is cut", async () => {
  const strict = await startLiveServer({
    ...database,
    connectionTimes: { eventStreamMs: EVENT_STREAM_MS },
    keepAliveMs: KEEP_ALIVE_MS,
  });
  const answer = await openEvents({ cookie: await cookieOf(await makeUser(database.db)), base: strict.base });
  expect(answer.status).toBe(200);
  await expect.poll(() => strict.connections(), { timeout: 5_000 }).toBe(0);
  await strict.close();
});

test.each(["sse", "websocket"] as const)(
  "the typed client over %s waits longer and longer while its person has too many, and comes in when there is room",
  async (transport) => {
    const lines: string[] = [];
    const logger = createLogger({ level: "debug", write: (line) => lines.push(line) });
    const { base, close } = await startLiveServer({ ...database, logger });
    const rohan = await makeUser(database.db);
    const cookie = await cookieOf(rohan);
    const { key } = await (await callers.as(rohan)).auth.createApiKey({ name: "A script", scope: "read" });
    const taken =
      transport === "sse"
        ? (await Promise.all(Array.from({ length: 100 }, () => openEvents({ cookie, base })))).map(({ stop }) => stop)
        : await takeSockets(40, { cookie, base });
    const seen: unknown[] = [];
    const stream = createClient({ url: base, apiKey: key, transport }).projects.onChange.subscribe(undefined, {
      onData: () => {},
      onStarted: () => seen.push("started"),
      onError: (error) => seen.push(error),
    });
    const refusedAt: number[] = [];
    await expect
      .poll(
        () => {
          const refused = lines.filter((line) => line.includes("too-many-connections")).length;
          if (refused > refusedAt.length) refusedAt.push(performance.now());
          return refused;
        },
        { timeout: 10_000, interval: 5 },
      )
      .toBe(3);
    expect((refusedAt[2] ?? 0) - (refusedAt[0] ?? 0)).toBeGreaterThan(1_000);
    for (const stop of taken) stop();
    await expect.poll(() => seen.at(-1), { timeout: 15_000 }).toBe("started");
    expect(seen.filter((one) => one !== "started")).toEqual([]);
    stream.unsubscribe();
    await close();
  },
);

test("a forwarding header from a peer that is not trusted is named once, with what to do", async () => {
  const lines: string[] = [];
  const logger = createLogger({ level: "warn", write: (line) => lines.push(line) });
  const noticing = await startLiveServer({ ...database, logger });
  const ask = (headers: Record<string, string>) => fetch(`${noticing.base}/api/trpc/auth.me`, { headers });
  await ask({});
  expect(lines).toEqual([]);
  await ask({ "x-forwarded-for": "203.0.113.5" });
  await ask({ forwarded: "for=203.0.113.6" });
  await noticing.close();
  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain("TRUSTED_PROXIES");
  expect(lines[0]).toContain("127.0.0.1");
  expect(lines[0]).not.toContain("203.0.113");
});

/** Ends what is open, and waits until the server has no connection left. */
async function idle(): Promise<void> {
  for (const close of closers.splice(0)) close();
  await expect.poll(() => server.connections(), { timeout: 10_000, interval: 10 }).toBe(0);
}

async function cookieOf(user: UserRow): Promise<string> {
  return sessionCookie((await makeSession(database.db, { userId: user.id })).token);
}

/** Opens so many sockets and waits until each is counted: only then it is known whose it is. Returns what ends them. */
async function takeSockets(count: number, how: Parameters<typeof openSocket>[0]): Promise<(() => void)[]> {
  const sockets = await openMany(count, how);
  await Promise.all(sockets.map(({ socket }) => askOver(socket)));
  return sockets.map(
    ({ socket }) =>
      () =>
        socket.terminate(),
  );
}

interface Opened {
  socket: WebSocket;
  /** Of the handshake: 101 when it is open. */
  status: number;
  retryAfter: string | undefined;
  /** The close code. */
  closed: Promise<number>;
}

function openMany(count: number, how: Parameters<typeof openSocket>[0]): Promise<Opened[]> {
  return Promise.all(Array.from({ length: count }, () => openSocket(how)));
}

function openSocket({
  cookie,
  query,
  base = server.base,
}: {
  cookie?: string;
  query?: string;
  base?: string;
}): Promise<Opened> {
  const socket = new WebSocket(`${base.replace("http", "ws")}/api/trpc${query ? `?${query}` : ""}`, {
    headers: { origin: base, ...(cookie && { cookie }) },
  });
  closers.push(() => socket.terminate());
  const closed = new Promise<number>((resolve) => socket.once("close", resolve));
  socket.on("error", () => {});
  return new Promise((resolve) => {
    socket.once("open", () => resolve({ socket, status: 101, retryAfter: undefined, closed }));
    socket.once("unexpected-response", (request, response) => {
      resolve({ socket, status: response.statusCode ?? 0, retryAfter: response.headers["retry-after"], closed });
      request.destroy();
    });
  });
}

/** Resolves once a call over the socket was answered: whoever is behind it has been looked up by then. */
function askOver(socket: WebSocket): Promise<void> {
  return new Promise((resolve, reject) => {
    socket.once("message", () => resolve());
    socket.once("close", (code) => reject(new Error(`closed with ${code}`)));
    socket.send(JSON.stringify({ id: 1, method: "query", params: { path: "auth.me", input: { json: null } } }));
  });
}

/** On a connection of its own, which ends with it. */
async function openEvents({
  cookie,
  path = "projects.onChange",
  base = server.base,
}: {
  cookie: string;
  path?: string;
  base?: string;
}) {
  const answer = await new Promise<IncomingMessage>((resolve, reject) => {
    const headers = { accept: "text/event-stream", cookie };
    const url = `${base}/api/trpc/${path}?input=${encodeURIComponent('{"json":{}}')}`;
    const request = get(url, { headers, agent: false }, resolve).on("error", reject);
    closers.push(() => request.destroy());
  });
  answer.on("error", () => {});
  return {
    status: answer.statusCode,
    type: answer.headers["content-type"],
    retryAfter: answer.headers["retry-after"],
    text: () => textOf(answer),
    stop: () => void answer.destroy(),
  };
}
