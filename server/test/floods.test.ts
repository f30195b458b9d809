import { availableParallelism } from "node:os";
import { hashPassword } from "better-auth/crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { makeUser } from "../../db/factories";
import { users } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import { createLimits } from "../core/rate-limit";
import { createTestCallers } from "./caller";
import { createTestDatabase, type TestDatabase } from "./db";
import { type LiveServer, startLiveServer } from "./live-server";

const PASSWORD = "sangam-demo";
/** On the largest machine: so many wait, and one is at work on each core. On a busy one some are done before the last of a flood has come. */
const MAX_HASHES = 32 + availableParallelism() + 8;
/** Of the limits of access.md: an address may fail 10 times, an account 2 times from there. */
const MULTIPLIER = 0.2;

let database: TestDatabase;
/** Without rate limits, and with them; both behind one proxy, so that a test chooses its addresses. */
let server: LiveServer;
let limited: LiveServer;

beforeAll(async () => {
  database = await createTestDatabase();
  const env = { trustedProxies: ["127.0.0.1"] };
  server = await startLiveServer({ ...database, env });
  limited = await startLiveServer({ ...database, env: { ...env, rateLimitMultiplier: MULTIPLIER } });
  await makeUser(database.db, {
    email: "lata@sangam.example",
    username: "lata",
    passwordHash: await hashPassword(PASSWORD),
  });
});
beforeEach(() => database.sql`truncate rate_limits`);
afterAll(async () => {
  await Promise.all([server.close(), limited.close()]);
  await database.close();
});

interface Answer {
  status: number;
  retryAfter: number;
  text: string;
  tookMs: number;
}

async function ask(path: string, json: unknown, { from = "203.0.113.1", at = server } = {}): Promise<Answer> {
  const startedAt = performance.now();
  const answer = await fetch(`${at.base}/api/trpc/${path}`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-forwarded-for": from },
    body: JSON.stringify({ json }),
  });
  const text = await answer.text();
  const tookMs = performance.now() - startedAt;
  return { status: answer.status, retryAfter: Number(answer.headers.get("retry-after")), text, tookMs };
}
const signIn = (email: string, password: string, options?: Parameters<typeof ask>[2]) =>
  ask("auth.signIn", { email, password, rememberMe: true }, options);
/** With the transaction that last wrote each: what was written again is not the same. */
const counts = () =>
  database.sql<{ key: string; points: number }[]>`select key, points, expire, xmin::text from rate_limits order by key`;

/** Each hash takes 75 ms of a core, and tests share the machine. */
describe("password hashing", { timeout: 60_000 }, () => {
  test("of 60 sign-ins at once all but a few are told at once to come later, and counted against nobody; nobody waits behind more than those few", async () => {
    let hashed = 0;
    const order: number[] = [];
    const flood = Array.from({ length: 60 }, async (_, at) => {
      const email = at % 2 ? "lata@sangam.example" : `nobody${at}@sangam.example`;
      const answer = await signIn(email, "wrong", { from: `198.51.100.${at}`, at: limited });
      if (answer.status === 401) hashed += 1;
      order.push(answer.status);
      return answer;
    });
    const right = await signIn("lata@sangam.example", PASSWORD, { at: limited });
    expect([200, 503]).toContain(right.status);
    const answers = await Promise.all(flood);
    const refused = answers.filter(({ status }) => status === 503);
    expect(hashed).toBeLessThanOrEqual(MAX_HASHES);
    expect(refused).toHaveLength(60 - hashed);
    for (const { retryAfter, text } of refused) {
      expect(retryAfter).toBeGreaterThan(0);
      expect(JSON.parse(text)).toMatchObject({
        error: {
          json: {
            message: expect.stringContaining(MESSAGES.limits.busy),
            data: { code: "SERVICE_UNAVAILABLE", reason: "busy" },
          },
        },
      });
    }
    // Hashes still came after the last refusal: nobody who was refused waited for the queue.
    expect(order.lastIndexOf(503)).toBeLessThan(order.lastIndexOf(401));
    expect((await counts()).filter(({ points }) => points > 0)).toHaveLength(2 * hashed);
    // Afterwards everything is as before.
    expect((await signIn("lata@sangam.example", PASSWORD, { at: limited })).status).toBe(200);
  });

  test("a flood from one address leaves places for others", async () => {
    const flood = Array.from({ length: 40 }, () => signIn("lata@sangam.example", "wrong", { from: "198.51.100.1" }));
    expect(await signIn("lata@sangam.example", PASSWORD, { from: "203.0.113.2" })).toMatchObject({ status: 200 });
    expect((await Promise.all(flood)).some(({ status }) => status === 503)).toBe(true);
  });

  test("a refused sign-up stores nothing and waits for nothing", async () => {
    const form = (at: number) => ({
      name: "Late Person",
      email: `late${at}@sangam.example`,
      mobile: "+91 98200 12345",
      password: PASSWORD,
      confirmPassword: PASSWORD,
      agreeToTerms: true,
    });
    const from = (at: number) => ({ from: `198.51.100.${at}`, at: limited });
    const signUps = await Promise.all(Array.from({ length: 45 }, (_, at) => ask("auth.signUp", form(at), from(at))));
    const stored = await database.db.select({ email: users.email }).from(users);
    for (const [at, { status, text }] of signUps.entries()) {
      expect([200, 503], text).toContain(status);
      expect(stored.some(({ email }) => email === form(at).email)).toBe(status === 200);
    }
    expect(signUps.some(({ status }) => status === 503)).toBe(true);
  });
});

