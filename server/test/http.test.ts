import { request } from "node:http";
import { connect as connectTcp } from "node:net";
import { hashPassword } from "better-auth/crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createDb } from "../../db/client";
import { makeSession, makeUser } from "../../db/factories";
import { LIVE_CURSOR_HEADER, parseLiveCursor } from "../contract/live-cursor";
import { MESSAGES } from "../contract/messages";
import { createLogger } from "../core/logger";
import { healthRoutes } from "../health-routes";
import { createTestDatabase, type TestDatabase } from "./db";
import { type LiveServer, startLiveServer } from "./live-server";

const PASSWORD = "sangam-demo";

let database: TestDatabase;
let server: LiveServer;
let base: string;
const lines: string[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const logger = createLogger({ level: "debug", write: (line) => lines.push(line) });
  server = await startLiveServer({ ...database, logger });
  base = server.base;
  const passwordHash = await hashPassword(PASSWORD);
  const { db } = database;
  await makeUser(db, { email: "active@sangam.example", username: "active", passwordHash, accountType: "admin" });
  await makeUser(db, { email: "closed@sangam.example", username: "closed", passwordHash });
  await makeUser(db, { email: "pending@sangam.example", username: "pending", passwordHash, accountStatus: "pending" });
  await makeUser(db, {
    email: "rejected@sangam.example",
    username: "rejected",
    passwordHash,
    accountStatus: "rejected",
  });
  await makeUser(db, {
    email: "inactive@sangam.example",
    username: "inactive",
    passwordHash,
    accountStatus: "inactive",
  });
});
afterAll(async () => {
  await server.close();
  await database.close();
});

