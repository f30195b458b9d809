import { randomUUID } from "node:crypto";
import { isTrackedEnvelope } from "@trpc/server";
import { eq } from "drizzle-orm";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { makeConversation, makeSession, makeUser, type UserRow } from "../../db/factories";
import { conversations, messages, sessions, users } from "../../db/schema";
import type { ConversationEvent } from "../contract/views";
import { refusal, startTestProcess, type TestCallers, type TestProcess } from "../test/caller";
import { createTestDatabase, type TestDatabase } from "../test/db";

let database: TestDatabase;
/** Two processes on one database: what one writes, watchers of the other receive. */
let here: TestProcess;
let there: TestProcess;
let asha: UserRow;
let vikram: UserRow;
let meera: UserRow;

beforeAll(async () => {
  database = await createTestDatabase();
  [here, there] = await Promise.all([startTestProcess(database), startTestProcess(database)]);
  asha = await makeUser(database.db, { name: "Asha Kulkarni", accountType: "admin" });
  vikram = await makeUser(database.db, { name: "Vikram Menon", accountType: "admin" });
});
afterAll(async () => {
  await Promise.all([here, there].map(({ listener }) => listener.close()));
  await database.close();
});
beforeEach(async () => {
  meera = await makeUser(database.db, { name: "Meera Rao", accountType: "client" });
});

/** A conversation of Asha and Meera with so many messages, by turns. */
async function conversation(size = 0): Promise<string> {
  const written = Array.from({ length: size }, (_, at) => ({
    senderId: at % 2 ? meera.id : asha.id,
    text: `${at + 1}`,
  }));
  return (await makeConversation(database.db, { between: [asha.id, meera.id], messages: written })).id;
}

const send = async (by: UserRow, conversationId: string, text = "Hello", callers = here) =>
  (await callers.as(by)).chat.send({ conversationId, text, clientMessageId: randomUUID() });
const upTo = (size: number, from = 1) => Array.from({ length: size - from + 1 }, (_, at) => from + at);

