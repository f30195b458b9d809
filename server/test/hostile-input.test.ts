import { inspect } from "node:util";
import { TRPCError } from "@trpc/server";
import superjson from "superjson";
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import { WebSocket } from "ws";
import * as z from "zod/mini";
import { makeProject, makeSession, makeUser } from "../../db/factories";
import { DAY_MS } from "../contract/days";
import { MESSAGES } from "../contract/messages";
import { publicError } from "../core/errors";
import { appRouter } from "../router";
import { createTestDatabase, type TestDatabase } from "./db";
import { type LiveServer, startLiveServer } from "./live-server";
import { sessionCookie } from "./session-cookie";

/* What anyone can send, by every way in: refused before superjson reads it, and never at the cost of another call. */

let database: TestDatabase;
let server: LiveServer;
let cookie: string;
const sockets: WebSocket[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startLiveServer(database);
  const asha = await makeUser(database.db, { accountType: "admin" });
  await makeProject(database.db, { createdBy: asha.id });
  cookie = sessionCookie((await makeSession(database.db, { userId: asha.id })).token);
});
afterEach(() => {
  vi.restoreAllMocks();
  for (const socket of sockets.splice(0)) socket.terminate();
});
afterAll(async () => {
  await server.close();
  await database.close();
});

const at = (annotation: unknown, json: unknown = { a: null }) => ({ json, meta: { values: { a: annotation }, v: 1 } });

/** Every annotation that superjson 2.2 knows and inputs do not need, and the others where they do not belong. */
const UNSUPPORTED: Record<string, unknown> = {
  "a typed array": at([["typed-array", "Float64Array"]], { a: 1_000 }),
  map: at(["map"], { a: [] }),
  set: at(["set"], { a: [] }),
  regexp: at(["regexp"], { a: "/(a+)+$/" }),
  bigint: at(["bigint"], { a: "12" }),
  Error: at(["Error"], { a: { message: "m" } }),
  URL: at(["URL"], { a: "https://a.example" }),
  NaN: at(["number"], { a: "NaN" }),
  symbol: at([["symbol", "a"]]),
  class: at([["class", "Object"]], { a: {} }),
  custom: at([["custom", "a"]]),
  "an unknown word": at(["toString"]),
  "two words": at(["undefined", "Date"]),
  "a map at the root": { json: [], meta: { values: ["map"] } },
  "what is nested in a map": { json: [[1, 2]], meta: { values: ["map", { "0.1": ["undefined"] }] } },
  "a tree below a path": at({ b: ["undefined"] }, { a: { b: null } }),
  "undefined with children": at(["undefined", { b: ["Date"] }]),
  "undefined for a value": at(["undefined"], { a: "a" }),
  "a Date of a number": at(["Date"], { a: 1e300 }),
  "a Date of a long text": at(["Date"], { a: "(".repeat(1_000) }),
  "a place past the end of a list": {
    json: { a: [] },
    meta: { values: { "a.4294967294": ["undefined"] }, v: 1 },
  },
  "the length of a list": { json: { a: [] }, meta: { values: { "a.length": ["undefined"] }, v: 1 } },
  "a place that is not there": { json: {}, meta: { values: { a: ["undefined"] }, v: 1 } },
  "a place below a text": { json: "a", meta: { values: { "0": ["undefined"] }, v: 1 } },
  "a prototype": { json: {}, meta: { values: { "__proto__.a": ["undefined"] }, v: 1 } },
  "a constructor": { json: { constructor: null }, meta: { values: { constructor: ["undefined"] }, v: 1 } },
  "an escaped path": { json: { "a.b": null }, meta: { values: { "a\\.b": ["undefined"] }, v: 1 } },
  "annotations that are a text": { json: null, meta: { values: "undefined" } },
  "meta that is a list": { json: null, meta: [] },
  "meta of another kind": { json: null, meta: { dedupe: true } },
  "3,000 annotations": {
    json: Array(3_000).fill(null),
    meta: { values: Object.fromEntries(Array.from({ length: 3_000 }, (_, index) => [index, ["undefined"]])) },
  },
  "30,000 values": { json: Array(30_000).fill(0) },
  "lists in lists in lists": { json: JSON.parse(`${"[".repeat(100)}${"]".repeat(100)}`) },
  "equal references": {
    json: { a: [], b: [] },
    meta: { referentialEqualities: { a: ["b"] }, v: 1 },
  },
  "references to the root": { json: { a: null }, meta: { referentialEqualities: [["a"]], v: 1 } },
  "no references": { json: {}, meta: { referentialEqualities: {}, v: 1 } },
};

