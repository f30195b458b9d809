import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { makeUser } from "../../db/factories";
import { webVitals } from "../../db/schema";
import { DAY_MS } from "../contract/days";
import { deleteExpired } from "../jobs/retention";
import { createTestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { type LiveServer, startLiveServer } from "../test/live-server";
import { insertVitals } from "./mutations";

let database: TestDatabase;
let server: LiveServer;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startLiveServer(database);
});
beforeEach(() => database.sql`truncate web_vitals`);
afterAll(async () => {
  await server.close();
  await database.close();
});

const send = (body: string, headers: Record<string, string> = {}, base = server.base) =>
  fetch(`${base}/api/vitals`, { method: "POST", headers: { "content-type": "application/json", ...headers }, body });
const report = (route: string, value = 900) => JSON.stringify({ route, vitals: [{ vital: "LCP", value }] });
const stored = () => database.db.select().from(webVitals);

test("a page's speed is kept with its path and no more", async () => {
  expect((await send(report("/careers"))).status).toBe(200);
  expect(await stored()).toEqual([
    { id: expect.any(Number), at: expect.any(Date), route: "/careers", vital: "LCP", value: 900 },
  ]);
});

test.each([
  ["no JSON", "hello", 400],
  ["an unknown page", report("/wp-admin"), 400],
  ["a path with a search", report("/dashboard?q=secret"), 400],
  ["a negative time", report("/", -1), 400],
  ["an absurd time", report("/", 1e9), 400],
  ["an unknown kind", JSON.stringify({ route: "/", vitals: [{ vital: "FPS", value: 60 }] }), 400],
  ["a kind twice", JSON.stringify({ route: "/", vitals: Array(2).fill({ vital: "LCP", value: 1 }) }), 400],
  ["more than a report", JSON.stringify({ route: "/", vitals: [], more: "x".repeat(2_000) }), 413],
])("%s is refused and not kept", async (_what, body, status) => {
  expect((await send(body)).status).toBe(status);
  expect(await stored()).toEqual([]);
});

test("another site's page cannot add to them, nor one address without end", async () => {
  expect((await send(report("/"), { origin: "https://evil.example" })).status).toBe(403);
  const limited = await startLiveServer({ ...database, env: { rateLimitMultiplier: 0.01 } });
  const answers = [];
  for (let at = 0; at < 4; at += 1) answers.push((await send(report("/"), {}, limited.base)).status);
  await limited.close();
  expect(answers).toEqual([200, 200, 200, 429]);
});

test("admins see the 75th percentile of each kind on each page, of the last 28 days", async () => {
  for (const value of [100, 200, 300, 400])
    await insertVitals(database.db, { route: "/", vitals: [{ vital: "LCP", value }] });
  await insertVitals(database.db, { route: "/login", vitals: [{ vital: "CLS", value: 0.01 }] });
  await database.db.insert(webVitals).values({ route: "/", vital: "LCP", value: 9_000, at: daysAgo(29) });
  const admin = await createTestCallers(database.db).as(await makeUser(database.db, { accountType: "admin" }));
  expect(await admin.vitals.summary()).toEqual([
    { route: "/", vital: "LCP", p75: 325, count: 4 },
    { route: "/login", vital: "CLS", p75: 0.01, count: 1 },
  ]);
});

test("what is older than 28 days is forgotten", async () => {
  await database.db.insert(webVitals).values([
    { route: "/", vital: "LCP", value: 1, at: daysAgo(29) },
    { route: "/", vital: "LCP", value: 2, at: daysAgo(27) },
  ]);
  await deleteExpired(database.db);
  expect((await stored()).map(({ value }) => value)).toEqual([2]);
});

function daysAgo(days: number): Date {
  return new Date(Date.now() - days * DAY_MS);
}
