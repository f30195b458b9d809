import { randomUUID } from "node:crypto";
import { isTrackedEnvelope } from "@trpc/server";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeConversation, makeProject, makeSession, makeUser, type UserRow } from "../../db/factories";
import { LIVE_TOPICS, type LiveTopic } from "../contract/live";
import {
  createTestCallers,
  cursorNow,
  refusal,
  startTestProcess,
  type TestCallers,
  type TestProcess,
} from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

/* One stream promises for each of its topics what the topic's own subscription does. */

const STAFF = ["projects", "inbox", "presence"] as const;

let database: TestDatabase;
/** Two processes on one database: one writes, the other streams. */
let writing: TestCallers;
let streaming: TestProcess;
let rohan: UserRow;
let asha: UserRow;
let meera: UserRow;
let projectId: string;
let conversationId: string;

beforeAll(async () => {
  database = await createTestDatabase();
  writing = createTestCallers(database.db);
  streaming = await startTestProcess(database, { streamTimes: { readTimeoutMs: 10_000, heartbeatAfterMs: 0 } });
});
beforeEach(async () => {
  const { db } = database;
  rohan = await makeUser(db);
  asha = await makeUser(db, { accountType: "admin" });
  meera = await makeUser(db, { accountType: "client" });
  ({ id: projectId } = await makeProject(db, { createdBy: rohan.id, clientId: meera.id }));
  ({ id: conversationId } = await makeConversation(db, { between: [asha.id, rohan.id], messages: [] }));
});
afterAll(async () => {
  await streaming.listener.close();
  await database.close();
});

const rename = async (title: string, version = 1) =>
  (await writing.as(rohan)).projects.update({ projectId, version, patch: { title } });
const write = async (text: string) =>
  (await writing.as(asha)).chat.send({ conversationId, text, clientMessageId: randomUUID() });
const deactivate = async () => (await writing.as(asha)).users.deactivate({ userId: (await makeUser(database.db)).id });

test("carries the events of each topic with its name, and of no other", async () => {
  const stream = await open(rohan, STAFF);
  expect(await stream.next()).toEqual([expect.any(String), { type: "heartbeat" }, expect.anything()]);
  expect(await stream.next()).toEqual({ topic: "presence", event: { type: "everyone", userIds: [] } });
  await rename("Harbour");
  expect(await stream.next()).toMatchObject({
    topic: "projects",
    event: { projectId, kind: "project-changed", project: { title: "Harbour" } },
  });
  await write("Good morning");
  expect(await stream.next()).toMatchObject({ topic: "inbox", event: { conversation: { id: conversationId } } });
  const partner = await open(asha, ["presence"]);
  await partner.next();
  await partner.next();
  expect(await stream.next()).toMatchObject({ topic: "presence", event: { userId: asha.id, isPresent: true } });
  await deactivate();
  await rename("Harbour again", 2);
  expect(await stream.next()).toMatchObject({ topic: "projects", event: { project: { title: "Harbour again" } } });
  await Promise.all([stream.close(), partner.close()]);
  expect(streaming.hub.size()).toBe(0);
});

test("a topic that is named twice is followed once, and one without anything to say is silent", async () => {
  const stream = await open(asha, ["projects", "projects", "notifications"]);
  await stream.next();
  await rename("Once");
  expect(await stream.next()).toMatchObject({ topic: "projects", event: { project: { title: "Once" } } });
  await rename("Twice", 2);
  expect(await stream.next()).toMatchObject({ topic: "projects", event: { project: { title: "Twice" } } });
  await stream.close();
});

test("what many are sent of a change is one object, encoded once", async () => {
  const people = [asha, meera];
  const streams = await Promise.all(people.map((person) => open(person, ["projects"])));
  const others = await Promise.all(people.map((person) => open(person, ["projects"])));
  await Promise.all([...streams, ...others].map(({ next }) => next()));
  await rename("Shared");
  const events = await Promise.all(streams.map(({ next }) => next()));
  expect(await Promise.all(others.map(({ next }) => next()))).toEqual(events);
  expect(events.every(Object.isFrozen)).toBe(true);
  await Promise.all([...streams, ...others].map(({ close }) => close()));
});

test("refuses input without topics, or with one that nobody knows", async () => {
  const caller = await streaming.as(rohan);
  for (const topics of [[], ["weather"]] as unknown as LiveTopic[][])
    expect(await refusal(caller.live.onEvent({ topics }))).toMatchObject({ code: "BAD_REQUEST" });
});