const BARE: Record<string, unknown> = {
  "an object": { projectId: "3f2b8c9e-1d2a-4b5c-8d7e-9f0a1b2c3d4e" },
  "a text": "projects",
  "a list": [{ json: {} }],
  null: null,
  "annotations alone": { meta: { values: {} } },
};

const procedures = Object.entries(appRouter._def.procedures).map(([path, procedure]) => {
  const { type, meta } = Object(procedure)._def;
  return { path, type: String(type), isPublic: meta.access === "anyone" };
});
/** Where it is, and whether it is a query, a mutation or a subscription. */
type Procedure = Pick<(typeof procedures)[number], "path" | "type">;
const ME: Procedure = { path: "auth.me", type: "query" };
const publicOnes = procedures.filter(({ isPublic }) => isPublic);

test("the router has public procedures to ask", () => {
  expect(publicOnes.map(({ path }) => path)).toEqual(expect.arrayContaining(["auth.me", "auth.signIn"]));
});

/** One input by every way in that its kind of procedure has: what each answers, as `way: code status reason`. */
async function sendEveryWay({ path, type }: Procedure, input: unknown, caller: Caller): Promise<string[]> {
  const [plain, batch] = [JSON.stringify(input), JSON.stringify({ 0: input })];
  const send = type === "mutation" ? caller.post : caller.get;
  // Longer addresses are refused by Node itself.
  const isTooLong = type === "query" && encodeURIComponent(batch).length > 8_000;
  const answers = await Promise.all([
    caller.sendFrame({ path, type }, input),
    ...(isTooLong ? [] : [send(path, plain), send(`${path}?batch=1`, batch).then((calls) => Object(calls)[0])]),
  ]);
  return answers.map((answer, way) => `${["WS", "HTTP", "batch"][way]}: ${outcomeOf(answer)}`);
}

describe.each(publicOnes)("$path", (procedure) => {
  test("refuses every annotation that inputs do not need before superjson reads it", async () => {
    const deserialise = vi.spyOn(superjson, "deserialize");
    const caller = await openCaller();
    for (const [name, input] of Object.entries(UNSUPPORTED))
      for (const answer of await sendEveryWay(procedure, input, caller))
        expect(`${name} ${answer}`).toMatch(/: BAD_REQUEST 400 unsupported-input$/);
    expect(deserialise).not.toHaveBeenCalled();
  });

  test("refuses what is in no envelope", async () => {
    const caller = await openCaller();
    for (const [name, input] of Object.entries(BARE))
      for (const answer of await sendEveryWay(procedure, input, caller))
        expect(`${name} ${answer}`).toMatch(/: BAD_REQUEST 400 missing-envelope$/);
  });
});

