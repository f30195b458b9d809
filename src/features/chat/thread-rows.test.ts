import type { Message } from "@server/contract/views";
import { expect, test } from "vitest";
import type { ThreadMessage } from "./thread";
import { linesToRead, rowsOf } from "./thread";

const ME = "me";
const MEERA = "meera";

test("each day begins with its date, and a group is one person within five minutes", () => {
  const rows = rowsOf(
    [
      said(1, MEERA, "18T10:00"),
      said(2, MEERA, "18T10:04"),
      said(3, ME, "18T10:05"),
      said(4, ME, "18T10:11"),
      said(5, ME, "19T10:12"),
    ],
    { newFromSeq: null },
  );
  expect(rows.map(({ day, startsGroup }) => [day, startsGroup])).toEqual([
    ["2026-11-18", true],
    [null, false],
    [null, true],
    [null, true],
    ["2026-11-19", true],
  ]);
  expect(rows.some(({ isFirstNew }) => isFirstNew)).toBe(false);
});

test("the New line stands over the first unread message of the other one, once", () => {
  const rows = rowsOf(
    [said(1, MEERA, "18T10:00"), said(2, ME, "18T10:01"), said(3, MEERA, "18T10:02"), said(4, MEERA, "18T10:03")],
    {
      newFromSeq: 2,
    },
  );
  expect(rows.map(({ isFirstNew }) => isFirstNew)).toEqual([false, false, true, false]);
});

test("there is no New line while the first unread message has not been read from the server", () => {
  const messages = [said(3, MEERA, "18T10:02"), said(4, MEERA, "18T10:03")];
  const firstNew = (newFromSeq: number) => rowsOf(messages, { newFromSeq }).map((row) => row.isFirstNew);
  expect(firstNew(2)).toEqual([false, false]);
  expect(firstNew(3)).toEqual([true, false]);
});

function said(seq: number, senderId: string, at: string): ThreadMessage {
  const timestamp = new Date(`2026-11-${at}:00`).toISOString();
  return {
    key: String(seq),
    id: String(seq),
    seq,
    clientMessageId: null,
    senderId,
    from: senderId === ME ? "self" : "theirs",
    author: senderId,
    isByOther: false,
    text: "",
    chip: null,
    files: [],
    timestamp,
    state: "sent",
    unsent: null,
  };
}

test("what the other one says is read out by whichever way it came, 20 lines at a time", () => {
  const spoken = (count: number) =>
    Array.from({ length: count }, (_, at) => received(at + 1, at % 2 === 0 ? ME : MEERA));
  const seqs = (count: number, newAfterSeq: number) =>
    linesToRead(spoken(count), { newAfterSeq, ownId: ME }).map(({ seq }) => seq);
  expect(seqs(0, 0)).toEqual([]);
  expect(seqs(6, 2)).toEqual([4, 6]);
  expect(seqs(6, 6)).toEqual([]);
  expect(seqs(40, 0)).toHaveLength(20);
  expect(seqs(42, 0)).toEqual([42]);
});

function received(seq: number, senderId: string): Message {
  const timestamp = new Date(1_800_000_000_000 + seq).toISOString();
  const rest = { conversationId: "c", text: `${seq}`, timestamp, read: false, clientMessageId: `k${seq}` };
  return { id: `m${seq}`, seq, senderId, ...rest, kind: "text", files: [], senderName: null, chip: null };
}