describe("after an interruption", () => {
  test("each topic says whether its missed changes follow", async () => {
    const cursor = await cursorNow(streaming);
    expect(await firstEvents(asha, { cursor, topics: LIVE_TOPICS, count: LIVE_TOPICS.length })).toEqual([
      ...LIVE_TOPICS.filter((topic) => topic !== "presence").map((topic) => ({ topic, event: { type: "resumed" } })),
      { topic: "presence", event: { type: "everyone", userIds: [] } },
    ]);
  });

  test("a missed change of one topic makes none of the others be read again", async () => {
    const cursor = await cursorNow(streaming);
    await deactivate();
    await rename("Missed");
    const events = await firstEvents(asha, { cursor, topics: ["projects", "inbox", "users"], count: 4 });
    expect(events).toMatchObject([
      { topic: "projects", event: { type: "resumed" } },
      { topic: "inbox", event: { type: "resumed" } },
      { topic: "users", event: { type: "resync" } },
      { topic: "projects", event: { projectId, project: { title: "Missed" } } },
    ]);
  });

  test("a stream goes on from its last heartbeat", async () => {
    const stream = await open(rohan, ["projects", "inbox"]);
    await stream.next();
    streaming.hub.resyncAll();
    const heartbeat = await stream.next();
    await stream.close();
    if (!isTrackedEnvelope(heartbeat)) throw new Error("a heartbeat has an id");
    expect(heartbeat[1]).toEqual({ type: "heartbeat" });
    await rename("While away");
    const events = await firstEvents(rohan, { cursor: heartbeat[0], topics: ["projects", "inbox"], count: 3 });
    expect(events).toMatchObject([
      { topic: "projects", event: { type: "resumed" } },
      { topic: "inbox", event: { type: "resumed" } },
      { topic: "projects", event: { project: { title: "While away" } } },
    ]);
  });

  test("a stream on which something always happens sends an id to go on from all the same", async () => {
    const busy = await startTestProcess(database, { streamTimes: { readTimeoutMs: 10_000, heartbeatAfterMs: 200 } });
    const stream = iterate(await (await busy.as(rohan)).live.onEvent({ topics: ["projects"] }));
    expect(isTrackedEnvelope(await stream.next())).toBe(true);
    await new Promise((resolve) => setTimeout(resolve, 200));
    await rename("Just now");
    expect(await stream.next()).toMatchObject({ event: { project: { title: "Just now" } } });
    busy.hub.resyncAll();
    const next = stream.next();
    await rename("Again", 2);
    expect(isTrackedEnvelope(await next)).toBe(true);
    await stream.close();
    await busy.listener.close();
  });

  test("a cursor that cannot be used makes every topic be read again", async () => {
    const cursor = writing.hub.cursor();
    expect(await firstEvents(rohan, { cursor, topics: ["projects", "inbox"], count: 2 })).toEqual([
      { topic: "projects", event: { type: "resync" } },
      { topic: "inbox", event: { type: "resync" } },
    ]);
  });
});

test("ends at once, with an error that is not retried, when its session is revoked, and the person is gone", async () => {
  const { token } = await makeSession(database.db, { userId: rohan.id });
  const stream = iterate(await streaming.withToken(token).live.onEvent({ topics: [...STAFF] }));
  await stream.next();
  await stream.next();
  expect(streaming.presence.isPresent(rohan.id)).toBe(true);
  await (await writing.as(rohan)).auth.revokeOtherSessions();
  expect(await refusal(stream.next())).toMatchObject({ code: "UNAUTHORIZED", reason: "session-ended" });
  expect(streaming.presence.isPresent(rohan.id)).toBe(false);
  expect(streaming.hub.size()).toBe(0);
});

test("a topic that fails ends the whole stream, which then may be opened again", async () => {
  const failing = createTestCallers(database.db);
  const stream = iterate(await (await failing.as(asha)).live.onEvent({ topics: ["projects", "users", "presence"] }));
  await stream.next();
  await stream.next();
  failing.presence.isPresent = () => {
    throw new Error("out of order");
  };
  failing.hub.resyncAll();
  expect(await refusal(stream.next())).toMatchObject({ code: "INTERNAL_SERVER_ERROR" });
  expect(failing.hub.size()).toBe(0);
});

async function open(person: UserRow, topics: readonly LiveTopic[]) {
  return iterate(await (await streaming.as(person)).live.onEvent({ topics: [...topics] }));
}

function iterate(events: AsyncIterable<unknown>) {
  const iterator = events[Symbol.asyncIterator]();
  return {
    next: async (): Promise<unknown> => (await iterator.next()).value,
    close: async () => void (await iterator.return?.()),
  };
}

async function firstEvents(
  person: UserRow,
  { cursor, topics, count }: { cursor: string; topics: readonly LiveTopic[]; count: number },
): Promise<unknown[]> {
  const events: unknown[] = [];
  const caller = await streaming.as(person);
  for await (const event of await caller.live.onEvent({ topics: [...topics], lastEventId: cursor }))
    if (events.push(event) === count) break;
  return events;
}