describe("a stream", () => {
  const open = (input: unknown, rest = "") =>
    fetch(`${server.base}/api/trpc/projects.onChange?input=${encodeURIComponent(JSON.stringify(input))}${rest}`, {
      headers: { accept: "text/event-stream", cookie },
    });

  test.each(["", "&lastEventId=7"])("over server-sent events refuses every one of them %s", async (rest) => {
    const deserialise = vi.spyOn(superjson, "deserialize");
    const small = Object.entries({ ...UNSUPPORTED, ...BARE }).filter(
      ([, input]) => JSON.stringify(input).length < 2_000,
    );
    expect(small.length).toBeGreaterThan(35);
    for (const [name, input] of small) {
      const text = await (await open(input, rest)).text();
      expect(text, name).toMatch(/"reason":"(unsupported-input|missing-envelope)"/);
      expect(text, name).toContain('"BAD_REQUEST"');
    }
    expect(deserialise).not.toHaveBeenCalled();
  });

  test("over a socket refuses one with the id of a last event, and the socket stays", async () => {
    const caller = await openCaller(cookie);
    const stream = { path: "projects.onChange", type: "subscription" };
    for (const input of [UNSUPPORTED.map, BARE["an object"]])
      expect(outcomeOf(await caller.sendFrame(stream, input, "7"))).toMatch(/^BAD_REQUEST 400/);
    expect(outcomeOf(await caller.sendFrame(ME, { json: null }))).toBe("ok");
  });
});

describe("beside an input that is refused", () => {
  test("the other calls of a batch are answered", async () => {
    const caller = await openCaller();
    const reads = await caller.get(
      "auth.me,auth.me,auth.me?batch=1",
      JSON.stringify({ 0: UNSUPPORTED.map, 2: BARE["an object"] }),
    );
    expect(Object.values(Object(reads)).map(outcomeOf)).toEqual([
      "BAD_REQUEST 400 unsupported-input",
      "ok",
      "BAD_REQUEST 400 missing-envelope",
    ]);
    const writes = await caller.post(
      "auth.signOut,auth.signOut?batch=1",
      JSON.stringify({ 0: UNSUPPORTED.map, 1: {} }),
    );
    expect(Object.values(Object(writes)).map(outcomeOf)).toEqual(["BAD_REQUEST 400 unsupported-input", "ok"]);
  });

  test("the other calls of a socket's message are answered", async () => {
    const { sendFrames } = await openCaller();
    const answers = await sendFrames([
      [ME, UNSUPPORTED.set],
      [ME, { json: null }],
    ]);
    expect(answers.map(outcomeOf)).toEqual(["BAD_REQUEST 400 unsupported-input", "ok"]);
  });
});

describe("an input in its envelope", () => {
  const commits = { path: "github.commits", type: "query" };
  const absent = JSON.stringify(superjson.serialize(undefined));

  test("may be left out where it is optional, also as {}; a foreign id in a bare object is never dropped", async () => {
    const caller = await openCaller(cookie);
    for (const input of [undefined, "{}", absent]) expect(outcomeOf(await caller.get(commits.path, input))).toBe("ok");
    expect(outcomeOf(await caller.sendFrame(commits, undefined))).toBe("ok");
    for (const answer of await sendEveryWay(commits, BARE["an object"], caller))
      expect(answer).toMatch(/: BAD_REQUEST 400 missing-envelope$/);
    const { error } = Object(await caller.get(commits.path, '{"projectId":"x"}'));
    expect(error.json.message).toContain("Wrap the input");
  });

  test("carries dates and undefined, at its root and within", async () => {
    const caller = await openCaller(cookie);
    const key = superjson.serialize({ name: "Reads", scope: "read", expiresAt: new Date(Date.now() + DAY_MS) });
    expect(outcomeOf(await caller.post("auth.createApiKey", JSON.stringify(key)))).toBe("ok");
    expect(outcomeOf(await caller.post("github.refresh", absent))).toBe("ok");
    const list = superjson.serialize({ scope: "mine", q: undefined, cursor: undefined });
    for (const answer of await sendEveryWay({ path: "projects.list", type: "query" }, list, caller))
      expect(answer).toMatch(/: ok$/);
  });

  test("is not looked at before the caller is known", async () => {
    const answers = await sendEveryWay({ path: "projects.list", type: "query" }, UNSUPPORTED.map, await openCaller());
    for (const answer of answers) expect(answer).toMatch(/: UNAUTHORIZED 401 session-ended$/);
  });

  test("of a procedure that takes none may be an empty body", async () => {
    const caller = await openCaller();
    expect(outcomeOf(await caller.post("auth.signOut", ""))).toBe("ok");
    for (const answer of await sendEveryWay(ME, {}, caller)) expect(answer).toMatch(/: ok$/);
  });
});

