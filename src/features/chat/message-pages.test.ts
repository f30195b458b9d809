import type { Message } from "@server/contract/views";
import { expect, test } from "vitest";
import { readDown, unreadReach } from "./message-pages";

const conversation = (lastSeq: number, ownReadSeq: number) => ({
  lastSeq,
  ownReadSeq,
  unreadCount: lastSeq - ownReadSeq,
});

test("nothing unread opens at the newest page, without a line", () => {
  const atTheEnd = { newFromSeq: null, readDownTo: null, isTooMuch: false };
  expect(unreadReach(null)).toEqual(atTheEnd);
  expect(unreadReach(conversation(300, 300))).toEqual(atTheEnd);
});

test("a few unread are in the newest page; many are read down to, with what stood before them", () => {
  expect(unreadReach(conversation(300, 290))).toEqual({ newFromSeq: 291, readDownTo: null, isTooMuch: false });
  expect(unreadReach(conversation(300, 180))).toEqual({ newFromSeq: 181, readDownTo: 141, isTooMuch: false });
  expect(unreadReach(conversation(300, 0))).toEqual({ newFromSeq: 1, readDownTo: 1, isTooMuch: false });
});

test("beyond a thousand it opens at the newest and knows it", () => {
  expect(unreadReach(conversation(1_400, 400)).isTooMuch).toBe(false);
  expect(unreadReach(conversation(1_400, 399))).toEqual({ newFromSeq: 400, readDownTo: null, isTooMuch: true });
});

test("one's own messages are no unread ones: it opens at its end and says nothing of a thousand", () => {
  const talk = { unreadCount: 1, ownReadSeq: 0, lastSeq: 1_500 };
  expect(unreadReach(talk)).toEqual({ newFromSeq: 1, readDownTo: null, isTooMuch: false });
});

test("reading down brings one page without holes and no more calls than it needs", async () => {
  const calls: (number | undefined)[] = [];
  const read = ({ before = 1_001, limit }: { before?: number; limit: number }) => {
    calls.push(before);
    const from = Math.max(1, before - limit);
    const items = Array.from({ length: before - from }, (_, at) => message(from + at));
    return Promise.resolve({ items, nextCursor: from > 1 ? from : null });
  };
  const page = await readDown(read, 550);
  expect(calls).toEqual([1_001, 801, 601]);
  expect(page.items.map(({ seq }) => seq)).toEqual(Array.from({ length: 600 }, (_, at) => 401 + at));
  expect(page.nextCursor).toBe(401);
  expect((await readDown(read, 1)).items).toHaveLength(1_000);
});

function message(seq: number): Message {
  const timestamp = "2026-11-18T10:30:00.000Z";
  return {
    id: `m${seq}`,
    conversationId: "c",
    seq,
    senderId: "p",
    text: "Hello",
    timestamp,
    read: false,
    clientMessageId: null,
    kind: "text",
    files: [],
    senderName: null,
    chip: null,
  };
}
