import { type AddressInfo, connect as connectTcp, createServer, type Socket } from "node:net";
import { type Client, createClient, type ProjectChange } from "sangam/client";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { connect } from "../../db/client";
import { makeConversation, makeProject, makeUser, type UserRow } from "../../db/factories";
import { createTestCallers, type TestCaller, type TestCallers } from "./caller";
import { createTestDatabase, type TestDatabase } from "./db";
import { type LiveServer, startLiveServer } from "./live-server";

let database: TestDatabase;
let server: LiveServer;
let callers: TestCallers;
let rohan: UserRow;
let own: TestCaller;
let apiKey: string;
const streams: { unsubscribe(): void }[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  server = await startLiveServer(database);
  callers = createTestCallers(database.db);
  rohan = await makeUser(database.db);
  own = await callers.as(rohan);
  apiKey = (await own.auth.createApiKey({ name: "A script", scope: "write" })).key;
});
afterEach(() => {
  for (const stream of streams.splice(0)) stream.unsubscribe();
});
afterAll(async () => {
  await server.close();
  await database.close();
});

const clientOf = (options: { apiKey?: string; transport?: "sse" | "websocket" } = {}): Client =>
  createClient({ url: server.base, apiKey, ...options });

describe("a typed client", () => {
  test("asks and changes in the name of the key's owner; an instant arrives as an ISO-8601 text", async () => {
    const client = clientOf();
    const me = await client.auth.me.query();
    expect(me).toMatchObject({ id: rohan.id, createdAt: rohan.createdAt.toISOString() });
    const task = await client.projects.create
      .mutate({ ...fields, title: "Ferry timetable" })
      .then(({ id: projectId }) =>
        client.tasks.create.mutate({ projectId, title: "Ask the crew", description: "By phone." }),
      );
    expect(await client.tasks.list.query({ projectId: task.projectId })).toMatchObject([{ title: "Ask the crew" }]);
  });

  test("is given an unchanged list as it is on the server, whatever was done to the former answer", async () => {
    const client = clientOf();
    const project = await makeProject(database.db, { createdBy: rohan.id });
    const input = { projectId: project.id };
    await own.tasks.create({ ...input, title: "Ask the crew", description: "By phone." });
    for (let round = 0; round < 3; round += 1) {
      const tasks = await client.tasks.list.query(input);
      expect(tasks).toMatchObject([{ title: "Ask the crew" }]);
      tasks.length = 0;
    }
    await own.tasks.create({ ...input, title: "And the harbour", description: "By phone." });
    expect(await client.tasks.list.query(input)).toHaveLength(2);
  });

  test("may give one list for two fields", async () => {
    const people = [rohan.id];
    const given = { ...fields, title: "Two lists", assignedTo: people, managers: people };
    const { id } = await clientOf().projects.create.mutate(given);
    expect(await clientOf().projects.byId.query({ projectId: id })).toMatchObject({
      assignedTo: people,
      managers: people,
    });
  });

  test("sends what is asked in one moment as one request", async () => {
    const project = await makeProject(database.db, { createdBy: rohan.id });
    const client = clientOf();
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => client.projects.byId.query({ projectId: project.id })),
    );
    expect(answers).toHaveLength(12);
  });

  test("sends ten of the longest searches at once in as many requests as their addresses need", async () => {
    const { search } = clientOf();
    // Each of these characters takes twelve in an address.
    const longest = Array.from({ length: 10 }, (_, at) => `${at}${"\u{1f6a2}".repeat(199)}`);
    const answers = await Promise.all(longest.map((q) => search.all.query({ q })));
    expect(answers).toEqual(
      longest.map(() => ({ projects: [], tasks: [], people: [], comments: [], messages: [], requests: [], files: [] })),
    );
  });

  test("fails with the server's own sentence, code and fields", async () => {
    const client = clientOf();
    await expect(client.projects.create.mutate({ ...fields, title: "" })).rejects.toMatchObject({
      name: "ClientError",
      code: "BAD_REQUEST",
      kind: "validation",
      httpStatus: 400,
      fieldErrors: { title: ["Please enter a title."] },
      path: "projects.create",
    });
    const project = await makeProject(database.db, { createdBy: rohan.id });
    const edit = { projectId: project.id, version: 1, patch: { title: "Twice" } };
    await client.projects.update.mutate(edit);
    await expect(client.projects.update.mutate(edit)).rejects.toMatchObject({
      code: "CONFLICT",
      kind: "domain",
      reason: "stale-version",
      current: { title: "Twice", version: 2 },
    });
  });

  test("says that nobody answered, that the caller gave up, and what is wrong with its options, without the key", async () => {
    const nobody = createClient({ url: "http://127.0.0.1:9", apiKey });
    await expect(nobody.auth.me.query()).rejects.toMatchObject({ code: "UNREACHABLE", kind: "connection" });
    const given = AbortSignal.abort();
    await expect(clientOf().auth.me.query(undefined, { signal: given })).rejects.toMatchObject({ code: "ABORTED" });
    expect(() => createClient({ url: "sangam.example", apiKey })).toThrow("has to be the address");
    expect(() => createClient({ url: server.base, apiKey: "" })).toThrow("made in Settings");
  });

  test("a key that may only read is refused by a mutation, and a revoked one by everything", async () => {
    const { key, id } = await own.auth.createApiKey({ name: "Reads", scope: "read" });
    const client = clientOf({ apiKey: key });
    await expect(client.tasks.mine.query()).resolves.toMatchObject({ items: expect.any(Array) });
    await expect(client.projects.create.mutate({ ...fields, title: "No" })).rejects.toMatchObject({
      code: "FORBIDDEN",
    });
    await expect(client.auth.apiKeys.query()).rejects.toMatchObject({ reason: "api-key-not-allowed" });
    await own.auth.revokeApiKey({ keyId: id });
    await expect(client.tasks.mine.query()).rejects.toMatchObject({ code: "UNAUTHORIZED" });
  });
});

