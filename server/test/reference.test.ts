import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
// biome-ignore lint/style/noRestrictedImports: nothing of this reaches a browser, and mini reads no JSON Schema.
import { fromJSONSchema } from "zod";
import { makeConversation, makeProject, makeSession, makeTask, makeUser, type UserRow } from "../../db/factories";
import { appRouter } from "../router";
import { createTestCallers, type TestCallers } from "./caller";
import { createTestDatabase, type TestDatabase } from "./db";
import { type LiveServer, startLiveServer } from "./live-server";
import { sessionCookie } from "./session-cookie";

/* The OpenAPI document against the running server, called as another language would: fetch, and nothing of ours. */

interface Operation {
  "x-kind": string;
  security?: Record<string, string[]>[];
  responses: Record<string, { content: Record<string, { schema: object }> }>;
}
interface Document {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}
const document: Document = JSON.parse(readFileSync("docs/openapi.json", "utf8"));
const operations = new Map(
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.values(methods).map((operation): [string, Operation] => [path.replace("/api/trpc/", ""), operation]),
  ),
);

let database: TestDatabase;
let server: LiveServer;
let callers: TestCallers;
let rohan: UserRow;
let apiKey: string;
/** Of a browser, for what no key may call. */
let cookie: string;
let ids: { projectId: string; taskId: string; conversationId: string };

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startLiveServer(database);
  callers = createTestCallers(database.db);
  rohan = await makeUser(database.db, { accountType: "admin" });
  const meera = await makeUser(database.db, { accountType: "client" });
  const project = await makeProject(database.db, { createdBy: rohan.id, clientId: meera.id, dueDate: "2026-12-01" });
  const task = await makeTask(database.db, { projectId: project.id, createdBy: rohan.id, assignedTo: [rohan.id] });
  const { id: conversationId } = await makeConversation(database.db, {
    between: [rohan.id, meera.id],
    messages: [{ senderId: meera.id, text: "Hello" }],
  });
  ids = { projectId: project.id, taskId: task.id, conversationId };
  cookie = sessionCookie((await makeSession(database.db, { userId: rohan.id })).token);
  apiKey = (await (await callers.as(rohan)).auth.createApiKey({ name: "Any language", scope: "write" })).key;
});
afterAll(async () => {
  await server.close();
  await database.close();
});

test("every procedure is in the document, with its kind, and every type that is named is there", () => {
  const kinds = Object.entries(appRouter._def.procedures).map(([path, procedure]): [string, string] => [
    path,
    "_def" in procedure ? Object(procedure._def).type : "router",
  ]);
  const plain = [
    ["/api/export/projects.csv", "download"],
    ["/api/export/projects.json", "download"],
    ["/api/export/everything.zip", "download"],
    ["/api/files", "upload"],
    ["/api/files/{id}", "download"],
    ["/api/files/{id}/thumbnail", "download"],
    ["/api/sign-offs/{id}.pdf", "download"],
    ["/api/vitals", "report"],
    ["/api/github/webhook", "webhook"],
  ] as const;
  expect(new Map([...operations].map(([path, operation]) => [path, operation["x-kind"]]))).toEqual(
    new Map([...kinds, ...plain]),
  );
  const text = JSON.stringify(document);
  const named = new Set([...text.matchAll(/"#\/components\/schemas\/(\w+)"/g)].map(([, name]) => name));
  expect([...named].filter((name) => name && !document.components.schemas[name])).toEqual([]);
});

describe("the answers are what the document says, with no field more and none less", () => {
  const calls: [string, (given: typeof ids) => unknown][] = [
    ["auth.me", () => undefined],
    ["auth.sessions", () => undefined],
    ["auth.apiKeys", () => undefined],
    ["users.list", () => ({})],
    ["users.team", () => undefined],
    ["users.updateProfile", () => ({ age: 40 })],
    ["projects.list", () => ({ scope: "all" })],
    ["projects.byId", ({ projectId }) => ({ projectId })],
    ["projects.calendar", () => ({ from: "2026-11-01", to: "2026-12-31" })],
    ["projects.update", ({ projectId }) => ({ projectId, version: 1, patch: { title: "Harbour" } })],
    ["projects.history", ({ projectId }) => ({ projectId })],
    ["tasks.list", ({ projectId }) => ({ projectId })],
    ["tasks.mine", () => undefined],
    ["tasks.update", ({ taskId }) => ({ taskId, patch: { dueDate: "2026-12-24" } })],
    ["chat.conversations", () => undefined],
    ["chat.messages", ({ conversationId }) => ({ conversationId })],
    ["chat.send", ({ conversationId }) => ({ conversationId, text: "Hi", clientMessageId: crypto.randomUUID() })],
    ["github.commits", () => undefined],
    ["github.tokenStatus", () => undefined],
    ["search.all", () => ({ q: "har" })],
  ];
  test.each(calls)("%s", async (path, inputOf) => {
    const answer = await call(path, inputOf(ids));
    expect(answer.status).toBe(200);
    expectFit(answer.body, schemaOf(path, "200", "application/json"));
  });
});