describe("a mutation that is not sent as JSON", () => {
  test.each([
    "text/plain",
    "multipart/form-data; boundary=b",
    "application/x-www-form-urlencoded",
    "application/octet-stream",
    "application/json-patch+json",
    "application/jsonp",
    "",
  ])("is refused with 415 as %j", async (type) => {
    for (const path of ["auth.signOut", "auth.signIn", "inquiries.submit", "auth.signOut?batch=1"]) {
      const answer = await fetch(`${server.base}/api/trpc/${path}`, {
        method: "POST",
        headers: type ? { "content-type": type } : {},
        body: new TextEncoder().encode('{"json":null}'),
      });
      const text = await answer.text();
      expect([answer.status, answer.headers.get("content-type")], `${path} ${text}`).toEqual([415, "application/json"]);
      expect(text).toContain('"reason":"unsupported-media-type"');
      expect(text).toContain("Send the input as JSON");
    }
  });

  test.each(["application/json", "application/json; charset=utf-8", "application/json;charset=UTF-8"])(
    "%s is JSON",
    async (type) => {
      const { post } = await openCaller();
      expect(outcomeOf(await post("auth.signOut", '{"json":null}', { "content-type": type }))).toBe("ok");
    },
  );
});

test("an answer names twenty of nine thousand unknown fields, and the start of a long name", async () => {
  const { post } = await openCaller();
  const keys = Object.fromEntries(Array.from({ length: 9_000 }, (_, index) => [`field${index}`, 1]));
  for (const json of [keys, { ["n".repeat(200_000)]: 1 }]) {
    const answer = JSON.stringify(await post("auth.signIn", JSON.stringify({ json })));
    expect(answer.length).toBeLessThan(5_000);
    expect(answer).toContain('"kind":"validation"');
  }
});