const post = (path: string, json: unknown, headers: Record<string, string> = {}) =>
  fetch(`${base}/api/trpc/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ json }),
  });
const signIn = (email: string, password = PASSWORD, rememberMe = true) =>
  post("auth.signIn", { email, password, rememberMe });
const messageOf = async (answer: Response) => /"message":"([^"]*)"/.exec(await answer.text())?.[1];

describe("signing in", () => {
  test("gives a cookie that scripts cannot read and other sites do not send", async () => {
    const answer = await signIn("Active@Sangam.example");
    expect(answer.status).toBe(200);
    const cookie = answer.headers.get("set-cookie") ?? "";
    expect(cookie).toMatch(/^sangam\.session_token=\S+; Max-Age=2592000; Path=\/; HttpOnly; SameSite=Lax$/);
    const me = await fetch(`${base}/api/trpc/auth.me`, { headers: { cookie: cookie.split(";")[0] ?? "" } });
    expect(await me.text()).toContain('"email":"active@sangam.example"');
  });

  test("without remember-me the cookie ends with the browser, and the session after 12 hours at most", async () => {
    const answer = await signIn("active@sangam.example", PASSWORD, false);
    const cookie = answer.headers.getSetCookie().find((one) => one.startsWith("sangam.session_token=")) ?? "";
    expect(cookie).not.toMatch(/max-age|expires/i);
    const [row] = await database.sql`select max(expires_at) < now() + interval '12 hours 1 minute' as short
      from sessions where token = ${decodeURIComponent(cookie).split("=")[1]?.split(".")[0] ?? ""}`;
    expect(row?.short).toBe(true);
  });

  test.each([
    ["pending@sangam.example", 403, MESSAGES.auth.pending],
    ["rejected@sangam.example", 403, MESSAGES.auth.refused],
    ["inactive@sangam.example", 403, MESSAGES.auth.refused],
    ["closed@sangam.example", 401, MESSAGES.auth.signInFailed],
    ["nobody@sangam.example", 401, MESSAGES.auth.signInFailed],
  ])(
    "refuses %s with %i in the words of the specification, without a cookie or a session",
    async (email, status, words) => {
      const answer = await signIn(email);
      expect(answer.status).toBe(status);
      expect(answer.headers.get("set-cookie")).toBeNull();
      expect(await messageOf(answer)).toBe(words);
      const rows =
        await database.sql`select 1 from sessions s join users u on u.id = s.user_id where u.email = ${email}`;
      expect(rows).toHaveLength(0);
    },
  );

  test("gives a new session token each time", async () => {
    const cookies = [await signIn("active@sangam.example"), await signIn("active@sangam.example")].map((answer) =>
      answer.headers.get("set-cookie"),
    );
    expect(cookies[0]).not.toBe(cookies[1]);
  });

  test("over https the cookie is Secure and bound to the host's origin", async () => {
    const secure = await startLiveServer({ ...database, env: { publicUrl: "https://sangam.example" } });
    const answer = await fetch(`${secure.base}/api/trpc/auth.signIn`, {
      method: "POST",
      headers: { "content-type": "application/json", origin: "https://sangam.example" },
      body: JSON.stringify({ json: { email: "active@sangam.example", password: PASSWORD, rememberMe: true } }),
    });
    expect(answer.headers.get("set-cookie")).toMatch(
      /^__Secure-sangam\.session_token=\S+;.* HttpOnly; Secure; SameSite=Lax$/,
    );
    expect(answer.headers.get("strict-transport-security")).not.toBeNull();
    const cookie = (answer.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    const me = await fetch(`${secure.base}/api/trpc/auth.me`, { headers: { cookie } });
    expect(await me.text()).toContain("active@sangam.example");
    await secure.close();
  });

  test("the auth library's own paths are closed in every spelling", async () => {
    for (const path of [
      "/api/auth/sign-in/email",
      "/api/auth/sign-up/email",
      "/api/auth//sign-in/email",
      "/api/auth/sign-in/email/",
      "/api/auth/Sign-In/Email",
      "/api/auth/sign-in%2Femail",
      "/api/auth/x/../sign-in/email",
      "/api/auth/get-session",
      "/api/auth/list-sessions",
      "/api/auth/update-user",
      "/api/auth/delete-user",
      "/api/auth/request-password-reset",
      "/api/auth/callback/github",
      "/api/auth/callback/google",
      "/api/auth",
    ]) {
      for (const method of ["GET", "POST"]) {
        const answer = await fetch(`${base}${path}`, {
          method,
          headers: { "content-type": "application/json" },
          ...(method === "POST" && { body: JSON.stringify({ email: "active@sangam.example", password: PASSWORD }) }),
        });
        expect(answer.status, `${method} ${path}`).toBe(404);
        expect(answer.headers.get("set-cookie")).toBeNull();
      }
    }
  });

  test("a known and an unknown address take the same time to sign up and to ask for a reset", async () => {
    const form = {
      name: "Lata Kale",
      mobile: "+91 98200 12345",
      password: "secret",
      confirmPassword: "secret",
      agreeToTerms: true,
    };
    for (const email of ["active@sangam.example", "unheard-of@sangam.example"]) {
      // Both answers wait for a time that is longer than either's work.
      const signedUpAt = performance.now();
      expect((await post("auth.signUp", { ...form, email })).status).toBe(200);
      expect(performance.now() - signedUpAt).toBeGreaterThanOrEqual(299);
      const askedAt = performance.now();
      expect((await post("auth.requestPasswordReset", { email })).status).toBe(200);
      expect(performance.now() - askedAt).toBeGreaterThanOrEqual(99);
    }
  });

  test("tells a status only after the right password", async () => {
    const wrong = await signIn("pending@sangam.example", "not-the-password");
    expect([wrong.status, await messageOf(wrong)]).toEqual([401, MESSAGES.auth.signInFailed]);
  });

  test("a cookie that this server did not sign is nobody's", async () => {
    const user = await makeUser(database.db);
    const { token } = await makeSession(database.db, { userId: user.id });
    for (const cookie of [token, `${token}.AAAA`, `${token}.${Buffer.alloc(32).toString("base64")}`, "%E0%A4%A"]) {
      const me = await fetch(`${base}/api/trpc/auth.me`, { headers: { cookie: `sangam.session_token=${cookie}` } });
      expect(await me.json()).toEqual({ result: { data: { json: null } } });
    }
  });

  test("signing out ends the session on the server, and is fine twice", async () => {
    const signedIn = await signIn("active@sangam.example");
    const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    for (let round = 0; round < 2; round += 1) {
      const answer = await fetch(`${base}/api/trpc/auth.signOut`, {
        method: "POST",
        headers: { cookie, "content-type": "application/json" },
      });
      expect(answer.status).toBe(200);
    }
    const me = await fetch(`${base}/api/trpc/auth.me`, { headers: { cookie } });
    expect(await me.json()).toEqual({ result: { data: { json: null } } });
  });
});

describe("the origin check", () => {
  test.each([
    ["a foreign Origin", { origin: "https://evil.example" }, 403],
    ["an opaque Origin", { origin: "null" }, 403],
    ["a cross-site fetch", { "sec-fetch-site": "cross-site" }, 403],
    ["a same-site fetch of another origin", { "sec-fetch-site": "same-site" }, 403],
    ["a script without either", {}, 200],
    ["a same-origin fetch", { "sec-fetch-site": "same-origin" }, 200],
  ])("answers a mutation with %s", async (_name, headers, status) => {
    expect((await post("auth.signOut", undefined, headers)).status).toBe(status);
  });

  test("takes both names of loopback as its own", async () => {
    const local = base.replace("127.0.0.1", "localhost");
    expect((await post("auth.signOut", undefined, { origin: local })).status).toBe(200);
  });

  test("refuses a socket from another site, and one on another path", async () => {
    expect(await upgrade("/api/trpc", "https://evil.example")).toContain("403");
    expect(await upgrade("/api/other", base)).toContain("404");
    expect(await upgrade("/api/trpc", base)).toContain("101");
  });

  test("survives every upgrade that it refuses, also from clients that disconnect at once", async () => {
    for (const path of ["//", "/\\", "*", "http://", "/api/trpc%", ...Array(10).fill("/api/other")]) {
      await resetUpgrade(path);
    }
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
  });

  test("answers names that could reach a prototype, and numbers that no column holds, with 400", async () => {
    for (const name of ["constructor", "__proto__", "prototype", "toString"]) {
      const answer = await fetch(`${base}/api/trpc/auth.signIn`, {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: `{"json":{"${name}":1}}`,
      });
      expect([name, answer.status]).toEqual([name, 400]);
    }
  });

  test("refuses a body over 256 KB, also when it comes in chunks", async () => {
    const answer = await post("auth.signIn", { email: "x".repeat(300_000) });
    expect([answer.status, await messageOf(answer)]).toEqual([413, MESSAGES.general.tooLarge]);
    expect(await chunked("x".repeat(300_000))).toBe(413);
  });

  test("answers a body that is too large once all of it has come: who still sends, such as a proxy, reads no answer", async () => {
    const { answer, unsent } = await sendSlowly(900_000);
    expect(unsent).toBe(0);
    expect(answer).toMatch(/^HTTP\/1\.1 413 .*too-large/s);
  });

  test("refuses 11 calls in a batch and answers 10", async () => {
    const batch = (calls: number) =>
      fetch(`${base}/api/trpc/${Array(calls).fill("auth.me").join(",")}?batch=1&input={}`);
    expect((await batch(10)).status).toBe(200);
    expect((await batch(11)).status).toBe(400);
  });

  test.each([
    ["calls that go through", "auth.signOut,auth.signOut", { 0: {}, 1: {} }],
    ["one that fails", "auth.signOut,auth.signIn", { 0: {}, 1: { json: {} } }],
    ["none that exists", "auth.signOut,no.such", { 0: {}, 1: {} }],
  ])("says how long its answer is to a batch with %s", async (_name, path, body) => {
    const answer = await fetch(`${base}/api/trpc/${path}?batch=1`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    const text = await answer.text();
    expect(JSON.parse(text)).toHaveLength(2);
    expect(answer.headers.get("content-length")).toBe(String(Buffer.byteLength(text)));
  });

  test("answers what is misshapen, unknown or of another type with a 4xx and words, never a 500", async () => {
    const raw = (body: string, type = "application/json") =>
      fetch(`${base}/api/trpc/auth.signIn`, { method: "POST", headers: { "content-type": type }, body });
    expect((await raw("{not json")).status).toBe(400);
    expect((await raw("{}", "text/plain")).status).toBe(415);
    expect((await fetch(`${base}/api/trpc/no.such`)).status).toBe(404);
    expect((await fetch(`${base}/api/trpc/%E0%A4%A`)).status).toBe(404);
    expect((await fetch(`${base}/api/trpc/auth.me,%?batch=1`)).status).toBe(404);
    expect((await fetch(`${base}/api/trpc/auth.signOut`)).status).toBe(405);
    expect((await fetch(`${base}/api/elsewhere`)).status).toBe(404);
    expect((await fetch(`${base}/no/such/page`)).status).toBe(404);
    expect((await fetch(`${base}/assets/no-such.js`)).status).toBe(404);
    const nul = await signIn("a\u0000@sangam.example");
    expect(nul.status).toBe(400);
  });

  test("tells wrong fields by name and nothing of the parser", async () => {
    const answer = await post("auth.signUp", { name: "", email: "x", accountType: "admin" });
    const { error } = JSON.parse(await answer.text());
    expect(error.json.data).toMatchObject({ kind: "validation", code: "BAD_REQUEST", httpStatus: 400 });
    expect(Object.keys(error.json.data.fieldErrors).sort()).toEqual(
      ["accountType", "agreeToTerms", "confirmPassword", "email", "mobile", "name", "password"].sort(),
    );
    expect(error.json.message).toBe(MESSAGES.general.invalid);
    expect(error.json.data.stack).toBeUndefined();
  });

  test("sets the headers of access.md on pages, calls and refusals alike", async () => {
    for (const path of ["/", "/login", "/healthz", "/api/trpc/auth.me", "/api/trpc/no.such", "/no-such"]) {
      const { headers } = await fetch(`${base}${path}`);
      expect(headers.get("content-security-policy"), path).toContain("default-src 'self'");
      expect(headers.get("content-security-policy"), path).toContain("frame-ancestors 'none'");
      expect(headers.get("content-security-policy"), path).toContain("; img-src 'self' data: blob:; ");
      expect(headers.get("x-content-type-options"), path).toBe("nosniff");
    }
    expect((await fetch(`${base}/api/trpc/auth.me`)).headers.get("cache-control")).toBe("no-store");
  });

  test("a cursor of live changes comes with each answer of a procedure, and moves on", async () => {
    const cursorOf = async (path: string) =>
      (await fetch(`${base}/api/trpc/${path}`)).headers.get(LIVE_CURSOR_HEADER) ?? "";
    const [first, refused] = [await cursorOf("auth.me"), await cursorOf("projects.list")];
    await new Promise((resolve) => setTimeout(resolve, 2));
    const later = parseLiveCursor(await cursorOf("auth.me,auth.sessions?batch=1"));
    expect([parseLiveCursor(first), parseLiveCursor(refused)]).toEqual([
      { processId: later?.processId, atMs: expect.any(Number) },
      { processId: later?.processId, atMs: expect.any(Number) },
    ]);
    expect(later?.atMs).toBeGreaterThan(parseLiveCursor(first)?.atMs ?? Number.POSITIVE_INFINITY);
  });

  test("is alive and ready", async () => {
    expect(await (await fetch(`${base}/healthz`)).json()).toEqual({ ok: true });
    expect(await (await fetch(`${base}/readyz`)).json()).toEqual({
      database: true,
      listener: true,
      pool: true,
      serving: true,
    });
  });

  test("is not ready while a part is ill, and says which", async () => {
    const nowhere = createDb({ url: "postgres://127.0.0.1:9/none" });
    const ready = async (ill?: "database" | "listener" | "pool") => {
      const routes = healthRoutes({
        db: ill === "database" ? nowhere.db : database.db,
        isListening: async () => ill !== "listener",
        hasBus: false,
        overdueMs: () => (ill === "pool" ? 1 : 0),
        isStopping: () => false,
      });
      const answer = await routes.request("/readyz");
      return [answer.status, await answer.json()];
    };
    const well = { database: true, listener: true, pool: true, serving: true };
    for (const part of ["database", "listener", "pool"] as const)
      expect(await ready(part)).toEqual([503, { ...well, [part]: false }]);
    expect(await ready()).toEqual([200, well]);
    await nowhere.close();
  });
});

describe("the log", () => {
  test("has request id, procedure, milliseconds and code of each call, the actor once known, and never input", async () => {
    lines.length = 0;
    const signedIn = await signIn("active@sangam.example");
    const cookie = (signedIn.headers.get("set-cookie") ?? "").split(";")[0] ?? "";
    await signIn("active@sangam.example", "a-secret-typed-wrong");
    await fetch(`${base}/api/trpc/users.list?input=${encodeURIComponent('{"json":{"q":"looked-for"}}')}`, {
      headers: { cookie },
    });
    const calls = lines.map((line) => JSON.parse(line)).filter(({ message }) => message === "call");
    expect(calls.map(({ procedure, code }) => [procedure, code])).toEqual([
      ["auth.signIn", "OK"],
      ["auth.signIn", "UNAUTHORIZED"],
      ["users.list", "OK"],
    ]);
    expect(calls[2]).toMatchObject({
      actorId: expect.any(String),
      requestId: expect.any(String),
      milliseconds: expect.any(Number),
    });
    const everything = lines.join("");
    for (const secret of [PASSWORD, "a-secret-typed-wrong", "looked-for", cookie.split("=")[1]]) {
      expect(everything).not.toContain(secret);
    }
  });

  test("an unexpected error is told to nobody and leaves no parameters behind", async () => {
    lines.length = 0;
    await database.sql`alter table sessions rename to sessions_away`;
    try {
      const answer = await signIn("active@sangam.example");
      const text = await answer.text();
      expect(answer.status).toBe(500);
      expect(text).toContain(MESSAGES.general.internal);
      expect(text).not.toMatch(/sessions|select|insert|stack/i);
      expect(lines.join("")).not.toContain("active@sangam.example");
      expect(lines.join("")).toContain("42P01");
    } finally {
      await database.sql`alter table sessions_away rename to sessions`;
    }
  });
});

function upgrade(path: string, origin: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const { hostname, port } = new URL(base);
    const socket = connectTcp(Number(port), hostname, () => {
      socket.write(
        `GET ${path} HTTP/1.1\r\nHost: ${hostname}:${port}\r\nOrigin: ${origin}\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n` +
          "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n",
      );
    });
    socket.once("data", (data) => {
      resolve(data.toString().split("\r\n")[0] ?? "");
      socket.destroy();
    });
    socket.once("error", reject);
  });
}

/** Asks for an upgrade and resets the connection before the answer can be read. */
function resetUpgrade(path: string): Promise<void> {
  return new Promise((resolve) => {
    const { hostname, port } = new URL(base);
    const socket = connectTcp(Number(port), hostname, () => {
      socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n`, () =>
        socket.resetAndDestroy(),
      );
    });
    socket.on("error", () => {});
    socket.once("close", () => setTimeout(resolve, 20));
  });
}

