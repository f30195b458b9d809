import { expect, test } from "vitest";
import { check } from "./checker";
import { display, goodHistory, historyOf, items, line, marks, messages, send, sends, talk } from "./good-history";
import type { History, Operation, Rows, ThreadItem, Violation } from "./history";

/*
 * Every test breaks one thing of a good history and names the promise that the checker must find broken.
 */

test("a good history breaks no promise", () => {
  expect(kinds(goodHistory())).toEqual([]);
});

test("a history that never came to an end proves nothing", () => {
  expect(kinds(historyOf(sends()))).toEqual(["late"]);
});

test("an acknowledged message without a row is lost", () => {
  const others = messages.filter(({ seq }) => seq !== 4);
  const less: Partial<Rows> = {
    conversations: [{ ...talk, lastSeq: 3, readSeqs: { asha: 3, meera: 3 } }],
    messages: others,
  };
  expect(kinds(goodHistory({ rows: less, shown: items(3) }))).toContain("lost");
});

test("a message that a screen showed, and no row holds, is lost", () => {
  expect(kinds(goodHistory({ early: [display([...items(4), [5, "line 5", "sent"]])] }))).toEqual(["lost"]);
});

test("a number without a message is a loss, whoever wrote it", () => {
  const holed: Partial<Rows> = { conversations: [{ ...talk, lastSeq: 5 }], messages };
  expect(kinds(goodHistory({ rows: holed }))).toContain("lost");
});

test("a row that one screen does not show is lost on it", () => {
  const shown = items(4).filter(([seq]) => seq !== 2);
  expect(kinds(goodHistory({ shown }))).toEqual(["lost"]);
});

test("a bubble that still waits after all was healed is lost", () => {
  expect(kinds(goodHistory({ shown: [...items(4), [null, "line 5", "failed"]] }))).toEqual(["lost"]);
});

test("a key with two rows is doubled, and so is one text under two keys", () => {
  const again = (key: string): Partial<Rows> => ({
    conversations: [{ ...talk, lastSeq: 5, readSeqs: { asha: 5, meera: 4 } }],
    messages: [...messages, { conversationId: "talk", seq: 5, senderId: "meera", key, label: "line 4" }],
  });
  for (const key of ["key 4", "another key"]) expect(kinds(goodHistory({ rows: again(key) }))).toContain("doubled");
});

test("a message that a screen shows twice is doubled, in the middle of a fault too", () => {
  expect(kinds(goodHistory({ early: [display([...items(2), [2, "line 2", "sent"]])] }))).toContain("doubled");
  expect(kinds(goodHistory({ early: [display([...items(2), [null, "line 2", "sending"]])] }))).toEqual(["doubled"]);
});

test("a connection that serves nobody any more is found", () => {
  const capacity = (serving: number) => ({ type: "capacity", at: 30, serving, wanted: 10 }) as const;
  expect(kinds(goodHistory({ early: [capacity(10)] }))).toEqual([]);
  expect(kinds(goodHistory({ early: [capacity(9)] }))).toEqual(["capacity"]);
});

test("a second text that was taken under a used key is found", () => {
  const taken = send(2, { label: "something else", mustFailWith: "CONFLICT" });
  expect(kinds(goodHistory({ more: [taken] }))).toContain("doubled");
});

test("messages that a screen shows in another order are reordered", () => {
  const [one, two, ...others] = items(4);
  if (!one || !two) throw new Error("there are four");
  expect(kinds(goodHistory({ early: [display([two, one, ...others])] }))).toEqual(["reordered"]);
  expect(kinds(goodHistory({ early: [display([[null, "line 3", "sending"], ...items(2)])] }))).toEqual(["reordered"]);
});

test("rows that stand in another order than they were written one after the other are reordered", () => {
  const swapped = messages.map((row) => ({ ...row, seq: row.seq === 1 ? 4 : row.seq === 4 ? 1 : row.seq }));
  expect(kinds(goodHistory({ rows: { conversations: [talk], messages: swapped } }))).toContain("reordered");
});

