import { hashPassword } from "better-auth/crypto";
import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeSession, makeUser } from "../../db/factories";
import { createAddressReader, unnamedProxyNotice } from "../core/client-address";
import { createLogger } from "../core/logger";
import { createLimits } from "../core/rate-limit";
import { createTestCallers, refusal } from "./caller";
import { createTestDatabase, type TestDatabase } from "./db";
import { type LiveServer, startLiveServer } from "./live-server";
import { sessionCookie } from "./session-cookie";

const PASSWORD = "sangam-demo";

let database: TestDatabase;
let passwordHash: string;
/** Two processes that share one database and trust one proxy, and a third with limits of a fifth: an account fails twice there. */
let servers: LiveServer[];
const STRICT = 2;

beforeAll(async () => {
  database = await createTestDatabase();
  const env = { trustedProxies: ["127.0.0.1"] };
  servers = [];
  for (const rateLimitMultiplier of [1, 1, 0.2])
    servers.push(await startLiveServer({ ...database, env: { ...env, rateLimitMultiplier } }));
  passwordHash = await hashPassword(PASSWORD);
  await makeUser(database.db, {
    email: "lata@sangam.example",
    username: "lata",
    passwordHash,
  });
});
beforeEach(() => database.sql`truncate rate_limits`);
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await database.close();
});