test("a refusal has a status and a body that the document knows", async () => {
  const refusals: [string, unknown, number][] = [
    ["projects.byId", { projectId: "none" }, 400],
    ["projects.byId", { projectId: crypto.randomUUID() }, 404],
    ["projects.update", { projectId: ids.projectId, version: 0, patch: { title: "Late" } }, 409],
  ];
  for (const [path, input, status] of refusals) {
    const answer = await call(path, input);
    expect(answer.status).toBe(status);
    expectFit(answer.body, schemaOf(path, String(status), "application/json"));
  }
});

test("what is no procedure answers as the document says", async () => {
  const authorization = `Bearer ${apiKey}`;
  const post = (path: string, body: object) =>
    fetch(`${server.base}${path}`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
  const answers: [string, number, Promise<Response>][] = [
    [
      "/api/export/projects.json",
      200,
      fetch(`${server.base}/api/export/projects.json?scope=mine`, { headers: { authorization } }),
    ],
    [
      "/api/export/projects.json",
      400,
      fetch(`${server.base}/api/export/projects.json?scope=none`, { headers: { authorization } }),
    ],
    ["/api/export/projects.csv", 401, fetch(`${server.base}/api/export/projects.csv`)],
    ["/api/vitals", 200, post("/api/vitals", { route: "/dashboard", vitals: [{ vital: "LCP", value: 1_200 }] })],
    ["/api/vitals", 400, post("/api/vitals", {})],
    ["/api/github/webhook", 404, post("/api/github/webhook", {})],
  ];
  for (const [path, status, sent] of answers) {
    const answer = await sent;
    expect([path, answer.status]).toEqual([path, status]);
    expectFit(await answer.json(), schemaOf(path, String(status), "application/json"));
  }
  const csv = await fetch(`${server.base}/api/export/projects.csv`, { headers: { authorization } });
  expect(csv.headers.get("content-type")).toMatch(/^text\/csv/);
  expect(schemaOf("/api/export/projects.csv", "200", "text/csv")).toEqual({ type: "string" });
});

test("a refused stream says so in an event that the document knows", async () => {
  const conversationId = crypto.randomUUID();
  const refused = await readEvent("chat.onMessage", { conversationId }, { event: "serialized-error" });
  const body = JSON.parse(refused.data ?? "");
  expect(body.json.data).toMatchObject({ code: "NOT_FOUND", httpStatus: 404, kind: "domain" });
  expectFit(body, document.components.schemas.StreamError ?? {});
});

test("what is refused before a procedure is asked has the same body", async () => {
  const { base } = server;
  const json = { "content-type": "application/json" };
  const search = { json: { q: "\u{1f6a2}".repeat(200) } };
  const batch = JSON.stringify(Object.fromEntries(Array.from({ length: 10 }, (_, at) => [at, search])));
  const searches = `${base}/api/trpc/${Array(10).fill("search.all").join()}?batch=1`;
  const post = (path: string, headers: Record<string, string>, body = '{"json":null}') =>
    fetch(`${base}${path}`, { method: "POST", headers, body });
  const refusals: [number, string | undefined, Promise<Response>][] = [
    [403, "other-site", post("/api/trpc/auth.signOut", { ...json, origin: "https://evil.example" })],
    [403, "other-site", fetch(`${base}/api/export/projects.csv`, { headers: { "sec-fetch-site": "cross-site" } })],
    [401, "session-ended", fetch(`${base}/api/export/projects.csv`)],
    [404, undefined, fetch(`${base}/api/elsewhere`)],
    [404, undefined, fetch(`${base}/api/trpc/%E0%A4%A`)],
    [404, undefined, fetch(`${base}/api/trpc/no.such`)],
    [405, undefined, fetch(`${base}/api/trpc/auth.signOut`)],
    [413, "too-large", post("/api/trpc/auth.signIn", json, "x".repeat(300_000))],
    [413, "too-large", post("/api/vitals", json, "x".repeat(2_000))],
    [400, undefined, post("/api/vitals", json, "{}")],
    [415, "unsupported-media-type", post("/api/trpc/auth.signOut", { "content-type": "text/plain" })],
    [431, "too-large", fetch(`${searches}&input=${encodeURIComponent(batch)}`)],
    [503, undefined, post("/api/trpc/auth.signInWithGoogle", json, '{"json":{"intent":"signIn"}}')],
  ];
  for (const [status, reason, sent] of refusals) {
    const answer = await sent;
    const body = await answer.json();
    expect([answer.url, answer.status, body.error?.json.data.reason]).toEqual([answer.url, status, reason]);
    expect(body.error.json.data.httpStatus).toBe(status);
    expect(answer.headers.get("content-type")).toMatch(/^application\/json/);
    expectFit(body, document.components.schemas.Error ?? {});
  }
});

test("queries may be sent by POST, alone or ten at once, however long; mutations and streams keep their own ways", async () => {
  const headers = { "content-type": "application/json", authorization: `Bearer ${apiKey}` };
  const post = (path: string, input: unknown) =>
    fetch(`${server.base}/api/trpc/${path}`, { method: "POST", headers, body: JSON.stringify(input) });
  const search = { json: { q: "\u{1f6a2}".repeat(200) } };
  const one = await post("search.all", search);
  expect([one.status, await one.json()]).toEqual([
    200,
    {
      result: {
        data: { json: { projects: [], tasks: [], people: [], comments: [], messages: [], requests: [], files: [] } },
      },
    },
  ]);
  const ten = await post(
    `${Array(10).fill("search.all").join()}?batch=1`,
    Object.fromEntries(Array.from({ length: 10 }, (_, at) => [at, search])),
  );
  expect([ten.status, (await ten.json()).length]).toEqual([200, 10]);
  expect((await post("projects.onChange", { json: {} })).status).toBe(405);
  expect((await post("search.all,auth.signOut?batch=1", { 0: search })).status).toBe(400);
});

test("a stream emits what the document says, and goes on after the event that Last-Event-ID names", async () => {
  const first = await readEvent("chat.onMessage", { conversationId: ids.conversationId });
  expectFit(JSON.parse(first.data ?? ""), schemaOf("chat.onMessage", "200", "text/event-stream"));
  const own = await callers.as(rohan);
  const text = "After that";
  const { seq } = await own.chat.send({
    conversationId: ids.conversationId,
    text,
    clientMessageId: crypto.randomUUID(),
  });
  const next = await readEvent("chat.onMessage", { conversationId: ids.conversationId }, { after: String(seq - 1) });
  expect(next).toMatchObject({ id: String(seq), data: expect.stringContaining(text) });
});

async function call(path: string, input: unknown): Promise<{ status: number; body: unknown }> {
  const isMutation = operations.get(path)?.["x-kind"] === "mutation";
  const isForBrowsers = operations.get(path)?.security?.some((way) => "session" in way) === true;
  const credentials: Record<string, string> = isForBrowsers ? { cookie } : { authorization: `Bearer ${apiKey}` };
  const json = JSON.stringify({ json: input });
  const address = `${server.base}/api/trpc/${path}`;
  const answer = await fetch(
    isMutation || input === undefined ? address : `${address}?input=${encodeURIComponent(json)}`,
    {
      headers: { ...credentials, ...(isMutation && { "content-type": "application/json" }) },
      ...(isMutation && { method: "POST", body: json }),
    },
  );
  return { status: answer.status, body: await answer.json() };
}

/** The first event of a stream that carries a value, or of the kind that is named, by its fields. */
async function readEvent(
  path: string,
  input: unknown,
  { after: lastEventId, event: wanted }: { after?: string; event?: string } = {},
): Promise<Record<string, string>> {
  const address = `${server.base}/api/trpc/${path}?input=${encodeURIComponent(JSON.stringify({ json: input }))}`;
  const answer = await fetch(address, {
    headers: {
      authorization: `Bearer ${apiKey}`,
      accept: "text/event-stream",
      ...(lastEventId !== undefined && { "last-event-id": lastEventId }),
    },
  });
  let text = "";
  for await (const chunk of answer.body ?? []) {
    text += new TextDecoder().decode(chunk);
    const events = text.split("\n\n").slice(0, -1).map(fieldsOf);
    const [event] = events.filter(({ event, data }) => event === wanted && data !== undefined);
    // Leaving the loop disconnects.
    if (event) return event;
  }
  throw new Error(`the stream ended: ${text}`);
}

function fieldsOf(event: string): Record<string, string> {
  return Object.fromEntries(event.split("\n").map((line) => line.split(/: ?(.*)/s).slice(0, 2)));
}

function schemaOf(path: string, status: string, type: string): object {
  const schema = operations.get(path)?.responses[status]?.content[type]?.schema;
  if (!schema) throw new Error(`${path} has no ${status} of ${type} in the document.`);
  return schema;
}

function expectFit(value: unknown, schema: object): void {
  const whole = JSON.stringify({ ...schema, $defs: document.components.schemas });
  const local = JSON.parse(whole.replaceAll("#/components/schemas/", "#/$defs/"), closed);
  expect(fromJSONSchema(local).safeParse(value).error?.issues ?? []).toEqual([]);
}

/** A reviver: the same schema, in which objects have no other fields than those it names. */
function closed(_key: string, schema: unknown): unknown {
  const isObject = typeof schema === "object" && schema !== null && "type" in schema && schema.type === "object";
  if (!isObject || !("properties" in schema)) return schema;
  const isMeta = Object(schema.properties).values !== undefined;
  return isMeta ? schema : { ...schema, additionalProperties: false };
}
