import { randomUUID } from "node:crypto";
import { createServer } from "node:http";
import { sql } from "drizzle-orm";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createDb } from "../../db/client";
import { makeProject, makeSession, makeUser } from "../../db/factories";
import { createLogger } from "../core/logger";
import { startTracing } from "../core/tracing";
import { type JobKind, startJobs } from "../jobs/runner";
import { createHub } from "../realtime/hub";
import { createTestDatabase, type TestDatabase } from "./db";
import { startLiveServer } from "./live-server";
import { sessionCookie } from "./session-cookie";

interface Span {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  attributes: { key: string; value: { stringValue?: string; intValue?: number } }[];
  status: { code?: number };
}

const logger = createLogger({ level: "silent" });
const spans: Span[] = [];
const received: { service: string; headers: Record<string, unknown>; texts: string[] } = {
  service: "",
  headers: {},
  texts: [],
};
/** What a collector of OpenTelemetry is to the server. */
const receiver = createServer((request, response) => {
  let text = "";
  request.on("data", (part) => {
    text += part;
  });
  request.on("end", () => {
    received.headers = request.headers;
    received.texts.push(text);
    for (const { resource, scopeSpans } of JSON.parse(text).resourceSpans) {
      const name = resource.attributes.find(({ key }: { key: string }) => key === "service.name");
      received.service = name.value.stringValue;
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    response.end("{}");
  });
});

let database: TestDatabase;

beforeAll(async () => {
  database = await createTestDatabase();
  await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
  const address = receiver.address();
  process.env.OTEL_EXPORTER_OTLP_ENDPOINT = `http://127.0.0.1:${typeof address === "object" && address?.port}`;
  process.env.OTEL_EXPORTER_OTLP_HEADERS = "x-team=sangam";
  process.env.OTEL_SERVICE_NAME = "sangam-of-the-tests";
});
afterAll(async () => {
  receiver.close();
  await database.close();
});

const attribute = (span: Span | undefined, name: string) => {
  const { value } = span?.attributes.find(({ key }) => key === name) ?? {};
  return value?.stringValue ?? Number(value?.intValue);
};

test("one call is one trace: request, procedures, statements, under the trace of whoever asked", async () => {
  const user = await makeUser(database.db, { accountType: "admin", email: "asha@sangam.example" });
  const project = await makeProject(database.db, { createdBy: user.id, title: "Tea for two" });
  const cookie = sessionCookie((await makeSession(database.db, { userId: user.id })).token);
  const tracing = await startTracing({ version: "1.2.3", protocol: "http/json", logger });
  const traced = createDb(database.connection, { startStatement: tracing.startStatement });
  const server = await startLiveServer({ ...database, db: traced.db, sql: traced.sql, tracing });
  const traceId = "0af7651916cd43dd8448eb211c80319c";
  const answer = await fetch(
    `${server.base}/api/trpc/projects.byId?input=${encodeURIComponent(JSON.stringify({ json: { projectId: project.id } }))}`,
    { headers: { cookie, traceparent: `00-${traceId}-b7ad6b7169203331-01` } },
  );
  expect(answer.status).toBe(200);
  await (await fetch(`${server.base}/api/trpc/tasks.list`)).text();
  await server.close();
  await tracing.close();
  await traced.close();

  expect([received.service, received.headers["x-team"]]).toEqual(["sangam-of-the-tests", "sangam"]);
  const ours = spans.filter((span) => span.traceId === traceId);
  const request = ours.find(({ parentSpanId }) => parentSpanId === "b7ad6b7169203331");
  const procedure = ours.find(({ parentSpanId }) => parentSpanId === request?.spanId);
  const statements = ours.filter(({ name }) => name === "SELECT" || name === "WITH");
  expect([request?.name, procedure?.name]).toEqual(["GET procedures", "projects.byId"]);
  expect(attribute(request, "http.response.status_code")).toBe(200);
  expect(attribute(request, "sangam.request_id")).toBe(answer.headers.get("x-request-id"));
  expect(attribute(procedure, "sangam.code")).toBe("OK");
  expect(statements.length).toBeGreaterThanOrEqual(2);
  for (const statement of statements) expect([procedure?.spanId, request?.spanId]).toContain(statement.parentSpanId);
  expect(statements.some((statement) => /from "projects"/.test(String(attribute(statement, "db.query.text"))))).toBe(
    true,
  );

  const refused = spans.find(({ name }) => name === "tasks.list");
  expect([attribute(refused, "sangam.code"), refused?.status.code ?? 0]).toEqual(["UNAUTHORIZED", 0]);
  for (const secret of [project.id, user.id, "Tea for two", "asha@", cookie.split("=")[1] ?? ""])
    expect(received.texts.join("")).not.toContain(secret);
});

test("the statements of a transaction are in the trace of the call that made it", async () => {
  const user = await makeUser(database.db, { accountType: "admin" });
  const { id: projectId } = await makeProject(database.db, { createdBy: user.id });
  const cookie = sessionCookie((await makeSession(database.db, { userId: user.id })).token);
  const tracing = await startTracing({ version: "1", protocol: "http/json", logger });
  const traced = createDb(database.connection, { startStatement: tracing.startStatement });
  const server = await startLiveServer({ ...database, db: traced.db, sql: traced.sql, tracing });
  const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
  const answer = await fetch(`${server.base}/api/trpc/comments.create`, {
    method: "POST",
    headers: { cookie, "content-type": "application/json", traceparent: `00-${traceId}-00f067aa0ba902b7-01` },
    body: JSON.stringify({
      json: { subject: { projectId }, text: "Tea", visibility: "team", clientCommentId: randomUUID() },
    }),
  });
  expect(answer.status).toBe(200);
  await server.close();
  await tracing.close();
  await traced.close();

  const ours = spans.filter((span) => span.traceId === traceId);
  const procedure = ours.find(({ name }) => name === "comments.create");
  const inserts = ours.filter((span) => /insert into "comments"/.test(String(attribute(span, "db.query.text"))));
  expect(inserts.map(({ parentSpanId }) => parentSpanId)).toEqual([procedure?.spanId]);
});

test("each job of the background work is one trace with its statements, and one that fails is marked", async () => {
  const tracing = await startTracing({ version: "1", protocol: "http/json", logger });
  const traced = createDb(database.connection, { startStatement: tracing.startStatement });
  const left = [false, true];
  const kind: JobKind<boolean> = {
    ...{ name: "of the test", concurrency: 1, topic: null, pollMs: 60_000, describe: () => ({}) },
    claim: async () => left.shift() ?? null,
    async run(fails) {
      await traced.db.execute(fails ? sql`select 1 / 0` : sql`select 1`);
    },
    retryLater: async () => false,
    backlog: async () => ({ waiting: 0, lagSeconds: 0 }),
  };
  const jobs = startJobs([kind], { feed: createHub(), logger, tracing });
  await expect.poll(() => left.length).toBe(0);
  await jobs.close();
  await tracing.close();
  await traced.close();
  const [done, failed] = spans.filter(({ name }) => name === "job of the test");
  expect([attribute(done, "sangam.outcome"), done?.status.code ?? 0]).toEqual(["done", 0]);
  expect([attribute(failed, "sangam.outcome"), failed?.status.code]).toEqual(["failed", 2]);
  for (const job of [done, failed]) {
    const below = spans.filter(({ parentSpanId, traceId }) => parentSpanId === job?.spanId && traceId === job?.traceId);
    expect(below.map(({ name }) => name)).toEqual(["SELECT"]);
  }
});

test("what the server asks meanwhile belongs to the same trace", async () => {
  const asked: (string | undefined)[] = [];
  const other = createServer((request, response) => {
    asked.push(String(request.headers.traceparent));
    response.end();
  });
  await new Promise<void>((resolve) => other.listen(0, "127.0.0.1", resolve));
  const address = other.address();
  const url = `http://127.0.0.1:${typeof address === "object" && address?.port}`;
  const tracing = await startTracing({ version: "1", protocol: "http/json", logger });
  const headers = new Headers({ traceparent: `00-${"ab".repeat(16)}-b7ad6b7169203331-01` });
  const span = tracing.startRequest({ method: "GET", route: "api", requestId: "x", headers });
  await span.run(() => fetch(url));
  span.end("200", { isFault: false });
  await fetch(url);
  await tracing.close();
  other.close();
  expect(asked).toEqual([expect.stringMatching(/^00-(ab){16}-(?!b7ad6b7169203331)[0-9a-f]{16}-01$/), "undefined"]);
});

test("a receiver that is away, and one that hangs, cost no call anything and a stop two seconds at most", async () => {
  const silent = createServer(() => {});
  await new Promise<void>((resolve) => silent.listen(0, "127.0.0.1", resolve));
  const address = silent.address();
  const hanging = `http://127.0.0.1:${typeof address === "object" && address?.port}`;
  for (const endpoint of ["http://127.0.0.1:9", hanging]) {
    process.env.OTEL_EXPORTER_OTLP_ENDPOINT = endpoint;
    const lines: string[] = [];
    const tracing = await startTracing({
      version: "1",
      protocol: "http/protobuf",
      logger: createLogger({ level: "warn", write: (line) => lines.push(line) }),
    });
    const headers = new Headers();
    const span = tracing.startRequest({ method: "GET", route: "pages", requestId: "x", headers });
    expect(span.run(() => tracing.startStatement(["select ", ""]))).toBeTypeOf("function");
    span.end("200", { isFault: false });
    const startedAt = performance.now();
    await tracing.close();
    expect(performance.now() - startedAt).toBeLessThan(8_000);
    expect(lines.length).toBeLessThanOrEqual(1);
  }
  silent.closeAllConnections();
  silent.close();
});
