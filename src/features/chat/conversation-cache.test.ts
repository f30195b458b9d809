import type { Conversation, Message } from "@server/contract/views";
import { expect, test } from "vitest";
import { keepLater, markSeen, putConversation } from "./conversation-cache";
import type { UnsentMessage } from "./outbox";
import { allMessages, knownUpTo, NOTHING_RECEIVED, receive, receiveMessage, threadOf } from "./thread";

const ME = "me";
const MEERA = "meera";

test("what the pages and the stream both tell is there once, by seq, whatever the order of arrival", () => {
  const pages = [{ items: [message(3), message(4)] }, { items: [message(1), message(2)] }];
  for (const order of [
    [5, 6, 4],
    [6, 4, 5],
    [4, 5, 6],
  ]) {
    const received = order.reduce((known, seq) => receiveMessage(known, message(seq)), NOTHING_RECEIVED);
    expect(allMessages(pages, received).map(({ seq }) => seq)).toEqual([1, 2, 3, 4, 5, 6]);
  }
});

test("doubled and late events change nothing", () => {
  const received = receive(receive(NOTHING_RECEIVED, event(message(7))), { type: "read", readerId: MEERA, upToSeq: 5 });
  expect(receive(received, event(message(7)))).toBe(received);
  expect(receive(received, { type: "read", readerId: MEERA, upToSeq: 5 })).toBe(received);
  expect(receive(received, { type: "read", readerId: MEERA, upToSeq: 4 })).toBe(received);
});

test("an acknowledged message takes the place of its bubble, under the same key", () => {
  const waiting = thread({ pages: [{ items: [message(1)] }], unsent: [unsent("a"), unsent("b")] });
  expect(waiting.map(({ key, state }) => [key, state])).toEqual([
    ["id-1", "sent"],
    ["a", "sending"],
    ["b", "sending"],
  ]);
  // The echo may come before the answer to the sender has taken the bubble out of the outbox.
  const received = receiveMessage(NOTHING_RECEIVED, message(2, { senderId: ME, clientMessageId: "a" }));
  const acknowledged = thread({
    pages: [{ items: [message(1)] }],
    received,
    unsent: [unsent("a"), unsent("b")],
  });
  expect(acknowledged.map(({ key, state }) => [key, state])).toEqual([
    ["id-1", "sent"],
    ["a", "sent"],
    ["b", "sending"],
  ]);
});

test("what is not acknowledged stands last, also when a newer message of the other one comes in", () => {
  const received = receiveMessage(NOTHING_RECEIVED, message(2));
  const found = thread({ pages: [{ items: [message(1)] }], received, unsent: [unsent("a", "refused")] });
  expect(found.map(({ key, state }) => [key, state])).toEqual([
    ["id-1", "sent"],
    ["id-2", "sent"],
    ["a", "failed"],
  ]);
});

test("a message shows the task that it became as the stream last told of it, and none once that is gone", () => {
  const chip = { taskId: "t", key: "HBP-12", status: "todo" as const };
  const items = [message(1, { chip }), message(2), message(3, { chip })];
  const changed = [
    { type: "chip" as const, messageId: "id-2", chip: { ...chip, status: "completed" as const } },
    { type: "chip" as const, messageId: "id-3", chip: null },
  ].reduce(receive, NOTHING_RECEIVED);
  const chips = thread({ pages: [{ items }], received: changed }).map((one) => one.chip?.status ?? null);
  expect(chips).toEqual(["todo", "completed", null]);
});

test("two ticks follow the other one's pointer alone, whichever source knows more", () => {
  const own = [message(1, { senderId: ME }), message(2, { senderId: ME }), message(3)];
  const states = (otherReadSeq: number, upToSeq: number, readerId = MEERA) =>
    thread({
      pages: [{ items: own }],
      received: receive(NOTHING_RECEIVED, { type: "read", readerId, upToSeq }),
      otherReadSeq,
    }).map(({ state }) => state);
  expect(states(0, 1)).toEqual(["read", "sent", "sent"]);
  expect(states(2, 1)).toEqual(["read", "read", "sent"]);
  expect(states(0, 3, ME)).toEqual(["sent", "sent", "sent"]);
});

test("two ticks stay when the answer to a message that was sent again comes late", () => {
  const late = message(2, { senderId: ME });
  const states = (paged: Message, received: Message) =>
    thread({
      pages: [{ items: [message(1), paged] }],
      received: receiveMessage(NOTHING_RECEIVED, received),
    }).map(({ state }) => state);
  expect(states({ ...late, read: true }, late)).toEqual(["sent", "read"]);
  expect(states(late, { ...late, read: true })).toEqual(["sent", "read"]);
});

test("a conversation is followed from the first hole in what is known of it", () => {
  expect(knownUpTo([message(3), message(4), message(5)])).toBe(5);
  expect(knownUpTo([message(3), message(4), message(7), message(9)])).toBe(4);
  expect(knownUpTo([message(3), message(5)])).toBe(3);
  expect(knownUpTo([])).toBe(0);
});

