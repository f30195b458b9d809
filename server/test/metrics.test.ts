import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDb } from "../../db/client";
import { makeProject, makeSession, makeUser } from "../../db/factories";
import { createMetrics, type SharedState } from "../core/metrics";
import { createTimes } from "../metrics";
import { createTestDatabase, type TestDatabase } from "./db";
import { type LiveServer, openEventStream, startLiveServer } from "./live-server";
import { sessionCookie } from "./session-cookie";

const TOKEN = "a-token-of-the-tests";

let database: TestDatabase;
let server: LiveServer;
let cookie: string;

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startLiveServer({ ...database, env: { metrics: { port: null, token: TOKEN } } });
  const user = await makeUser(database.db, { accountType: "admin", email: "asha@sangam.example" });
  await makeProject(database.db, { createdBy: user.id });
  cookie = sessionCookie((await makeSession(database.db, { userId: user.id })).token);
});
afterAll(async () => {
  await server.close();
  await database.close();
});

const ask = (authorization?: string, base = server.base) =>
  fetch(`${base}/metrics`, { headers: authorization === undefined ? {} : { authorization } });
const scrape = async () => (await ask(`Bearer ${TOKEN}`)).text();
/** The value of one line, or undefined. */
const sampleOf = (text: string, line: string) => {
  const found = text.split("\n").find((one) => one.startsWith(`${line} `));
  return found === undefined ? undefined : Number(found.slice(line.length + 1));
};

test("only the token opens /metrics, and without one set there is no such page", async () => {
  for (const wrong of [undefined, "Bearer", "Bearer another", `Basic ${TOKEN}`, TOKEN, `Bearer ${TOKEN}x`]) {
    const refused = await ask(wrong);
    expect([refused.status, refused.headers.get("www-authenticate")]).toEqual([401, "Bearer"]);
    expect(await refused.text()).not.toContain("sangam_");
  }
  const opened = await ask(`Bearer ${TOKEN}`);
  expect([opened.status, opened.headers.get("content-type"), opened.headers.get("cache-control")]).toEqual([
    200,
    "text/plain; version=0.0.4; charset=utf-8",
    "no-store",
  ]);
  const plain = await startLiveServer(database);
  expect((await ask(`Bearer ${TOKEN}`, plain.base)).status).toBe(404);
  await plain.close();
});

test("calls are counted by procedure and code, and requests by kind, whatever names people try", async () => {
  const before = await scrape();
  for (const path of ["auth.me", "auth.me", "projects.list", "no.such", "auth.me%22%7B", "auth.me,no.such?batch=1"])
    await (await fetch(`${server.base}/api/trpc/${path}`)).text();
  for (const path of ["/wp-login.php", "/.env", "/healthz"]) await (await fetch(server.base + path)).text();
  const after = await scrape();
  const grown = (line: string) => (sampleOf(after, line) ?? 0) - (sampleOf(before, line) ?? 0);
  expect(grown('sangam_procedure_duration_seconds_count{procedure="auth.me",code="OK"}')).toBe(3);
  expect(grown('sangam_procedure_duration_seconds_count{procedure="projects.list",code="UNAUTHORIZED"}')).toBe(1);
  expect(grown('sangam_procedure_duration_seconds_bucket{procedure="auth.me",code="OK",le="+Inf"}')).toBe(3);
  expect(grown('sangam_http_request_duration_seconds_count{kind="unknown",status="4xx"}')).toBe(2);
  expect(grown('sangam_http_request_duration_seconds_count{kind="procedures",status="2xx"}')).toBe(3);
  expect(after).not.toMatch(/no\.such|wp-login|\.env/);
});

test("the pool, the event loop, streams, deliveries, mails and jobs have their numbers", async () => {
  const stream = await openEventStream(server, { cookie });
  stream.rest.catch(() => {});
  await database.sql`insert into mail_jobs (template, recipient, created_at) values ('test', 'meera', now() - interval '1 minute')`;
  const [project] = await database.sql`select id from projects limit 1`;
  await database.sql`update projects set change_seq = change_seq + 1`;
  await database.sql`select pg_notify('sangam', ${JSON.stringify({ subject: `project:${project?.id}`, topics: ["projects"], step: { kind: "project-changed" } })})`;
  await expect
    .poll(async () => sampleOf(await scrape(), "sangam_delivery_seconds_count") ?? 0, { timeout: 5_000 })
    .toBeGreaterThan(0);
  const text = await scrape();
  expect(sampleOf(text, 'sangam_streams{kind="event_stream"}')).toBe(1);
  expect(sampleOf(text, 'sangam_streams{kind="subscription"}')).toBeGreaterThan(0);
  expect(sampleOf(text, "sangam_database_up")).toBe(1);
  expect(sampleOf(text, "sangam_notifications_up")).toBe(1);
  expect(sampleOf(text, "sangam_mail_queue")).toBe(1);
  expect(sampleOf(text, "sangam_mail_queue_oldest_seconds")).toBeGreaterThan(59);
  expect(sampleOf(text, 'sangam_job_lag_seconds{kind="mail"}')).toBeGreaterThanOrEqual(0);
  expect(sampleOf(text, 'sangam_event_loop_delay_seconds{quantile="0.99"}')).toBeLessThan(10);
  expect(text).toMatch(/sangam_build_info\{version="[^"]*",node="v\d+/);
  expect(text).toContain("process_resident_memory_bytes");
  expect(text).toContain("nodejs_gc_duration_seconds");
  expect(text).not.toMatch(/asha|meera|@|[0-9a-f]{8}-[0-9a-f]{4}/);
});