test("messages that were under way at the same time may stand in either order", () => {
  const atOnce = sends().map((operation) => ({ ...operation, start: 0, end: 100, answer: null }));
  expect(kinds(goodHistory({ operations: atOnce }))).toEqual([]);
});

test("a conversation of others on a screen is foreign", () => {
  const seen = { ...display(items(1)), tab: "Vikram/1", personId: "vikram" };
  expect(kinds(goodHistory({ early: [seen] }))).toEqual(["foreign"]);
  const listed = { type: "inbox" as const, tab: "Vikram/1", personId: "vikram", life: 0, at: 50, inbox: [line] };
  expect(kinds(goodHistory({ early: [listed] }))).toEqual(["foreign"]);
});

test("a message of another conversation in one's own is foreign", () => {
  const other = { conversationId: "other", seq: 1, senderId: "sita", key: "key 5", label: "line 5" };
  const two: Partial<Rows> = {
    conversations: [talk, { ...talk, id: "other", personIds: ["ravi", "sita"], lastSeq: 1, readSeqs: {} }],
    messages: [...messages, other],
  };
  const written = send(5, { personId: "sita", partnerId: "ravi", answer: { placeId: "other", seq: 1 } });
  const early = [display([...items(4), [5, "line 5", "sent"]])];
  expect(kinds(goodHistory({ rows: two, more: [written], early }))).toEqual(["foreign"]);
});

test("an outsider who is answered has got what is foreign, and one who is refused otherwise learns too much", () => {
  const probe = (change: Partial<Operation>) =>
    send(9, { operation: "probe", personId: "vikram", mustFailWith: "NOT_FOUND", answer: null, ...change });
  const tries = (change: Partial<Operation>) => kinds(goodHistory({ more: [probe(change)] }));
  expect(tries({ outcome: "ok" })).toEqual(["foreign"]);
  expect(tries({ outcome: "failed", code: "FORBIDDEN" })).toEqual(["refused"]);
  expect(tries({ outcome: "failed", code: "NOT_FOUND" })).toEqual([]);
  expect(tries({ outcome: "unknown" })).toEqual([]);
});

test("a message that somebody was refused, or nobody wrote, must not be stored", () => {
  const refused = sends().map((one) =>
    one.key === "key 4" ? { ...one, outcome: "failed" as const, answer: null } : one,
  );
  expect(kinds(goodHistory({ operations: refused }))).toEqual(["invented", "refused"]);
  expect(kinds(goodHistory({ operations: sends().slice(0, 3) }))).toEqual(["invented"]);
});

test("what nobody has answered may be stored or not", () => {
  const unanswered = sends().map((one) => ({ ...one, outcome: "unknown" as const, answer: null }));
  const never = send(5, { outcome: "unknown", answer: null });
  expect(kinds(goodHistory({ operations: [...unanswered, never] }))).toEqual([]);
});

test("a message that is stored under another number than was acknowledged has changed", () => {
  const moved = sends().map((one) => ({ ...one, answer: { placeId: "talk", seq: 1 } }));
  expect(kinds(goodHistory({ operations: moved }))).toEqual(["changed"]);
});

test("two ticks before anybody began to read are wrong", () => {
  expect(kinds(goodHistory({ early: [{ ...display(items(1)), at: 5 }] }))).toEqual(["tick"]);
});

test("a tick that goes away again is wrong", () => {
  const [first] = items(1);
  if (!first) throw new Error("there is one");
  expect(kinds(goodHistory({ early: [display([first]), display([[1, "line 1", "sent"]])] }))).toEqual(["tick"]);
});

test("one tick where the rows say read, and two where they do not, are wrong in the end", () => {
  const one = items(4).map(([seq, label]): ThreadItem => [seq, label, "sent"]);
  expect(kinds(goodHistory({ shown: one }))).toEqual(["tick"]);
  const unread: Partial<Rows> = { conversations: [{ ...talk, readSeqs: { asha: 4, meera: 2 } }], messages };
  const half = marks().map((mark) => (mark.personId === "meera" ? { ...mark, upToSeq: 2 } : mark));
  expect(kinds(goodHistory({ rows: unread, operations: [...sends(), ...half] }))).toContain("tick");
});