describe.each(["sse", "websocket"] as const)("a stream over %s", (transport) => {
  test("emits events, and after the server was away goes on where it stopped: none is missed, none comes twice", async () => {
    const { conversation, meera } = await makeTalk();
    const received: string[] = [];
    const stream = listen(clientOf({ transport }), { conversationId: conversation.id, received });
    await stream.started(1);
    await say(meera, { conversationId: conversation.id, text: "one" });
    await until(() => received.includes("one"));
    await server.close();
    await say(meera, { conversationId: conversation.id, text: "two" });
    server = await startLiveServer({ ...database, port: server.port });
    await until(() => received.includes("two"));
    await say(meera, { conversationId: conversation.id, text: "three" });
    await until(() => received.includes("three"));
    expect(received).toEqual(["one", "two", "three"]);
    expect(stream.interruptions()).toBeGreaterThan(0);
  });

  test("that is refused ends with the words of the refusal, once", async () => {
    const { conversation } = await makeTalk();
    const outsider = await callers.as(await makeUser(database.db));
    const { key } = await outsider.auth.createApiKey({ name: "Nosy", scope: "read" });
    const refusals: unknown[] = [];
    streams.push(
      clientOf({ apiKey: key, transport }).chat.onMessage.subscribe(
        { conversationId: conversation.id },
        { onData: () => {}, onError: (error) => refusals.push(error) },
      ),
    );
    await until(() => refusals.length > 0);
    expect(refusals).toMatchObject([{ name: "ClientError", code: "NOT_FOUND", path: "chat.onMessage" }]);
  });

  test("ends when its key is revoked, and is not made again", async () => {
    const { key, id } = await own.auth.createApiKey({ name: "Short-lived", scope: "read" });
    const errors: unknown[] = [];
    const changes: ProjectChange[] = [];
    let starts = 0;
    streams.push(
      clientOf({ apiKey: key, transport }).projects.onChange.subscribe(undefined, {
        onData: (change) => changes.push(change),
        onStarted: () => (starts += 1),
        onError: (error) => errors.push(error),
      }),
    );
    await until(() => starts > 0);
    await own.auth.revokeApiKey({ keyId: id });
    await until(() => errors.length > 0);
    expect(errors).toMatchObject([{ code: "UNAUTHORIZED" }]);
    expect({ starts, changes }).toEqual({ starts: 1, changes: [] });
  });
});