function chunked(body: string): Promise<number | undefined> {
  return new Promise((resolve, reject) => {
    const call = request(
      `${base}/api/trpc/auth.signIn`,
      { method: "POST", headers: { "content-type": "application/json", "transfer-encoding": "chunked" } },
      (answer) => {
        answer.resume();
        resolve(answer.statusCode);
      },
    );
    call.on("error", reject);
    for (let at = 0; at < body.length; at += 10_000) call.write(body.slice(at, at + 10_000));
    call.end();
  });
}

/** A call with so large a body, sent piece by piece. Resolves with the answer, and what was not sent when it came, in bytes. */
function sendSlowly(bytes: number): Promise<{ answer: string; unsent: number }> {
  const { hostname, port } = new URL(base);
  const socket = connectTcp(Number(port), hostname);
  const head = ["POST /api/trpc/auth.signIn HTTP/1.1", `Host: ${hostname}:${port}`, "Content-Type: application/json"];
  socket.write([...head, `Content-Length: ${bytes}`, "", ""].join("\r\n"));
  let left = bytes;
  const sending = setInterval(() => {
    socket.write("x".repeat(Math.min(left, 10_000)));
    left -= 10_000;
    if (left <= 0) clearInterval(sending);
  }, 10);
  return new Promise((resolve, reject) => {
    let answer = "";
    let unsent = bytes;
    socket.setEncoding("utf8").on("data", (text) => {
      if (answer === "") unsent = left;
      answer += text;
    });
    socket.once("error", reject).once("close", () => {
      clearInterval(sending);
      resolve({ answer, unsent });
    });
  });
}