describe("what is wrong with an input is said in our own words", () => {
  const schemas = Object.entries(appRouter._def.procedures).flatMap(([path, procedure]) =>
    Object(procedure)._def.inputs.map((schema: z.core.$ZodType): [string, z.core.$ZodType] => [path, schema]),
  );
  /** Sentences of the library, or of JavaScript itself. */
  const LIBRARY = /^(Invalid|Too |Unrecognized|Expected|Required)|expected |received |undefined|NaN|\[object/;
  const VALUES = [
    ...[undefined, null, true, 0, -1, 1.5, 1e20, "", " ", "x", "\u0000", "9999-99-99", "2026-11-20", "javascript:1"],
    ...["x".repeat(20_000), {}, { x: 1 }, [], [null], [[]], Array(500).fill("x"), new Date(0), new Date(Number.NaN)],
  ];

  test.each(schemas)("%s", (path, schema) => {
    const { $schema: _, ...written } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
    for (const value of VALUES) {
      for (const input of [value, ...filledWith(written, value)]) {
        const { error } = z.safeParse(schema, input);
        if (!error) continue;
        const { message, details } = publicError(new TRPCError({ code: "BAD_REQUEST", cause: error }));
        const sentences = Object.values(details.fieldErrors ?? {}).flat();
        expect(sentences.length).toBeGreaterThan(0);
        for (const sentence of [message, ...sentences]) {
          expect(sentence, `${path} ${inspect(input)}`).not.toMatch(LIBRARY);
          expect(sentence).toMatch(/^[A-Z].{5,}/);
        }
      }
    }
  });

  test("also over HTTP: a missing input, a wrong type, an unknown value, and a field that is not there", async () => {
    const { post } = await openCaller();
    const fieldsOf = async (json: unknown) => {
      const { error } = Object(await post("inquiries.submit", JSON.stringify({ json })));
      return error.json.data.fieldErrors;
    };
    expect(await fieldsOf(null)).toEqual({ "": [MESSAGES.validation.object] });
    expect(await fieldsOf({ kind: "gossip" })).toEqual({ kind: [MESSAGES.validation.misshapen] });
    const contact = { kind: "contact", name: "Leela", email: "l@sangam.example", subject: "other", message: "Hello" };
    expect(await fieldsOf({ ...contact, website: 1, urgent: true, inquiryKey: "x" })).toEqual({
      website: [MESSAGES.validation.types.string],
      inquiryKey: [MESSAGES.validation.malformedId],
      urgent: [MESSAGES.validation.unknownField],
    });
  });
});

/** Objects of a JSON schema whose every leaf is this value; one for each form that it may have. */
function filledWith(schema: z.core.JSONSchema.BaseSchema, value: unknown): unknown[] {
  const forms = schema.anyOf ?? schema.oneOf;
  if (forms) return forms.flatMap((form) => filledWith(form, value));
  if (schema.type === "array") return [[value]];
  if (schema.const !== undefined) return [schema.const];
  if (schema.type !== "object" || !schema.properties) return [value];
  const entries = Object.entries(schema.properties).map(([name, property]) => [
    name,
    typeof property === "object" ? filledWith(property, value)[0] : value,
  ]);
  return [Object.fromEntries(entries)];
}

/** `ok`, or what the refusal says: its code, status and reason. */
function outcomeOf(answer: unknown): string {
  const { result, error } = Object(answer);
  if (result) return "ok";
  const data = error?.json?.data;
  return data ? `${data.code} ${data.httpStatus} ${data.reason ?? "-"}` : inspect(answer);
}

type Caller = Awaited<ReturnType<typeof openCaller>>;

/** HTTP and one socket; nobody's, unless a session's cookie is given. */
async function openCaller(session?: string) {
  const headers = session ? { cookie: session } : {};
  const request = async (path: string, init: RequestInit = {}): Promise<unknown> =>
    (await fetch(`${server.base}/api/trpc/${path}`, { ...init, headers: { ...headers, ...init.headers } })).json();
  const socket = new WebSocket(`${server.base.replace("http", "ws")}/api/trpc`, {
    headers: { origin: server.base, ...headers },
  });
  sockets.push(socket);
  await new Promise((resolve, reject) => socket.once("open", resolve).once("error", reject));
  let lastId = 0;

  /** Several calls in one message; their answers in the order of the calls. */
  async function sendFrames(
    calls: [Procedure, input: unknown, lastEventId?: string | undefined][],
  ): Promise<unknown[]> {
    const frames = calls.map(([{ path, type }, input, lastEventId]) => {
      lastId += 1;
      return { id: lastId, method: type, params: { path, input, ...(lastEventId && { lastEventId }) } };
    });
    const answers = frames.map(({ id }) => waitForAnswer(socket, id));
    socket.send(JSON.stringify(frames.length === 1 ? frames[0] : frames));
    return Promise.all(answers);
  }

  return {
    get(path: string, input?: string) {
      const query = input === undefined ? "" : `${path.includes("?") ? "&" : "?"}input=${encodeURIComponent(input)}`;
      return request(`${path}${query}`);
    },
    post: (path: string, body: string, types: Record<string, string> = {}) =>
      request(path, { method: "POST", headers: { "content-type": "application/json", ...types }, body }),
    sendFrames,
    sendFrame: async (procedure: Procedure, input: unknown, lastEventId?: string) =>
      (await sendFrames([[procedure, input, lastEventId]]))[0],
  };
}

function waitForAnswer(socket: WebSocket, id: number): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const onClose = () => reject(new Error("the socket was closed"));
    const onMessage = (frame: unknown) => {
      const answer = String(frame) === "PING" ? null : JSON.parse(String(frame));
      if (answer?.id !== id) return;
      socket.off("message", onMessage).off("close", onClose);
      resolve(answer);
    };
    socket.on("message", onMessage).on("close", onClose);
  });
}