describe.each(["sse", "websocket"] as const)("a stream over %s that the server cannot read for", (transport) => {
  test("is begun again by itself and goes on where it stopped, and heartbeats are never seen", async () => {
    const { conversation, meera } = await makeTalk();
    await server.close();
    server = await startLiveServer({
      ...database,
      port: server.port,
      streamTimes: { readTimeoutMs: 300, heartbeatAfterMs: 0 },
    });
    const events: unknown[] = [];
    const received: string[] = [];
    const stream = listen(clientOf({ transport }), { conversationId: conversation.id, received, events });
    await stream.started(1);
    await say(meera, { conversationId: conversation.id, text: "one" });
    await until(() => received.includes("one"));
    let raw = "";
    const reading = (async () => {
      while (!raw.includes('"type":"heartbeat"')) raw = await readRaw(conversation.id);
    })();
    // Again until the stream has begun: what comes before passes it by. It ends early where a read takes too long.
    const interrupting = setInterval(interruptListening, 1_000);
    await interruptListening();
    await reading.finally(() => clearInterval(interrupting));

    const locker = connect(database.connection, { max: 1 });
    await locker.begin(async (sql) => {
      await sql`lock table messages in access exclusive mode`;
      const notification = JSON.stringify({ subject: `conversation:${conversation.id}`, topics: [] });
      await database.sql`select pg_notify('sangam', ${notification})`;
      await until(() => stream.interruptions() > 0);
    });
    await locker.end();
    await say(meera, { conversationId: conversation.id, text: "two" });
    await until(() => received.includes("two"));
    expect({ received, errors: stream.errors }).toEqual({ received: ["one", "two"], errors: [] });
    expect(JSON.stringify(events)).not.toContain("heartbeat");
  });
});

test("one socket carries more streams than one message may carry calls, also after the server was away", async () => {
  const client = clientOf({ transport: "websocket" });
  const talks = await Promise.all(Array.from({ length: 14 }, makeTalk));
  const received = talks.map((): string[] => []);
  const open = talks.map(({ conversation }, at) =>
    listen(client, { conversationId: conversation.id, received: received[at] ?? [] }),
  );
  await Promise.all(open.map((stream) => stream.started(1)));
  await server.close();
  server = await startLiveServer({ ...database, port: server.port });
  await Promise.all(open.map((stream) => stream.started(2)));
  await Promise.all(
    talks.map(({ conversation, meera }) => say(meera, { conversationId: conversation.id, text: "Hello" })),
  );
  await until(() => received.every((texts) => texts.length > 0));
  expect(received).toEqual(talks.map(() => ["Hello"]));
});

test("a stream of changes goes on behind its last heartbeat when its socket is cut, whatever came after that", async () => {
  const { id: projectId } = await makeProject(database.db, { createdBy: rohan.id });
  const rename = (title: string, version: number) => own.projects.update({ projectId, version, patch: { title } });
  await server.close();
  const streamTimes = { readTimeoutMs: 10_000, heartbeatAfterMs: 0 };
  server = await startLiveServer({ ...database, port: server.port, streamTimes });
  const relay = await openRelay(server.port);
  const client = createClient({ url: relay.base, apiKey, transport: "websocket" });
  let received: string[] = [];
  let starts = 0;
  const stream = client.live.onEvent.subscribe(
    { topics: ["projects"] },
    {
      onStarted: () => (starts += 1),
      onData({ event }) {
        if ("project" in event) received.push(event.project?.title ?? event.kind);
        else if ("type" in event) received.push(event.type);
      },
    },
  );
  streams.push(stream);
  try {
    await until(() => starts === 1);
    await rename("Before the heartbeat", 1);
    await until(() => received.includes("Before the heartbeat"));
    // Where it is not certain that nothing was lost, as when the server's own notification is late, the client has to read anew.
    for (let version = 2; version < 8; version += 2) {
      const heartbeats = relay.heartbeats();
      await interruptListening();
      await until(() => relay.heartbeats() > heartbeats);
      await rename(`After it ${version}`, version);
      await until(() => received.includes(`After it ${version}`));
      received = [];
      relay.cut();
      await rename("While away", version + 1);
      await expect.poll(() => received).toContainEqual(expect.stringMatching(/^(While away|resync)$/));
      if (!received.includes("resync")) break;
    }
    expect(received).toContain("resumed");
    expect(received).not.toContain("Before the heartbeat");
  } finally {
    stream.unsubscribe();
    await relay.close();
  }
});

