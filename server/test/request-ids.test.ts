import { request } from "node:http";
import { connect } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { WebSocket } from "ws";
import { makeSession, makeUser } from "../../db/factories";
import { createLogger } from "../core/logger";
import { createTestDatabase, type TestDatabase } from "./db";
import { type LiveServer, startLiveServer } from "./live-server";
import { sessionCookie } from "./session-cookie";

const OURS = /^[0-9a-f]{16}$/;

let database: TestDatabase;
let server: LiveServer;
let behindProxy: LiveServer;
let cookie: string;
const lines: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const logger = createLogger({ level: "debug", write: (line) => lines.push(line) });
  server = await startLiveServer({ ...database, logger });
  behindProxy = await startLiveServer({ ...database, logger, env: { trustedProxies: ["127.0.0.0/8"] } });
  const user = await makeUser(database.db, { accountType: "admin" });
  cookie = sessionCookie((await makeSession(database.db, { userId: user.id })).token);
});
afterAll(async () => {
  await server.close();
  await behindProxy.close();
  await database.close();
});

const idOf = async (path: string, init: RequestInit = {}, at = server) => {
  const answer = await fetch(at.base + path, { redirect: "manual", ...init });
  await answer.body?.cancel();
  return answer.headers.get("x-request-id") ?? "";
};
/** The log lines about a request. */
const linesOf = (requestId: string) =>
  lines.map((line): Record<string, unknown> => JSON.parse(line)).filter((line) => line.requestId === requestId);

test.each([
  ["a call", "/api/trpc/auth.me", {}],
  ["a refused call", "/api/trpc/projects.list", {}],
  ["a batch", "/api/trpc/auth.me,auth.me?batch=1", {}],
  ["an unknown procedure", "/api/trpc/no.such", {}],
  ["an unknown address below /api", "/api/nothing", {}],
  ["a page that does not exist", "/nothing", {}],
  ["a file that does not exist", "/assets/nothing.js", {}],
  ["a check of health", "/healthz", {}],
  ["another site's request", "/api/trpc/auth.signOut", { method: "POST", headers: { origin: "https://evil.example" } }],
  ["a redirection", "/contact", {}],
  ["a body that is too large", "/api/trpc/auth.signIn", { method: "POST", body: "x".repeat(300_000) }],
])("%s is answered with an id of its own", async (_what, path, init) => {
  const ids = [await idOf(path, init), await idOf(path, init)];
  expect(ids[0]).toMatch(OURS);
  expect(new Set(ids).size).toBe(2);
});

test("an answer that nothing has changed has an id too", async () => {
  const path = `/api/trpc/projects.list?input=${encodeURIComponent('{"json":{"scope":"all"}}')}`;
  const first = await fetch(server.base + path, { headers: { cookie } });
  await first.text();
  const again = await fetch(server.base + path, {
    headers: { cookie, "if-none-match": first.headers.get("etag") ?? "" },
  });
  expect([again.status, again.headers.get("x-request-id")]).toEqual([304, expect.stringMatching(OURS)]);
});

test.each([
  ["with headers that are too long", `GET / HTTP/1.1\r\nHost: x\r\nCookie: ${"x".repeat(20_000)}\r\n\r\n`, 431],
  ["that is none", "HELLO\r\n\r\n", 400],
  ["to a host that is none", "GET / HTTP/1.1\r\nHost: a b\r\nConnection: close\r\n\r\n", 400],
])("a request %s is refused with an id", async (_what, text, status) => {
  const answer = await new Promise<string>((resolve) => {
    let received = "";
    const socket = connect(server.port, "127.0.0.1", () => socket.write(text));
    socket.on("data", (part) => {
      received += part;
    });
    socket.on("close", () => resolve(received));
    socket.on("error", () => resolve(received));
  });
  expect(answer).toContain(`HTTP/1.1 ${status}`);
  expect(answer).toMatch(/x-request-id: [0-9a-f]{16}\r\n/i);
});

test("an event stream has one, and so have an opened and a refused WebSocket", async () => {
  const stream = await fetch(`${server.base}/api/trpc/projects.onChange?input=${encodeURIComponent('{"json":{}}')}`, {
    headers: { accept: "text/event-stream", cookie },
  });
  await stream.body?.cancel();
  expect(stream.headers.get("x-request-id")).toMatch(OURS);

  const url = `ws://127.0.0.1:${server.port}/api/trpc`;
  const opened = await new Promise((resolve) => {
    const socket = new WebSocket(url, { headers: { cookie } });
    socket.once("upgrade", (answer) => resolve(answer.headers["x-request-id"]));
    socket.once("open", () => socket.terminate());
  });
  expect(opened).toMatch(OURS);
  const refused = await new Promise((resolve) => {
    const socket = new WebSocket(url, { origin: "https://evil.example" });
    socket.once("unexpected-response", (_request, answer) => resolve(answer.headers["x-request-id"]));
    socket.once("error", () => {});
  });
  expect(refused).toMatch(OURS);
});

test("the id of a trusted proxy is kept when it is well formed, and nobody else's is", async () => {
  const given = "3f0b9c1e-5f5d-4a52-9c9e-0d9a5a3e8c11";
  const send = (id: string, at: LiveServer) => idOf("/api/trpc/auth.me", { headers: { "x-request-id": id } }, at);
  expect(await send(given, behindProxy)).toBe(given);
  expect(linesOf(given)).toMatchObject([{ message: "call", procedure: "auth.me" }]);
  expect(await send(given, server)).toMatch(OURS);
  for (const id of ["short", "x".repeat(65), 'quoted"id"here', "<script>alert(1)</script>", "ünïcödé-id"])
    expect(await send(encodeURI(id) === id ? id : encodeURIComponent(id), behindProxy)).toMatch(OURS);
});

test("each call of a batch is logged under the id of its request", async () => {
  const id = await idOf("/api/trpc/auth.me,projects.list?batch=1");
  const codes = linesOf(id).map(({ procedure, code }) => `${procedure} ${code}`);
  expect(codes.sort()).toEqual(["auth.me OK", "projects.list UNAUTHORIZED"]);
});

test("a fault names its request to whoever met it, and the log has the rest under that id", async () => {
  await database.sql`alter table projects rename to projects_away`;
  try {
    const answer = await fetch(
      `${server.base}/api/trpc/search.all?input=${encodeURIComponent('{"json":{"q":"tea"}}')}`,
      {
        headers: { cookie },
      },
    );
    const id = answer.headers.get("x-request-id") ?? "";
    expect(answer.status).toBe(500);
    expect(await answer.json()).toMatchObject({ error: { json: { data: { kind: "internal", requestId: id } } } });
    expect(linesOf(id)).toMatchObject([{ level: "error", message: "call", sqlState: "42P01" }]);
  } finally {
    await database.sql`alter table projects_away rename to projects`;
  }
});

test("a refusal needs no reference, and carries none in its body", async () => {
  expect(await (await fetch(`${server.base}/api/trpc/projects.list`)).text()).not.toContain("requestId");
});

test("an id survives an offer to speak another protocol", async () => {
  const id = await new Promise((resolve) => {
    const headers = { connection: "upgrade", upgrade: "h2c" };
    const asked = request({ port: server.port, host: "127.0.0.1", path: "/healthz", headers }, (answer) => {
      answer.resume();
      resolve(answer.headers["x-request-id"]);
    });
    asked.end();
  });
  expect(id).toMatch(OURS);
});
