import { randomUUID } from "node:crypto";
import { eq } from "drizzle-orm";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeConversation, makeSession, makeUser, type UserRow } from "../../db/factories";
import { sessions } from "../../db/schema";
import type { PresenceEvent } from "../contract/views";
import { createLimits } from "../core/rate-limit";
import {
  createTestCallers,
  refusal,
  startTestProcess,
  type TestCaller,
  type TestCallers,
  type TestProcess,
} from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

/** Leaving is announced soon; nothing else happens by itself. */
const presenceTimes = { heartbeatMs: 3_600_000, forgetAfterMs: 3_600_000, graceMs: 20 };

let database: TestDatabase;
/** Two processes on one database. */
let here: TestProcess;
let there: TestProcess;
let asha: UserRow;
let meera: UserRow;
let conversationId: string;
const closers: (() => Promise<void>)[] = [];

beforeAll(async () => {
  database = await createTestDatabase();
  const start = () => startTestProcess(database, { presenceTimes });
  [here, there] = await Promise.all([start(), start()]);
});
beforeEach(async () => {
  asha = await makeUser(database.db, { accountType: "admin" });
  meera = await makeUser(database.db, { accountType: "client" });
  conversationId = await converse(asha, meera);
});
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});
afterAll(async () => {
  await Promise.all([here.presence.close(), there.presence.close()]);
  await Promise.all([here, there].map(({ listener }) => listener.close()));
  await database.close();
});

async function converse(one: UserRow, other: UserRow): Promise<string> {
  const messages = [{ senderId: other.id }];
  return (await makeConversation(database.db, { between: [one.id, other.id], messages })).id;
}

/** A visible page, from its first event on. Its person's presence has reached both processes by then. */
async function openPage(callers: TestCallers, user: UserRow, caller?: TestCaller) {
  const iterator = (await (caller ?? (await callers.as(user))).chat.onPresence())[Symbol.asyncIterator]();
  const next = async (): Promise<PresenceEvent> => {
    const result = await iterator.next();
    if (result.done) throw new Error("the stream has ended");
    return result.value;
  };
  const close = async () => void (await iterator.return?.());
  closers.push(close);
  const first = await next();
  await Promise.all([here, there].map((process) => knownIn(process, user)));
  return { first, next, close };
}

const type = async (callers: TestCallers, user: UserRow, id = conversationId) =>
  (await callers.as(user)).chat.noteTyping({ conversationId: id });
const everyone = (...people: UserRow[]) => ({ type: "everyone", userIds: people.map(({ id }) => id) });
const turned = ({ id }: UserRow, isPresent: boolean) => ({ type: "presence", userId: id, isPresent });

describe("presence", () => {
  test("reaches the partner in another process: at the beginning, on coming, and on going", async () => {
    const ashas = await openPage(here, asha);
    expect(ashas.first).toEqual(everyone());
    const meeras = await openPage(there, meera);
    expect(meeras.first).toEqual(everyone(asha));
    expect(await ashas.next()).toEqual(turned(meera, true));
    const second = await openPage(here, meera);
    expect(second.first).toEqual(everyone(asha));
    await meeras.close();
    await second.close();
    expect(await ashas.next()).toEqual(turned(meera, false));
  });

  test("covers nobody with whom there is no conversation", async () => {
    const vikram = await makeUser(database.db, { accountType: "admin" });
    const kabir = await makeUser(database.db, { accountType: "client" });
    await converse(vikram, kabir);
    await openPage(there, meera);
    const stranger = await openPage(here, vikram);
    expect(stranger.first).toEqual(everyone());
    await openPage(there, asha);
    await type(there, meera);
    await openPage(there, kabir);
    expect(await stranger.next()).toEqual(turned(kabir, true));
  });

  test("of a new partner arrives as soon as there is a conversation", async () => {
    const vikram = await makeUser(database.db, { accountType: "admin" });
    const vikrams = await openPage(here, vikram);
    await openPage(there, meera);
    const { chat } = await there.as(meera);
    await chat.start({ recipientId: vikram.id, text: "Good morning", clientMessageId: randomUUID() });
    expect(await vikrams.next()).toEqual(turned(meera, true));
  });

  test("of somebody who may no longer be written to is hidden, and so is their typing", async () => {
    const meeras = await openPage(there, meera);
    const kabir = await makeUser(database.db, { accountType: "client" });
    await converse(asha, kabir);
    const ashas = await openPage(here, asha);
    expect(ashas.first).toEqual(everyone(meera));
    await (await here.as(await makeUser(database.db, { accountType: "admin" }))).users.setType({
      userId: meera.id,
      accountType: "admin",
    });
    expect(await refusal(meeras.next())).toMatchObject({ code: "UNAUTHORIZED" });
    expect(await ashas.next()).toEqual(turned(meera, false));
    await openPage(there, meera);
    expect(await type(there, meera)).toEqual({ ok: true });
    expect(await type(here, asha)).toEqual({ ok: true });
    await openPage(there, kabir);
    expect(await ashas.next()).toEqual(turned(kabir, true));
  });

  test("is sent as a whole after something may have been missed, and only if it differs", async () => {
    const ashas = await openPage(here, asha);
    here.hub.resyncAll();
    await type(there, meera);
    expect(await ashas.next()).toMatchObject({ type: "typing" });
    await openPage(there, meera);
    here.hub.resyncAll();
    expect(await ashas.next()).toEqual(everyone(meera));
  });

  test("ends at once when the session is revoked, in every process, with the refusal", async () => {
    const { token } = await makeSession(database.db, { userId: meera.id });
    const slow = await startTestProcess(database, { presenceTimes: { ...presenceTimes, graceMs: 3_600_000 } });
    const meeras = await openPage(slow, meera, slow.withToken(token));
    const ashas = await openPage(slow, asha);
    expect(ashas.first).toEqual(everyone(meera));
    expect(await meeras.next()).toEqual(turned(asha, true));
    const refused = refusal(meeras.next());
    await (await here.as(await makeUser(database.db, { accountType: "admin" }))).users.deactivate({ userId: meera.id });
    expect(await refused).toMatchObject({ code: "FORBIDDEN" });
    expect(await ashas.next()).toEqual(turned(meera, false));
    await ashas.close();
    await slow.presence.close();
    await slow.listener.close();
  });

  test.each([
    ["is closed before it is read", (caller: TestCaller) => unread(caller)],
    ["is closed while it begins", (caller: TestCaller) => closedAtOnce(caller)],
    ["is never read nor closed", async (caller: TestCaller) => void (await caller.chat.onPresence())],
    ["brings a session that has ended", (caller: TestCaller) => endedSession(caller)],
  ])("is not counted for a stream that %s", async (_name, open) => {
    await open(await there.as(meera));
    const ashas = await openPage(here, asha);
    expect(ashas.first).toEqual(everyone());
    expect([here, there].map(({ presence }) => presence.isPresent(meera.id))).toEqual([false, false]);
  });
});