const call = (path: string, json: unknown, { from = "203.0.113.1", cookie = "", at = 0 } = {}) =>
  fetch(`${servers[at]?.base}/api/trpc/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": from, cookie },
    body: JSON.stringify({ json }),
  });
const signIn = (password: string, options: { from?: string; at?: number } = {}) =>
  call("auth.signIn", { email: "lata@sangam.example", password, rememberMe: true }, options);

test("after ten wrong passwords in 15 minutes the eleventh waits, on every process, and is told for how long", async () => {
  for (let round = 0; round < 10; round += 1) expect((await signIn("wrong", { at: round % 2 })).status).toBe(401);
  const refused = await signIn("wrong", { at: 1 });
  expect(refused.status).toBe(429);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(800);
  expect(await refused.json()).toMatchObject({
    error: {
      json: {
        message: "Too many requests. Try again in 15 minutes.",
        data: { reason: "limited", retryAfterSeconds: Number(refused.headers.get("retry-after")) },
      },
    },
  });
  // Also with the right password: otherwise the limit would tell when a guess is right.
  expect((await signIn(PASSWORD)).status).toBe(429);
});

test("a flood on an account keeps its owner in at another address, and right passwords count for nothing", async () => {
  for (let round = 0; round < 3; round += 1) await signIn("wrong", { at: STRICT });
  expect((await signIn(PASSWORD, { at: STRICT })).status).toBe(429);
  for (let round = 0; round < 4; round += 1) {
    expect((await signIn(PASSWORD, { from: "203.0.113.9", at: STRICT })).status).toBe(200);
  }
});

test("who runs into the limit of one account uses up nothing of the others behind the same address", async () => {
  await makeUser(database.db, {
    email: "colleague@sangam.example",
    username: "colleague",
    passwordHash,
  });
  // More than the address may fail, of which the account uses up two.
  for (let round = 0; round < 12; round += 1) await signIn("wrong", { at: STRICT });
  const own = { email: "colleague@sangam.example", password: PASSWORD, rememberMe: true };
  expect((await call("auth.signIn", own, { at: STRICT })).status).toBe(200);
});

test("50 wrong passwords over many accounts close an address, and sign-ups end at 20 an hour", async () => {
  const limits = createLimits({ sql: database.sql, multiplier: 1 });
  for (let at = 0; at < 50; at += 1) await limits.consume("signInFailureOfAddress", "203.0.113.8");
  expect((await signIn(PASSWORD, { from: "203.0.113.8" })).status).toBe(429);
  for (let at = 0; at < 20; at += 1) await limits.consume("signUp", "203.0.113.8");
  const form = {
    name: "Lata",
    email: "late@sangam.example",
    mobile: "+91 98200 12345",
    password: PASSWORD,
    confirmPassword: PASSWORD,
    agreeToTerms: true,
  };
  expect((await call("auth.signUp", form, { from: "203.0.113.8" })).status).toBe(429);
  expect((await call("auth.signUp", form, { from: "203.0.113.10" })).status).toBe(200);
});

test("an address that nobody trusts cannot pretend to be another", async () => {
  const as = (pretended: string) => signIn("wrong", { from: `${pretended}, 203.0.113.7`, at: STRICT });
  for (let round = 0; round < 2; round += 1) expect((await as(`198.51.100.${round}`)).status).toBe(401);
  expect((await as("198.51.100.99")).status).toBe(429);
});

test.each([
  ["198.51.100.4", "198.51.100.4"],
  ["2001:db8:1:2::9", "2001:db8:1:2::/64"],
])("who signs in from %s finds %s beside their session", async (from, ipAddress) => {
  const [cookie = ""] = (await signIn(PASSWORD, { from })).headers.get("set-cookie")?.split(";") ?? [];
  const answer = await fetch(`${servers[0]?.base}/api/trpc/auth.sessions`, { headers: { cookie } });
  expect((await answer.json()).result.data.json).toContainEqual(expect.objectContaining({ current: true, ipAddress }));
});

test("sign-ups, resets and writes have limits of their own, per address or per person", async () => {
  const reset = (from: string) => call("auth.requestPasswordReset", { email: "lata@sangam.example" }, { from });
  for (let round = 0; round < 5; round += 1) expect((await reset("203.0.113.2")).status).toBe(200);
  expect((await reset("203.0.113.2")).status).toBe(429);
  expect((await reset("203.0.113.3")).status).toBe(200);
});

test("the 301st write of a minute is refused in a batch as well: calls are counted, not requests", async () => {
  const person = await makeUser(database.db);
  const other = await makeUser(database.db);
  const limits = createLimits({ sql: database.sql, multiplier: 1 });
  for (let at = 0; at < 295; at += 1) await limits.consume("write", person.id);
  const cookie = sessionCookie((await makeSession(database.db, { userId: person.id })).token);
  const batch = Object.fromEntries(Array.from({ length: 10 }, (_, at) => [at, { json: { address: "Pune" } }]));
  const answer = await fetch(
    `${servers[0]?.base}/api/trpc/${Array(10).fill("users.updateProfile").join(",")}?batch=1`,
    {
      method: "POST",
      headers: { "content-type": "application/json", cookie },
      body: JSON.stringify(batch),
    },
  );
  const text = await answer.text();
  expect(text.match(/TOO_MANY_REQUESTS/g)).toHaveLength(5);
  expect(answer.headers.get("retry-after")).not.toBeNull();
  const callers = createTestCallers(database.db, { limits });
  expect(await refusal((await callers.as(person)).users.updateProfile({ address: "Pune" }))).toMatchObject({
    code: "TOO_MANY_REQUESTS",
  });
  expect(await (await callers.as(other)).users.updateProfile({ address: "Pune" })).toEqual({ ok: true });
});

test("reads are counted in memory, and a multiplier scales every rule", async () => {
  const person = await makeUser(database.db);
  const limits = createLimits({ sql: database.sql, multiplier: 0.001 });
  const caller = await createTestCallers(database.db, { limits }).as(person);
  for (let round = 0; round < 3; round += 1) await caller.projects.list({ scope: "mine" });
  expect(await refusal(caller.projects.list({ scope: "mine" }))).toMatchObject({ code: "TOO_MANY_REQUESTS" });
  expect(await database.sql`select 1 from rate_limits`).toEqual([]);
});

test.each([
  ["10.0.0.1", "203.0.113.5", ["10.0.0.0/8"], "203.0.113.5"],
  ["10.0.0.1", "203.0.113.5, 10.0.0.2", ["10.0.0.0/8"], "203.0.113.5"],
  ["10.0.0.1", "spoofed, 203.0.113.5", ["10.0.0.1"], "203.0.113.5"],
  ["203.0.113.9", "198.51.100.1", ["10.0.0.0/8"], "203.0.113.9"],
  ["::ffff:10.0.0.1", "2001:db8::5", ["10.0.0.1"], "2001:db8:0:0::/64"],
  ["10.0.0.1", "nonsense", ["10.0.0.1"], "10.0.0.1"],
  ["10.0.0.1", null, ["10.0.0.1"], "10.0.0.1"],
  ["10.0.0.1", "203.0.113.7, 198.51.100.4:4711", ["10.0.0.1"], "198.51.100.4"],
  ["10.0.0.1", "[2001:db8:1:2::9]:4711", ["10.0.0.1"], "2001:db8:1:2::/64"],
  ["10.0.0.1", "[::ffff:198.51.100.4]", ["10.0.0.1"], "198.51.100.4"],
  ["10.0.0.1", "198.51.100.4:port", ["10.0.0.1"], "10.0.0.1"],
])("behind %s, X-Forwarded-For %j and proxies %j mean %s", (socketAddress, forwardedFor, proxies, address) => {
  const headers = new Headers(forwardedFor === null ? {} : { "x-forwarded-for": forwardedFor });
  const logger = createLogger({ level: "silent" });
  expect(createAddressReader(proxies, { logger })(headers, socketAddress)).toBe(address);
});

test.each([
  ["https://sangam.example", "127.0.0.1", [], true],
  ["https://sangam.example", "0.0.0.0", [], true],
  ["http://sangam.example", "0.0.0.0", [], true],
  ["http://sangam.example:3000", "127.0.0.1", [], true],
  ["http://sangam.example:3000", "0.0.0.0", [], false],
  ["http://localhost:3000", "127.0.0.1", [], false],
  ["http://[::1]:3000", "::1", [], false],
  ["https://sangam.example", "127.0.0.1", ["127.0.0.1"], false],
])(
  "reached at %s, listening on %s, with proxies %j: the start names TRUSTED_PROXIES: %s",
  (publicUrl, host, trustedProxies, isSaid) => {
    const notice = unnamedProxyNotice({ publicUrl, host, port: 3000, trustedProxies });
    expect(notice !== null).toBe(isSaid);
    if (isSaid) expect(notice).toContain("TRUSTED_PROXIES");
  },
);