test("a message that goes from an open conversation has vanished; pages above may go", () => {
  const without = items(4).filter(([seq]) => seq !== 3);
  expect(kinds(goodHistory({ early: [display(items(4)), display(without)] }))).toEqual(["vanished"]);
  expect(kinds(goodHistory({ early: [display(items(4)), display(items(4).slice(2))] }))).toEqual([]);
});

test("a wrong unread count is found, in a conversation and over all of them", () => {
  expect(kinds(goodHistory({ inbox: [{ ...line, unread: 1 }] }))).toEqual(["unread"]);
  expect(kinds(goodHistory({ unreadTotal: 3 }))).toEqual(["unread"]);
  const early = {
    type: "inbox" as const,
    tab: "Asha/1",
    personId: "asha",
    life: 0,
    at: 50,
    inbox: [{ ...line, unread: 9 }],
  };
  expect(kinds(goodHistory({ early: [early] }))).toEqual(["unread"]);
});

test("a read mark that went back, or beyond what anybody asked for, is found", () => {
  const [back, beyond] = [2, 4].map((seq) => ({
    conversations: [{ ...talk, readSeqs: { asha: 4, meera: seq } }],
    messages,
  }));
  if (!back || !beyond) throw new Error("there are two");
  expect(kinds(goodHistory({ rows: back }))).toContain("read mark");
  const less = marks().map((mark) => ({ ...mark, upToSeq: 3 }));
  expect(kinds(goodHistory({ rows: beyond, operations: [...sends(), ...less] }))).toContain("read mark");
});

test("a conversation that is not listed is lost, and a list in another order is reordered", () => {
  expect(kinds(goodHistory({ inbox: [] }))).toEqual(["lost"]);
  const newer = {
    ...talk,
    id: "newer",
    personIds: ["asha", "ravi"] as const,
    lastSeq: 0,
    readSeqs: {},
    updatedAtMs: 9,
  };
  const inbox = [line, { id: "newer", partnerId: "ravi", unread: 0, lastSeq: 0, lastLabel: null }];
  expect(kinds(goodHistory({ rows: { conversations: [newer, talk], messages }, inbox }))).toEqual(["reordered"]);
});

test("a screen that is right too late is found, and the time counts from when its connection was back", () => {
  const late = { ...display(items(4)), at: 8_000 };
  expect(kinds(goodHistory({ early: [late], restedAt: 9_000 }))).toEqual(["late"]);
  const back = { type: "connection" as const, tab: "Asha/1", at: 7_000, isOpen: true };
  expect(kinds(goodHistory({ early: [back, late], restedAt: 9_000 }))).toEqual([]);
  expect(kinds(goodHistory({ isAtRest: false }))).toEqual(["late"]);
});

test("a round that does not come to rest is late with what is pending, and loses nothing that was acknowledged later", () => {
  const waiting: ThreadItem[] = [...items(4), [null, "line 5", "sending"]];
  const later = send(5, { end: 200 });
  expect(check(goodHistory({ isAtRest: false, more: [later], shown: waiting }))).toEqual([
    { kind: "late", detail: expect.stringContaining('"line 5" still waits on Asha/1') },
  ]);
});

test("a stream that leaves a message out has lost it, and one that tells it again doubles it", () => {
  const delivered = (seq: number) =>
    ({ type: "delivered", tab: "Asha/1", at: 50, conversationId: "talk", seq, previousSeq: 2 }) as const;
  expect(kinds(goodHistory({ early: [delivered(3)] }))).toEqual([]);
  expect(kinds(goodHistory({ early: [delivered(4)] }))).toEqual(["lost"]);
  expect(kinds(goodHistory({ early: [delivered(2)] }))).toEqual(["doubled"]);
});

test("an own stream that ends for good is found", () => {
  expect(kinds(goodHistory({ early: [{ type: "stream-end", tab: "Asha/1", at: 1, code: "NOT_FOUND" }] }))).toEqual([
    "refused",
  ]);
});

/** Each once, in the order of finding. */
function kinds(history: History): Violation["kind"][] {
  return [...new Set(check(history).map(({ kind }) => kind))];
}