test("the list keeps the later telling of a conversation, and the newest first", () => {
  const list = [conversation("a", { lastSeq: 5, ownReadSeq: 5, day: 3 }), conversation("b", { lastSeq: 1, day: 2 })];
  const later = conversation("b", { lastSeq: 2, day: 4 });
  expect(putConversation(list, later).map(({ id, lastSeq }) => [id, lastSeq])).toEqual([
    ["b", 2],
    ["a", 5],
  ]);
  expect(putConversation(list, conversation("a", { lastSeq: 4, day: 1 }))).toEqual(list);
  expect(putConversation(list, conversation("c", { day: 9 })).map(({ id }) => id)).toEqual(["c", "a", "b"]);
});

test("an older change takes no tick back, also after one's own read mark was taken back", () => {
  const known = conversation("a", { lastSeq: 10, ownReadSeq: 5, otherReadSeq: 9 });
  const older = conversation("a", { lastSeq: 10, ownReadSeq: 10, otherReadSeq: 6 });
  expect(putConversation([known], older)).toEqual([known]);
});

test("a message that arrives while a read mark is being saved is in the list, and alone unread", () => {
  const known = conversation("a", { lastSeq: 10, ownReadSeq: 10, otherReadSeq: 9 });
  const changed = conversation("a", { lastSeq: 11, ownReadSeq: 4, otherReadSeq: 9, unreadCount: 7 });
  expect(putConversation([known], changed)).toMatchObject([{ lastSeq: 11, ownReadSeq: 10, unreadCount: 1 }]);
  const saved = conversation("a", { lastSeq: 11, ownReadSeq: 10, otherReadSeq: 9, unreadCount: 1 });
  expect(putConversation([known], saved)).toEqual([saved]);
});

test("a pointer only goes forward, and a seen conversation has nothing unread", () => {
  const list = [conversation("a", { lastSeq: 5, ownReadSeq: 3, unreadCount: 2 })];
  expect(markSeen(list, { conversationId: "a", upToSeq: 3 })).toBe(list);
  expect(markSeen(list, { conversationId: "a", upToSeq: 5 })).toMatchObject([{ ownReadSeq: 5, unreadCount: 0 }]);
  expect(markSeen(list, { conversationId: "x", upToSeq: 5 })).toBe(list);
});

function thread(parts: Partial<Parameters<typeof threadOf>[0]>) {
  const people = { ownId: ME, isAdmin: true, partner: { id: MEERA, name: "Meera Rao" }, coversFor: null };
  return threadOf({ pages: [], received: NOTHING_RECEIVED, unsent: [], people, otherReadSeq: 0, ...parts });
}

function event(one: Message) {
  return { type: "message" as const, message: one };
}

function message(seq: number, fields: Partial<Message> = {}): Message {
  return {
    id: `id-${seq}`,
    conversationId: "c",
    seq,
    senderId: MEERA,
    text: `message ${seq}`,
    timestamp: new Date(Date.UTC(2026, 10, 18, 10, seq)).toISOString(),
    read: false,
    clientMessageId: null,
    kind: "text",
    files: [],
    senderName: null,
    chip: null,
    ...fields,
  };
}

function unsent(clientMessageId: string, state: UnsentMessage["state"] = "sending"): UnsentMessage {
  return {
    clientMessageId,
    partnerId: MEERA,
    conversationId: "c",
    text: clientMessageId,
    writtenAt: "2026-11-18T10:30:00.000Z",
    state,
  };
}

function conversation(id: string, { day = 1, ...fields }: Partial<Conversation> & { day?: number }): Conversation {
  const at = new Date(Date.UTC(2026, 10, day)).toISOString();
  return {
    id,
    otherUser: { id: MEERA, name: "Meera Rao", accountType: "client", profileImgLink: null, isActive: true },
    lastMessage: null,
    unreadCount: 0,
    lastSeq: 0,
    ownReadSeq: 0,
    otherReadSeq: 0,
    cover: null,
    coversFor: null,
    turn: { owes: "nobody", since: null, businessMinutes: 0, businessDays: 0, answerBy: null, clock: null },
    createdAt: at,
    updatedAt: at,
    ...fields,
  };
}

test("an answer that was on its way while events came takes nothing back, but for one's own read mark", () => {
  const later = conversation("a", { lastSeq: 5, otherReadSeq: 3, ownReadSeq: 5 });
  const started = conversation("b", { lastSeq: 1 });
  const stale = conversation("a", { lastSeq: 4, otherReadSeq: 1, ownReadSeq: 4 });
  expect(keepLater([later, started], [stale])).toEqual(expect.arrayContaining([later, started]));
  const unsaved = { ...later, ownReadSeq: 2 };
  expect(keepLater([later], [unsaved])).toEqual([unsaved]);
  expect(keepLater(undefined, [stale])).toEqual([stale]);
});