test("page speed is shown by measurement and page", async () => {
  const body = JSON.stringify({
    route: "/careers",
    vitals: [
      { vital: "LCP", value: 900 },
      { vital: "CLS", value: 0.1 },
    ],
  });
  await fetch(`${server.base}/api/vitals`, { method: "POST", body, headers: { "content-type": "application/json" } });
  const text = await scrape();
  expect(sampleOf(text, 'sangam_web_vital_sum{vital="LCP",page="/careers"}')).toBeCloseTo(0.9);
  expect(sampleOf(text, 'sangam_web_vital_sum{vital="CLS",page="/careers"}')).toBeCloseTo(0.1);
});

test("the dashboard asks for nothing that the server does not say, and can be imported", async () => {
  const dashboard = JSON.parse(readFileSync("deploy/grafana.json", "utf8"));
  const text = await scrape();
  const names = new Set([...text.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name));
  const panels: {
    id: number;
    title: string;
    type: string;
    targets?: { expr: string }[];
    gridPos: { x: number; w: number };
  }[] = dashboard.panels;
  const queries = panels.flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const asked = queries.flatMap((expr) => [...expr.matchAll(/\b(?:sangam|process|nodejs)_\w+/g)].map(([name]) => name));
  expect(asked.length).toBeGreaterThan(25);
  for (const name of asked) expect(names).toContain(name.replace(/_(bucket|sum|count)$/, ""));
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
  for (const { gridPos } of panels) expect(gridPos.x + gridPos.w).toBeLessThanOrEqual(24);
  expect(dashboard).toMatchObject({ id: null, title: "Sangam", schemaVersion: expect.any(Number) });
  expect(dashboard.templating.list.map(({ name }: { name: string }) => name)).toEqual([
    "datasource",
    "job",
    "instance",
  ]);
});

test("a database that hangs takes two seconds of a scrape, once, and only what it would have said is missing", async () => {
  const times = createTimes();
  times.procedures.record({ procedure: "tasks.list", milliseconds: 5 }, "OK");
  let asked = 0;
  let answer: SharedState | null = null;
  const { open } = await createMetrics({
    version: "1.2.3",
    times,
    readPools: () => [{ idle: 1, busy: 2, connecting: 0, waiting: 3, oldestPendingMs: 2_500 }],
    countStreams: () => ({ socket: 4 }),
    isListening: () => (answer ? Promise.resolve(true) : new Promise(() => {})),
    readShared: () => {
      asked += 1;
      return answer ? Promise.resolve(answer) : new Promise(() => {});
    },
  });
  const startedAt = performance.now();
  const texts = await Promise.all([1, 2].map(async () => (await open.request("/metrics")).text()));
  const again = await (await open.request("/metrics")).text();
  expect(performance.now() - startedAt).toBeLessThan(8_000);
  expect(asked).toBe(1);
  for (const text of [...texts, again]) {
    expect(sampleOf(text, "sangam_database_up")).toBe(0);
    expect(sampleOf(text, "sangam_notifications_up")).toBe(0);
    expect(sampleOf(text, 'sangam_db_pool{state="waiting"}')).toBe(3);
    expect(sampleOf(text, "sangam_db_oldest_pending_seconds")).toBe(2.5);
    expect(sampleOf(text, 'sangam_procedure_duration_seconds_count{procedure="tasks.list",code="OK"}')).toBe(1);
    expect(text).not.toMatch(/^sangam_(mail_queue|job_lag|backup)/m);
  }
  answer = { mail: { queued: 0, oldestAt: null }, jobs: [], backedUpAt: null };
});

test("a pool says what its connections do, and how long the oldest call has been pending", async () => {
  const { db, sql, readState, close } = createDb(database.connection, { max: 2 });
  expect(readState()).toEqual({ idle: 0, busy: 0, connecting: 0, waiting: 0, oldestPendingMs: 0 });
  await Promise.all([sql`select 1`, sql`select 2`]);
  // It lasts until another transaction ends, however late this test looks.
  const holder = await database.sql.reserve();
  await holder`select pg_advisory_lock(1)`;
  const slow = db.execute("select pg_advisory_lock_shared(1), pg_advisory_unlock_shared(1)").then(() => null);
  await expect.poll(() => readState().oldestPendingMs).toBeGreaterThan(50);
  expect(readState()).toMatchObject({ idle: 1, busy: 1 });
  await holder`select pg_advisory_unlock(1)`;
  holder.release();
  await slow;
  expect(readState()).toMatchObject({ idle: 2, busy: 0, oldestPendingMs: 0 });
  await close();
});
