import { isTrackedEnvelope } from "@trpc/server";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { connect, type Sql } from "../../db/client";
import { makeConversation, makeProject, makeUser } from "../../db/factories";
import { LIVE_TOPICS } from "../contract/live";
import { appRouter } from "../router";
import { createTestCallers, refusal, type TestCaller, type TestCallers } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

/* What every subscription of the router promises, whatever it is about. */

const procedures = appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>;
const SUBSCRIPTIONS = Object.entries(procedures)
  .filter(([, { _def }]) => _def.type === "subscription")
  .map(([path]) => path);
/** Of the streams that can be resumed by one: the last message, or a moment of the process. */
const HEARTBEAT_IDS: Record<string, unknown> = {
  "chat.onMessage": "3",
  "comments.onChange": "team-0",
  "live.onEvent": expect.stringMatching(/^[0-9a-f-]{36}\.\d+$/),
};
const DEADLOCK = "40P01";
const LATE = { code: "SERVICE_UNAVAILABLE", reason: "read-timeout" };

let database: TestDatabase;
/** Keeps tables from being read; not the server's. */
let locker: Sql;
let tables: string[];
/** Its reads are late soon. */
let callers: TestCallers;
let caller: TestCaller;
/** Its reads are never late, however busy the machine is. */
let patientCallers: TestCallers;
let patient: TestCaller;
let conversationId: string;
let projectId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  locker = connect(database.connection, { max: 1 });
  const rows = await locker`select tablename as name from pg_tables where schemaname = 'public'`;
  tables = rows.map(({ name }) => name);
  callers = createTestCallers(database.db, { streamTimes: { readTimeoutMs: 300, heartbeatAfterMs: 0 } });
  patientCallers = createTestCallers(database.db, { streamTimes: { readTimeoutMs: 60_000, heartbeatAfterMs: 0 } });
});
beforeEach(async () => {
  const asha = await makeUser(database.db, { accountType: "admin" });
  const meera = await makeUser(database.db, { accountType: "client" });
  const messages = [1, 2, 3].map((at) => ({ senderId: meera.id, text: `${at}` }));
  ({ id: conversationId } = await makeConversation(database.db, { between: [asha.id, meera.id], messages }));
  ({ id: projectId } = await makeProject(database.db, { createdBy: asha.id }));
  caller = await callers.as(asha);
  patient = await patientCallers.as(asha);
});
afterAll(async () => {
  await locker.end();
  await database.close();
});

describe.each(SUBSCRIPTIONS)("%s", (path) => {
  test("sends a heartbeat when it has read and there is nothing to emit, with the last id where events have ids", async () => {
    const stream = await open(path, patient);
    const wakeUps = setInterval(() => patientCallers.hub.resyncAll(), 20);
    let event = await stream.next();
    while (!isHeartbeat(event)) event = await stream.next();
    clearInterval(wakeUps);
    const heartbeat = { type: "heartbeat" };
    const id = HEARTBEAT_IDS[path];
    expect(isTrackedEnvelope(event) ? event.slice(0, 2) : event).toEqual(id ? [id, heartbeat] : heartbeat);
    await stream.close();
  });

  test("ends with an error that is retried when a read never comes, and sends no heartbeat meanwhile", async () => {
    const stream = await openInTime(path);
    const unlock = await lock(tables);
    callers.hub.resyncAll();
    const rest: unknown[] = [];
    const refused = await refusal(readAll(stream, rest));
    await unlock();
    expect(refused).toMatchObject(LATE);
    expect(rest.filter(isHeartbeat)).toEqual([]);
    expect(callers.hub.size()).toBe(0);
  });

  test.each([
    ["its session", []],
    ["what it begins with", path === "users.onChange" ? [] : ["sessions", "users"]],
  ])("is refused in time when %s cannot be read", async (_name, readable) => {
    const unlock = await lock(tables.filter((table) => !readable.includes(table)));
    const refused = await refusal(open(path).then((stream) => readAll(stream, [])));
    await unlock();
    expect(refused).toMatchObject(LATE);
    expect(callers.hub.size()).toBe(0);
  });
});

/** On a busy machine what a stream begins with may be late too. */
async function openInTime(path: string): ReturnType<typeof open> {
  for (;;) {
    const opening = open(path);
    const isOpen = await opening.then(
      () => true,
      () => false,
    );
    if (isOpen) return opening;
    expect(await refusal(opening)).toMatchObject(LATE);
  }
}

async function open(path: string, by = caller) {
  const [router = "", name = ""] = path.split(".");
  const own = by as unknown as Record<string, Record<string, (input: unknown) => Promise<unknown>>>;
  const inputs: Record<string, unknown> = {
    "chat.onMessage": { conversationId },
    "comments.onChange": { subject: { projectId } },
    "live.onEvent": { topics: LIVE_TOPICS },
  };
  const events = await own[router]?.[name]?.(inputs[path]);
  const iterator = (events as AsyncIterable<unknown>)[Symbol.asyncIterator]();
  // Begins with an id to resume from.
  if (path === "live.onEvent") await iterator.next();
  return {
    next: async () => (await iterator.next()).value,
    close: async () => void (await iterator.return?.()),
  };
}

async function readAll({ next }: { next(): Promise<unknown> }, into: unknown[]): Promise<never> {
  for (;;) into.push(await next());
}

/** As a lock that nobody gives back, or a connection gone silent: reads of these tables do not come back until it is undone. */
async function lock(names: string[]): Promise<() => Promise<void>> {
  const connection = await locker.reserve();
  const unlock = async () => {
    await connection`rollback`;
    connection.release();
  };
  for (;;) {
    await connection`begin`;
    try {
      await connection.unsafe(`lock table ${names.map((name) => `"${name}"`).join(", ")} in access exclusive mode`);
      return unlock;
    } catch (error) {
      // The tables are locked one after another, while a query of the test before may still be reading several of them.
      if ((error as { code?: string }).code !== DEADLOCK) {
        await unlock();
        throw error;
      }
      await connection`rollback`;
    }
  }
}

function isHeartbeat(event: unknown): boolean {
  const sent: unknown = isTrackedEnvelope(event) ? event[1] : event;
  return typeof sent === "object" && sent !== null && "type" in sent && sent.type === "heartbeat";
}