describe("failed sign-ins", () => {
  test("with ever new e-mails leave no more rows than an address may fail, and a refused one leaves no trace", async () => {
    const from = { from: "203.0.113.20", at: limited };
    for (let at = 0; at < 30; at += 3) {
      await Promise.all([0, 1, 2].map((of) => signIn(`new${at + of}@sangam.example`, "wrong", from)));
    }
    const before = await counts();
    expect(before.length).toBeLessThanOrEqual(11);
    for (let at = 0; at < 5; at += 1) {
      expect((await signIn(`other${at}@sangam.example`, "wrong", from)).status).toBe(429);
    }
    expect(await counts()).toEqual(before);
  });

  test("of one account beyond the limit are refused without a trace", async () => {
    const from = { from: "203.0.113.21", at: limited };
    for (let at = 0; at < 2; at += 1) expect((await signIn("lata@sangam.example", "wrong", from)).status).toBe(401);
    const before = await counts();
    expect(before.map(({ points }) => points)).toEqual([2, 2]);
    for (let at = 0; at < 5; at += 1) expect((await signIn("lata@sangam.example", "wrong", from)).status).toBe(429);
    expect(await counts()).toEqual(before);
  });

  test("of one account at once are as many as the limit, and use up no more of their address", async () => {
    const from = { from: "203.0.113.22", at: limited };
    const tries = await Promise.all(Array.from({ length: 4 }, () => signIn("lata@sangam.example", "wrong", from)));
    expect(tries.filter(({ status }) => status === 401)).toHaveLength(2);
    expect((await counts()).find(({ key }) => key.startsWith("signInFailureOfAddress"))?.points).toBe(2);
  });

  test("are forgotten once they count no more", async () => {
    await signIn("lata@sangam.example", "wrong", { from: "203.0.113.23", at: limited });
    const limits = createLimits({ sql: database.sql, multiplier: 1 });
    await limits.sweep();
    expect(await counts()).toHaveLength(2);
    await database.sql`update rate_limits set expire = ${Date.now() - 1}`;
    await limits.sweep();
    expect(await counts()).toEqual([]);
  });

  test.each([
    ["auth.requestPasswordReset", { email: "lata@sangam.example" }, 1],
    [
      "inquiries.submit",
      { kind: "contact", name: "Lata", email: "lata@sangam.example", subject: "other", message: "Hello." },
      2,
    ],
  ])("%s writes nothing once it is refused", async (path, input, allowed) => {
    const from = { from: "203.0.113.30", at: limited };
    for (let at = 0; at < allowed; at += 1) expect((await ask(path, input, from)).status).toBe(200);
    const before = await counts();
    for (let at = 0; at < 3; at += 1) {
      const refused = await ask(path, input, from);
      expect(refused.status).toBe(429);
      expect(refused.retryAfter).toBeGreaterThan(60);
      expect(JSON.parse(refused.text)).toMatchObject({ error: { json: { data: { reason: "limited" } } } });
    }
    expect(await counts()).toEqual(before);
  });
});

describe("wrong API keys", () => {
  const wrong = (at: number) => `Bearer sgm_${String(at).padStart(43, "x")}`;
  const read = (authorization: string, from: string) =>
    fetch(`${server.base}/api/trpc/tasks.mine`, { headers: { authorization, "x-forwarded-for": from } });

  test("are looked up 100 times a minute for an address, also when they come at once; then none is, not even a right one", async () => {
    const own = await createTestCallers(database.db).as(await makeUser(database.db));
    const { key } = await own.auth.createApiKey({ name: "A script", scope: "read" });
    const from = "203.0.113.40";
    const statuses = await Promise.all(
      Array.from({ length: 120 }, async (_, at) => (await read(wrong(at), from)).status),
    );
    expect(statuses.filter((status) => status === 401)).toHaveLength(100);
    expect(statuses.filter((status) => status === 429)).toHaveLength(20);
    await database.sql.begin(async (tx) => {
      // Whoever looks anything up now waits.
      await tx`lock table sessions in access exclusive mode`;
      const refused = await read(`Bearer ${key}`, from);
      expect(refused.status).toBe(429);
      expect(Number(refused.headers.get("retry-after"))).toBeGreaterThan(30);
      const stream = await fetch(`${server.base}/api/trpc/projects.onChange?input=%7B%22json%22%3A%7B%7D%7D`, {
        headers: { accept: "text/event-stream", authorization: `Bearer ${key}`, "x-forwarded-for": from },
      });
      expect({ status: stream.status, wait: Number(stream.headers.get("retry-after")) > 30 }).toEqual({
        status: 429,
        wait: true,
      });
      expect(await closeCodeOf({ authorization: `Bearer ${key}`, from })).toBe(4429);
    });
    expect((await read(`Bearer ${key}`, "203.0.113.41")).status).toBe(200);
  });

  test("good ones are as many as anybody wants", async () => {
    const own = await createTestCallers(database.db).as(await makeUser(database.db));
    const { key } = await own.auth.createApiKey({ name: "A script", scope: "read" });
    const answers = await Promise.all(Array.from({ length: 120 }, () => read(`Bearer ${key}`, "203.0.113.42")));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]));
  });

  function closeCodeOf({ authorization, from }: { authorization: string; from: string }): Promise<number> {
    const socket = new WebSocket(`${server.base.replace("http", "ws")}/api/trpc?connectionParams=1`, {
      headers: { origin: server.base, "x-forwarded-for": from },
    });
    socket.once("open", () => socket.send(JSON.stringify({ method: "connectionParams", data: { authorization } })));
    return new Promise((resolve) => socket.once("close", resolve));
  }
});