describe("typing", () => {
  test("reaches the other one, in whichever process, and nobody else", async () => {
    const own = await openPage(here, meera);
    const [near, far] = [await openPage(here, asha), await openPage(there, asha)];
    expect(await own.next()).toEqual(turned(asha, true));
    await type(here, meera);
    const typing = { type: "typing", userId: meera.id, conversationId };
    expect([await near.next(), await far.next()]).toEqual([typing, typing]);
    await type(there, asha);
    expect(await own.next()).toEqual({ type: "typing", userId: asha.id, conversationId });
  });

  test("in others' conversations is refused as if it did not exist", async () => {
    const stranger = await makeUser(database.db, { accountType: "admin" });
    const refused = await refusal(type(here, stranger));
    expect(refused.code).toBe("NOT_FOUND");
    expect(refused).toEqual(await refusal(type(here, stranger, randomUUID())));
    expect(await refusal(type(here, meera, "nonsense"))).toMatchObject({ code: "BAD_REQUEST" });
  });

  test("to an inactive person is accepted and reaches nobody", async () => {
    const admin = await here.as(await makeUser(database.db, { accountType: "admin" }));
    await admin.users.deactivate({ userId: meera.id });
    expect(await type(here, asha)).toEqual({ ok: true });
  });

  test("is counted in memory, apart from writes, and leaves no row", async () => {
    const limits = createLimits({ sql: database.sql, multiplier: 1 });
    const caller = await createTestCallers(database.db, { limits }).as(meera);
    for (let at = 0; at < 60; at += 1) await caller.chat.noteTyping({ conversationId });
    expect(await refusal(caller.chat.noteTyping({ conversationId }))).toMatchObject({ code: "TOO_MANY_REQUESTS" });
    await caller.chat.conversations();
    expect(await database.sql`select 1 from rate_limits`).toEqual([]);
  });
});

async function knownIn({ presence }: TestCallers, { id }: UserRow): Promise<void> {
  while (!presence.isPresent(id)) await new Promise((resolve) => setTimeout(resolve, 5));
}

async function unread(caller: TestCaller): Promise<void> {
  const iterator = (await caller.chat.onPresence())[Symbol.asyncIterator]();
  await iterator.return?.();
}

async function closedAtOnce(caller: TestCaller): Promise<void> {
  const iterator = (await caller.chat.onPresence())[Symbol.asyncIterator]();
  const first = iterator.next();
  await iterator.return?.();
  await first;
}

async function endedSession(caller: TestCaller): Promise<void> {
  const stream = await caller.chat.onPresence();
  await database.db.delete(sessions).where(eq(sessions.userId, meera.id));
  await refusal(stream[Symbol.asyncIterator]().next());
}
