import { randomBytes } from "node:crypto";
import { createTRPCClient, createTRPCUntypedClient, createWSClient, wsLink } from "@trpc/client";
import { eq } from "drizzle-orm";
import superjson from "superjson";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { WebSocket } from "ws";
import { makeProject, makeSession, makeUser } from "../../db/factories";
import { apiKeys, auditEvents } from "../../db/schema";
import { DAY_MS } from "../contract/days";
import { MESSAGES } from "../contract/messages";
import type { AppRouter } from "../router";
import { createTestCallers, refusal, type TestCaller, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";
import { type LiveServer, openEventStream, startLiveServer } from "../test/live-server";
import { sessionCookie } from "../test/session-cookie";

let database: TestDatabase;
let callers: TestCallers;
let servers: LiveServer[];
let admin: TestCaller;

beforeAll(async () => {
  database = await createTestDatabase();
  callers = createTestCallers(database.db);
  servers = [await startLiveServer(database), await startLiveServer(database)];
  admin = await callers.as(await makeUser(database.db, { accountType: "admin" }));
});
afterAll(async () => {
  await Promise.all(servers.map((server) => server.close()));
  await database.close();
});

const read = (procedure: string, headers: Record<string, string>, json: unknown = undefined) =>
  fetch(
    `${servers[1]?.base}/api/trpc/${procedure}${json === undefined ? "" : `?input=${encodeURIComponent(JSON.stringify({ json }))}`}`,
    { headers },
  );
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

async function hire() {
  const user = await makeUser(database.db);
  const own = await callers.as(user);
  return { user, own };
}

describe("an API key", () => {
  test("is shown once, kept as a hash, and listed by its name, scope and last four", async () => {
    const { user, own } = await hire();
    const expiresAt = new Date(Date.now() + 30 * DAY_MS);
    const made = await own.auth.createApiKey({ name: "  Nightly report ", scope: "read", expiresAt });
    expect(made.key).toMatch(/^sgm_[\w-]{43}$/);
    const [listed] = await own.auth.apiKeys();
    expect(listed).toEqual({
      id: made.id,
      name: "Nightly report",
      scope: "read",
      lastFour: made.key.slice(-4),
      createdAt: made.createdAt,
      expiresAt: expiresAt.toISOString(),
      lastUsedAt: null,
      mayHaveMade: [],
    });
    const tables = await database.sql`select table_name as name from information_schema.tables
      where table_schema = 'public' and table_type = 'BASE TABLE'`;
    for (const { name } of tables) {
      const rows = await database.sql.unsafe(`select t::text as row from "${name}" t`);
      expect(rows.filter(({ row }) => String(row).includes(made.key.slice(4)))).toEqual([]);
    }
    const audited = await database.db.select().from(auditEvents).where(eq(auditEvents.subjectId, user.id));
    expect(audited).toMatchObject([
      { kind: "api-key.created", actorId: user.id, details: { name: "Nightly report", scope: "read" } },
    ]);
    expect(await own.auth.sessions()).toHaveLength(1);
  });

  test("acts as its owner over HTTP, and its use is noted", async () => {
    const { user, own } = await hire();
    await makeProject(database.db, { createdBy: user.id, title: "Tide gauges" });
    const { key, id } = await own.auth.createApiKey({ name: "A script", scope: "write" });
    expect(await (await read("auth.me", bearer(key))).text()).toContain(user.email);
    expect(await (await read("projects.list", bearer(key), { scope: "mine" })).text()).toContain("Tide gauges");
    await expect
      .poll(async () => (await own.auth.apiKeys()).find((one) => one.id === id)?.lastUsedAt)
      .toEqual(expect.any(String));
  });

  test("that is unknown, misshapen or past its time is refused, whatever cookie comes with it", async () => {
    const { user, own } = await hire();
    const { key, id } = await own.auth.createApiKey({ name: "Old", scope: "write" });
    await database.sql`update sessions set expires_at = now() - interval '1 second' where id = ${id}`;
    const cookie = sessionCookie((await callers.makeKey(user, "write")).token);
    const strangers = [key, `sgm_${randomBytes(32).toString("base64url")}`, "sgm_", "nonsense", "a b", ""];
    for (const stranger of strangers)
      expect((await read("tasks.mine", { ...bearer(stranger), cookie })).status, stranger).toBe(401);
    // Another scheme is none of ours: a proxy's.
    expect((await read("tasks.mine", { authorization: "Basic c2FuZ2Ft", cookie })).status).toBe(200);
  });

  test("that may only read changes nothing, and says so", async () => {
    const { user, own } = await hire();
    const { projectId } = { projectId: (await makeProject(database.db, { createdBy: user.id })).id };
    const { key } = await own.auth.createApiKey({ name: "Reader", scope: "read" });
    const answer = await fetch(`${servers[0]?.base}/api/trpc/tasks.create`, {
      method: "POST",
      headers: { ...bearer(key), "content-type": "application/json" },
      body: JSON.stringify({ json: { projectId, title: "A task", description: "To do." } }),
    });
    expect(answer.status).toBe(403);
    expect(await answer.text()).toContain(MESSAGES.apiKeys.readsOnly);
    expect(await (await read("tasks.list", bearer(key), { projectId })).json()).toMatchObject({
      result: { data: { json: [] } },
    });
  });

  test.each([
    ["auth.apiKeys", "GET"],
    ["auth.createApiKey", "POST"],
    ["auth.revokeApiKey", "POST"],
    ["auth.sessions", "GET"],
    ["auth.revokeSession", "POST"],
    ["auth.revokeOtherSessions", "POST"],
    ["auth.changePassword", "POST"],
    ["users.updateProfile", "POST"],
  ])("never calls %s, whatever its scope, and is told so before the input is looked at", async (procedure, method) => {
    const { own } = await hire();
    const sessions = await own.auth.sessions();
    const profile = await own.auth.me();
    const url = `${servers[0]?.base}/api/trpc/${procedure}`;
    for (const scope of ["read", "write"] as const) {
      const { key } = await own.auth.createApiKey({ name: "Bot", scope });
      const headers = { ...bearer(key), "content-type": "application/json" };
      const body = method === "POST" ? { body: JSON.stringify({ json: { name: "Mallory" } }) } : {};
      const answer = await fetch(url, { method, headers, ...body });
      expect(answer.status).toBe(403);
      expect(await answer.json()).toMatchObject({
        error: { json: { message: MESSAGES.apiKeys.notAllowed, data: { reason: "api-key-not-allowed" } } },
      });
      const overSocket = await callBySocket(key, procedure);
      expect(overSocket).toMatchObject({ data: { code: "FORBIDDEN", reason: "api-key-not-allowed" } });
    }
    expect(await own.auth.apiKeys()).toHaveLength(2);
    expect(await own.auth.sessions()).toEqual(sessions);
    expect(await own.auth.me()).toEqual(profile);
  });

  test("ends nothing by signing out, and is told so", async () => {
    const { own } = await hire();
    const { key } = await own.auth.createApiKey({ name: "Bot", scope: "write" });
    const headers = { ...bearer(key), "content-type": "application/json" };
    const answer = await fetch(`${servers[0]?.base}/api/trpc/auth.signOut`, { method: "POST", headers });
    expect(answer.status).toBe(400);
    expect(await answer.json()).toMatchObject({
      error: { json: { message: MESSAGES.apiKeys.signOut, data: { reason: "api-key-not-allowed" } } },
    });
    expect((await read("tasks.mine", bearer(key))).status).toBe(200);
  });

  test.each([
    ["without a name", { name: " ", scope: "read" as const }, "name"],
    ["with a name that cannot be stored", { name: "a\u0000", scope: "read" as const }, "name"],
    ["that has ended already", { name: "Old", scope: "read" as const, expiresAt: new Date(0) }, "expiresAt"],
    ["for a century", { name: "Old", scope: "read" as const, expiresAt: new Date("2126-01-01") }, "expiresAt"],
    ["that ends at no time", { name: "Old", scope: "read" as const, expiresAt: new Date(Number.NaN) }, "expiresAt"],
  ])("%s is refused at its field", async (_what, input, field) => {
    const { own } = await hire();
    const { code, fieldErrors } = await refusal(own.auth.createApiKey(input));
    expect(code).toBe("BAD_REQUEST");
    expect(Object.keys(fieldErrors ?? {})).toEqual([field]);
  });

  test("is one of fifty at most, however many are made at once", async () => {
    const { user, own } = await hire();
    for (let at = 0; at < 48; at += 1) await callers.makeKey(user, "read");
    const made = await Promise.allSettled(
      Array.from({ length: 5 }, () => own.auth.createApiKey({ name: "One more", scope: "read" })),
    );
    expect(made.filter(({ status }) => status === "fulfilled")).toHaveLength(2);
    expect(await own.auth.apiKeys()).toHaveLength(50);
  });
});

describe("the end of an API key", () => {
  test("by its owner: calls are refused, event streams and sockets end on every process within 2 s", async () => {
    const { user, own } = await hire();
    await makeProject(database.db, { createdBy: user.id });
    const { key, id } = await own.auth.createApiKey({ name: "Bot", scope: "read" });
    const streams = await Promise.all(servers.map((server) => openStreams(server, key)));
    await own.auth.revokeApiKey({ keyId: id });
    const startedAt = performance.now();
    for (const { socketRefused, socketClosed, eventsEnded } of streams) {
      expect(await socketRefused).toMatchObject({ data: { code: "UNAUTHORIZED" } });
      expect(await eventsEnded).toContain("UNAUTHORIZED");
      await socketClosed;
    }
    expect(performance.now() - startedAt).toBeLessThan(2000);
    expect((await read("tasks.mine", bearer(key))).status).toBe(401);
    expect((await refusal(own.auth.revokeApiKey({ keyId: id }))).message).toBe(MESSAGES.apiKeys.notFound);
    for (const { disconnect } of streams) disconnect();
  });

  test.each([
    ["rejection of the account and all that ends it", (userId: string) => admin.users.deactivate({ userId })],
    ["another type of account", (userId: string) => admin.users.setType({ userId, accountType: "client" })],
    ["erasure of the person", (userId: string) => admin.users.erasePerson({ userId })],
  ])("by %s", async (_what, end) => {
    const { user, own } = await hire();
    const { key, id } = await own.auth.createApiKey({ name: "Bot", scope: "write" });
    await end(user.id);
    expect((await read("tasks.mine", bearer(key))).status).toBe(401);
    expect(await database.db.select().from(apiKeys).where(eq(apiKeys.sessionId, id))).toEqual([]);
  });

  test("takes the keys with it that it may have made while keys still could, streams included, and no others", async () => {
    const { user, own } = await hire();
    const keys = {
      older: await own.auth.createApiKey({ name: "Older", scope: "write" }),
      leaked: await own.auth.createApiKey({ name: "Leaked", scope: "write" }),
      child: await own.auth.createApiKey({ name: "Child", scope: "write" }),
      grandchild: await own.auth.createApiKey({ name: "Grandchild", scope: "read" }),
      present: await own.auth.createApiKey({ name: "Present", scope: "write" }),
    };
    // As rows of the version before look: it kept nothing about who made a key.
    for (const { id } of [keys.older, keys.leaked, keys.child, keys.grandchild])
      await database.sql`update api_keys set made_in_browser = false where session_id = ${id}`;
    // In use while the child was made, and not after; the child while the grandchild was.
    await database.sql`update api_keys set last_used_at = created_at where session_id in (${keys.leaked.id}, ${keys.child.id})`;
    await database.sql`update api_keys set created_at = created_at + interval '1 hour' where session_id = ${keys.grandchild.id}`;
    await database.sql`update api_keys set last_used_at = created_at + interval '59 minutes' where session_id = ${keys.child.id}`;
    const listed = await own.auth.apiKeys();
    expect(listed.find(({ id }) => id === keys.leaked.id)?.mayHaveMade.toSorted()).toEqual(
      [keys.child.id, keys.grandchild.id].toSorted(),
    );
    const screens = await Promise.all(servers.map((server) => openStreams(server, keys.grandchild.key)));
    const startedAt = performance.now();
    await own.auth.revokeApiKey({ keyId: keys.leaked.id });
    for (const { socketClosed, eventsEnded } of screens) {
      expect(await eventsEnded).toContain("UNAUTHORIZED");
      await socketClosed;
    }
    expect(performance.now() - startedAt).toBeLessThan(2000);
    for (const { disconnect } of screens) disconnect();
    const left = await own.auth.apiKeys();
    expect(left.map(({ id }) => id).toSorted()).toEqual([keys.older.id, keys.present.id].toSorted());
    const audited = await database.db.select().from(auditEvents).where(eq(auditEvents.subjectId, user.id));
    const revoked = audited.filter(({ kind }) => kind === "api-key.revoked").map(({ details }) => details.name);
    expect(revoked.toSorted()).toEqual(["Child", "Grandchild", "Leaked"]);
  });

  test("by the end of the session that makes it: what the list shows from then on, it keeps showing", async () => {
    const { user, own } = await hire();
    for (let round = 0; round < 30; round += 1) {
      const { id: sessionId, token } = await makeSession(database.db, { userId: user.id });
      const making = callers
        .withToken(token)
        .auth.createApiKey({ name: "Child", scope: "write" })
        .catch(() => null);
      for (let turn = 0; turn < round; turn += 1) await new Promise((resolve) => setTimeout(resolve));
      await own.auth.revokeSession({ sessionId });
      const listed = await own.auth.apiKeys();
      await making;
      expect(await own.auth.apiKeys()).toEqual(listed);
    }
  });

  test("does not come by signing other browsers out", async () => {
    const { own } = await hire();
    const { key, id } = await own.auth.createApiKey({ name: "Bot", scope: "write" });
    expect(await own.auth.revokeOtherSessions()).toEqual({ ended: 0 });
    expect((await refusal(own.auth.revokeSession({ sessionId: id }))).code).toBe("NOT_FOUND");
    expect((await read("tasks.mine", bearer(key))).status).toBe(200);
  });
});

/** The refusal of one call over a socket that came with that key. */
async function callBySocket(key: string, procedure: string): Promise<unknown> {
  const url = `${servers[1]?.base.replace("http", "ws")}/api/trpc`;
  const socket = createWSClient({ url, WebSocket: WebSocket as never, connectionParams: bearer(key) });
  const client = createTRPCUntypedClient<AppRouter>({ links: [wsLink({ client: socket, transformer: superjson })] });
  const isQuery = procedure === "auth.apiKeys" || procedure === "auth.sessions";
  try {
    return await (isQuery ? client.query(procedure) : client.mutation(procedure, {})).catch((error: unknown) => error);
  } finally {
    await socket.close();
  }
}

/** A socket as a browser opens it, with the key as its first message, and an event stream. */
async function openStreams(server: LiveServer, key: string) {
  let closed = () => {};
  const socketClosed = new Promise<void>((resolve) => {
    closed = resolve;
  });
  class Watched extends WebSocket {
    constructor(url: string | URL) {
      super(url);
      this.on("close", (code) => {
        if (code === 4401) closed();
      });
    }
  }
  const socket = createWSClient({
    url: `${server.base.replace("http", "ws")}/api/trpc`,
    WebSocket: Watched as never,
    connectionParams: bearer(key),
  });
  const client = createTRPCClient<AppRouter>({ links: [wsLink({ client: socket, transformer: superjson })] });
  let refuse: (error: unknown) => void = () => {};
  const socketRefused = new Promise<unknown>((resolve) => {
    refuse = resolve;
  });
  await new Promise<void>((resolve) => {
    client.projects.onChange.subscribe(undefined, { onStarted: () => resolve(), onError: refuse });
  });
  const { rest: eventsEnded } = await openEventStream(server, bearer(key));
  return { socketRefused, socketClosed, eventsEnded, disconnect: () => void socket.close() };
}