/** A stream as it is on the wire, up to its first heartbeat. */
async function readRaw(conversationId: string): Promise<string> {
  const input = encodeURIComponent(JSON.stringify({ json: { conversationId } }));
  const answer = await fetch(`${server.base}/api/trpc/chat.onMessage?input=${input}`, {
    headers: { accept: "text/event-stream", authorization: `Bearer ${apiKey}` },
  });
  const reader = answer.body?.pipeThrough(new TextDecoderStream()).getReader();
  let text = "";
  for (let part = await reader?.read(); part && !part.done; part = await reader?.read()) {
    text += part.value;
    if (text.includes("heartbeat")) break;
  }
  await reader?.cancel();
  return text;
}

/** All streams read then, and send a heartbeat. */
const interruptListening = () => database.sql`select pg_terminate_backend(pid) from pg_stat_activity
  where datname = current_database() and application_name = 'sangam listener'`;

/** A way to the server whose connections can be cut, which counts the heartbeats that pass. */
async function openRelay(port: number) {
  const sockets = new Set<Socket>();
  let heartbeats = 0;
  const relay = createServer((client) => {
    const upstream = connectTcp(port, "127.0.0.1");
    upstream.on("data", (bytes) => {
      heartbeats += String(bytes).split('"heartbeat"').length - 1;
    });
    for (const [socket, other] of [[client, upstream] as const, [upstream, client] as const]) {
      sockets.add(socket.on("error", () => {}).on("close", () => other.destroy()));
      socket.pipe(other);
    }
  });
  await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
  const cut = () => {
    for (const socket of sockets) socket.destroy();
    sockets.clear();
  };
  return {
    base: `http://127.0.0.1:${(relay.address() as AddressInfo).port}`,
    heartbeats: () => heartbeats,
    cut,
    close() {
      cut();
      return new Promise((resolve) => relay.close(resolve));
    },
  };
}

const fields = { description: "d", status: "todo" as const, startDate: "2026-11-01", assignedTo: [], managers: [] };

async function makeTalk() {
  const meera = await makeUser(database.db, { accountType: "admin" });
  const conversation = await makeConversation(database.db, { between: [rohan.id, meera.id], messages: [] });
  return { conversation, meera: await callers.as(meera) };
}

function say(caller: TestCaller, { conversationId, text }: { conversationId: string; text: string }) {
  return caller.chat.send({ conversationId, text, clientMessageId: crypto.randomUUID() });
}

function listen(
  client: Client,
  { conversationId, received, events = [] }: { conversationId: string; received: string[]; events?: unknown[] },
) {
  let starts = 0;
  let interruptions = 0;
  const errors: unknown[] = [];
  streams.push(
    client.chat.onMessage.subscribe(
      { conversationId },
      {
        onData(event) {
          events.push(event);
          if (event.data.type === "message") received.push(event.data.message.text);
        },
        onStarted: () => (starts += 1),
        onInterrupted: () => (interruptions += 1),
        onError: (error) => errors.push(error),
      },
    ),
  );
  return { started: (count: number) => until(() => starts >= count), interruptions: () => interruptions, errors };
}

async function until(isTrue: () => boolean): Promise<void> {
  await expect.poll(isTrue).toBe(true);
}