describe("a conversation's stream", () => {
  test("tells a message sent in one process to both people in another, each in their own view", async () => {
    const conversationId = await conversation();
    const watchers = await Promise.all([asha, meera].map((user) => watch(there, user, conversationId)));
    const sent = await send(meera, conversationId);
    for (const [index, watcher] of watchers.entries()) {
      expect(await watcher.next()).toEqual({
        id: "1",
        event: { type: "message", message: { ...sent, clientMessageId: index ? sent.clientMessageId : null } },
      });
      await watcher.close();
    }
  });

  test("tells every message once and in order, whoever writes where, also when nobody reads meanwhile", async () => {
    const conversationId = await conversation();
    const [eager, lazy] = await Promise.all([asha, meera].map((user) => watch(there, user, conversationId)));
    const eagerSeqs = eager?.seqs(60);
    await Promise.all(
      upTo(60).map((at) => send(at % 2 ? asha : meera, conversationId, `${at}`, at % 3 ? here : there)),
    );
    expect(await eagerSeqs).toEqual(upTo(60));
    expect(await lazy?.seqs(60)).toEqual(upTo(60));
    await Promise.all([eager?.close(), lazy?.close()]);
  });

  test.each([
    ["a cursor", "130", 131],
    ["the cursor before the first", "0", 1],
    ["no cursor", undefined, 181],
    ["null", null, 181],
    ["a malformed cursor", "12abc", 181],
    ["a negative cursor", "-1", 181],
    ["a cursor ahead of the conversation", "231", 181],
    ["a cursor no number can hold", "9".repeat(9_000), 181],
  ])("begins after %s with what is there, and goes on", async (_name, lastEventId, first) => {
    const conversationId = await conversation(230);
    const watcher = await watch(there, meera, conversationId, lastEventId);
    const seqs = watcher.seqs(231 - first + 1);
    await send(asha, conversationId);
    expect(await seqs).toEqual(upTo(231, first));
    await watcher.close();
  });

  test("at the end of the conversation waits, and resumes where another stream was cut", async () => {
    const conversationId = await conversation(3);
    const first = await watch(there, meera, conversationId, "3");
    await send(asha, conversationId, "four");
    const { id } = await first.next();
    await first.close();
    await send(asha, conversationId, "five");
    await send(meera, conversationId, "six");
    const second = await watch(here, meera, conversationId, id);
    expect(await second.seqs(2)).toEqual([5, 6]);
    await second.close();
  });

  test("leaves out nothing that a slow commit holds back while it is watched", async () => {
    const conversationId = await conversation(1);
    const watcher = await watch(there, meera, conversationId, "1");
    const later = await database.db.transaction(async (tx) => {
      await tx.update(conversations).set({ lastSeq: 2 }).where(eq(conversations.id, conversationId));
      const waiting = send(asha, conversationId, "later");
      there.hub.resyncAll();
      await database.untilWaiting();
      const slow = { conversationId, seq: 2, senderId: asha.id, clientMessageId: randomUUID(), text: "slow" };
      await tx.insert(messages).values(slow);
      return { waiting };
    });
    expect((await later.waiting).seq).toBe(3);
    expect(await watcher.seqs(2)).toEqual([2, 3]);
    await watcher.close();
  });

  test("tells how far each has read at the beginning, and each time it moves", async () => {
    const conversationId = await conversation(4);
    const reader = await here.as(asha);
    await reader.chat.markRead({ conversationId, upToSeq: 2 });
    const watcher = await watch(there, meera, conversationId, "4");
    expect(await watcher.next()).toEqual({ id: "4", event: { type: "read", readerId: asha.id, upToSeq: 2 } });
    await reader.chat.markRead({ conversationId, upToSeq: 1 });
    await (await here.as(meera)).chat.markRead({ conversationId, upToSeq: 3 });
    expect(await watcher.next()).toEqual({ id: "4", event: { type: "read", readerId: meera.id, upToSeq: 3 } });
    await reader.chat.markRead({ conversationId, upToSeq: 4 });
    expect(await watcher.next()).toEqual({ id: "4", event: { type: "read", readerId: asha.id, upToSeq: 4 } });
    await watcher.close();
  });

  test("catches up with 1,000 long messages in order", async () => {
    const written = upTo(1_000).map((at) => ({ senderId: asha.id, text: `${at} ${"x".repeat(1_000)}` }));
    const { id } = await makeConversation(database.db, { between: [asha.id, meera.id], messages: written });
    const watcher = await watch(there, meera, id, "0");
    expect(await watcher.seqs(1_000)).toEqual(upTo(1_000));
    await watcher.close();
  });

  test("tells what was written while the listening connection was away", async () => {
    const conversationId = await conversation(1);
    const watcher = await watch(there, meera, conversationId, "1");
    await database.sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name = 'sangam listener'`;
    await send(asha, conversationId);
    expect(await watcher.seqs(1)).toEqual([2]);
    await watcher.close();
  });

  test("sends what was written without a notification at the safety timer", async () => {
    const conversationId = await conversation(1);
    const watcher = await watch(there, meera, conversationId, "1");
    await database.sql`update conversations set last_seq = 2 where id = ${conversationId}`;
    await database.db
      .insert(messages)
      .values({ conversationId, seq: 2, senderId: asha.id, clientMessageId: randomUUID(), text: "not notified" });
    there.hub.resyncAll();
    expect(await watcher.seqs(1)).toEqual([2]);
    await watcher.close();
  });

  test("is refused to who takes no part like one that does not exist, and leaves nothing in the hub", async () => {
    const conversationId = await conversation(1);
    const before = there.hub.size();
    const { chat } = await there.as(vikram);
    expect(await refusal(chat.onMessage({ conversationId }))).toEqual(
      await refusal(chat.onMessage({ conversationId: randomUUID() })),
    );
    const watcher = await watch(there, meera, conversationId);
    expect(there.hub.size()).toBe(before + 1);
    await watcher.close();
    expect(there.hub.size()).toBe(before);
  });

  test.each([
    ["signing out", "UNAUTHORIZED", (id: string) => database.db.delete(sessions).where(eq(sessions.userId, id))],
    [
      "deactivation",
      "FORBIDDEN",
      (id: string) => database.db.update(users).set({ accountStatus: "inactive" }).where(eq(users.id, id)),
    ],
  ])("ends by %s with %s before it tells anything written after", async (_name, code, end) => {
    const conversationId = await conversation(1);
    const watcher = await watch(there, asha, conversationId, "1");
    const leaving = await watch(there, meera, conversationId, "1");
    const next = refusal(leaving.next());
    await end(meera.id);
    await send(asha, conversationId, "Secret now").catch(() => {
      // To an inactive person nothing can be sent; her own earlier message may still arrive.
      return database.sql`select pg_notify('sangam', ${JSON.stringify({ subject: `conversation:${conversationId}`, topics: [] })})`;
    });
    expect(await next).toMatchObject({ code });
    await Promise.all([watcher.close(), leaving.close()]);
  });
});

describe("the inbox's stream", () => {
  test("tells a new conversation, a message and a read pointer to both, with the totals of each", async () => {
    const [ashas, meeras] = await Promise.all([asha, meera].map((user) => watchInbox(there, user)));
    const clientMessageId = randomUUID();
    const { chat } = await here.as(meera);
    const started = await chat.start({ recipientId: asha.id, text: "Hello", clientMessageId });
    const conversationId = started.conversation.id;
    const before = (await ashas?.next())?.unreadTotal ?? 0;
    expect(await meeras?.next()).toEqual({ conversation: started.conversation, unreadTotal: 0 });
    await send(meera, conversationId, "Again");
    expect(await ashas?.next()).toMatchObject({
      conversation: {
        id: conversationId,
        otherUser: { name: "Meera Rao" },
        lastMessage: { text: "Again" },
        unreadCount: 2,
      },
      unreadTotal: before + 1,
    });
    expect(await meeras?.next()).toMatchObject({ conversation: { lastSeq: 2, otherReadSeq: 0 }, unreadTotal: 0 });
    await (await here.as(asha)).chat.markRead({ conversationId, upToSeq: 2 });
    expect(await ashas?.next()).toMatchObject({
      conversation: { unreadCount: 0, ownReadSeq: 2 },
      unreadTotal: before - 1,
    });
    expect(await meeras?.next()).toMatchObject({ conversation: { otherReadSeq: 2 }, unreadTotal: 0 });
    await Promise.all([ashas?.close(), meeras?.close()]);
  });

  test("tells nothing of others' conversations", async () => {
    const conversationId = await conversation(1);
    const stranger = await watchInbox(there, vikram);
    await send(asha, conversationId, "Not for Vikram");
    const { chat } = await here.as(meera);
    const own = await chat.start({ recipientId: vikram.id, text: "For Vikram", clientMessageId: randomUUID() });
    expect(await stranger.next()).toMatchObject({ conversation: { id: own.conversation.id } });
    await stranger.close();
  });

  test("tells that a partner may no longer be written to, or is called otherwise", async () => {
    const conversationId = await conversation(1);
    const inbox = await watchInbox(there, asha);
    await (await here.as(meera)).users.updateProfile({ displayName: "Meera R." });
    expect(await inbox.next()).toMatchObject({ conversation: { id: conversationId, otherUser: { name: "Meera R." } } });
    await (await here.as(vikram)).users.deactivate({ userId: meera.id });
    expect(await inbox.next()).toMatchObject({ conversation: { id: conversationId, otherUser: { isActive: false } } });
    await inbox.close();
  });

  test("sends what changed while the listening connection was away, and a doubled notification once", async () => {
    const conversationId = await conversation(1);
    const other = await makeConversation(database.db, {
      between: [meera.id, vikram.id],
      messages: [{ senderId: meera.id }],
    });
    const inbox = await watchInbox(there, meera);
    await database.sql`update conversations set last_seq = 2 where id = ${conversationId}`;
    await database.db
      .insert(messages)
      .values({ conversationId, seq: 2, senderId: asha.id, clientMessageId: randomUUID(), text: "not notified" });
    there.hub.resyncAll();
    expect(await inbox.next()).toMatchObject({ conversation: { id: conversationId, unreadCount: 2 }, unreadTotal: 2 });
    there.hub.resyncAll();
    there.hub.deliver({ subject: `conversation:${conversationId}`, topics: [`inbox:${meera.id}`] });
    await send(vikram, other.id);
    expect(await inbox.next()).toMatchObject({ conversation: { id: other.id } });
    await inbox.close();
  });

  test("ends with the session before it tells anything written after", async () => {
    const conversationId = await conversation(1);
    const { token } = await makeSession(database.db, { userId: meera.id });
    const inbox = iteratorOf(await there.withToken(token).chat.onInbox());
    await database.db.delete(sessions).where(eq(sessions.token, token));
    await send(asha, conversationId, "Secret now");
    expect(await refusal(inbox.next())).toMatchObject({ code: "UNAUTHORIZED" });
    await inbox.close();
  });
});

async function watch(callers: TestCallers, user: UserRow, conversationId: string, lastEventId?: string | null) {
  const caller = await callers.as(user);
  const input = { conversationId, ...(lastEventId !== undefined && { lastEventId }) };
  // Callers in the process get the envelope itself, whatever their type says.
  const { next: nextEnvelope, close } = iteratorOf<unknown>(await caller.chat.onMessage(input));
  const next = async () => {
    const envelope = await nextEnvelope();
    if (!isTrackedEnvelope<ConversationEvent>(envelope)) throw new Error("the event is not tracked");
    const [id, event] = envelope;
    return { id, event };
  };
  /** The numbers of the next so many messages; the id of each event is the newest of them. */
  const seqs = async (count: number) => {
    const seen: number[] = [];
    while (seen.length < count) {
      const { id, event } = await next();
      if (event.type === "message") seen.push(event.message.seq);
      expect(Number(id)).toBe(seen.at(-1) ?? Number(id));
    }
    return seen;
  };
  return { next, seqs, close };
}

async function watchInbox(callers: TestCallers, user: UserRow) {
  return iteratorOf(await (await callers.as(user)).chat.onInbox());
}

function iteratorOf<Event>(changes: AsyncIterable<Event>) {
  const iterator = changes[Symbol.asyncIterator]();
  return {
    async next(): Promise<Event> {
      const result = await iterator.next();
      if (result.done) throw new Error("the stream has ended");
      return result.value;
    },
    async close(): Promise<void> {
      await iterator.return?.();
    },
  };
}
