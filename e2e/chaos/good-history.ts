import type {
  AtRest,
  ConversationRow,
  Entry,
  History,
  InboxLine,
  MessageRow,
  Operation,
  Rows,
  Screen,
  ThreadDisplay,
  ThreadItem,
} from "./history";
import { NO_OVERVIEW_ROWS } from "./overview-history";

/*
 * A short history that keeps every promise, for the tests of the checker: Asha and Meera wrote two messages each and have read
 * them all; Vikram has no part in it.
 */

const people = [
  { id: "asha", name: "Asha", partnerIds: ["meera"], isClient: false, isAdmin: true, isInProject: true },
  { id: "meera", name: "Meera", partnerIds: ["asha"], isClient: true, isAdmin: false, isInProject: true },
  { id: "vikram", name: "Vikram", partnerIds: [], isClient: false, isAdmin: true, isInProject: false },
];
export const talk: ConversationRow = {
  id: "talk",
  personIds: ["asha", "meera"],
  lastSeq: 4,
  readSeqs: { asha: 4, meera: 4 },
  updatedAtMs: 4,
};
const senders = ["asha", "meera", "asha", "meera"];
export const messages: readonly MessageRow[] = senders.map((senderId, at) => ({
  conversationId: "talk",
  seq: at + 1,
  senderId,
  key: `key ${at + 1}`,
  label: `line ${at + 1}`,
}));
const NO_COMMENTS = { discussions: [], comments: [], notifications: [] };
const rows: Rows = { conversations: [talk], messages, ...NO_COMMENTS };

const NO_DISCUSSION = { discussion: null, streamed: null };

export const line: InboxLine = { id: "talk", partnerId: "meera", unread: 0, lastSeq: 4, lastLabel: "line 4" };

export function historyOf(entries: readonly Entry[]): History {
  return { seed: 1, faults: ["calm"], people, entries };
}

/** What Asha's screen shows of the first `count` messages once all are read. */
export function items(count: number): ThreadItem[] {
  return messages.slice(0, count).map(({ seq, label }) => [seq, label, "read"]);
}

/** Message `seq` is written from 10 × seq on and acknowledged 5 later. */
export function send(seq: number, change: Partial<Operation> = {}): Operation {
  const personId = senders[seq - 1] ?? "asha";
  return {
    type: "operation",
    tab: `${personId}/1`,
    personId,
    operation: "send",
    key: `key ${seq}`,
    partnerId: personId === "asha" ? "meera" : "asha",
    taskId: null,
    visibility: null,
    label: `line ${seq}`,
    upToSeq: null,
    start: seq * 10,
    end: seq * 10 + 5,
    outcome: "ok",
    code: null,
    mustFailWith: null,
    answer: { placeId: "talk", seq },
    ...change,
  };
}

export const sends = () => [1, 2, 3, 4].map((seq) => send(seq));

/** Both read everything before the screens of these tests are drawn. */
export function marks(): Operation[] {
  const mark = {
    operation: "markRead",
    key: "talk",
    label: null,
    answer: null,
    upToSeq: 4,
    start: 45,
    end: 48,
  } as const;
  return ["asha", "meera"].map((personId) => send(9, { ...mark, personId }));
}

export function display(shown: readonly ThreadItem[]): ThreadDisplay {
  const thread = { partnerId: "meera", conversationId: "talk", items: shown, isWhole: true };
  return { type: "thread", tab: "Asha/1", personId: "asha", life: 0, visit: 1, at: 50, thread };
}

interface Changes {
  /** Without those of comments, there are none. */
  rows?: Partial<Rows>;
  operations?: readonly Operation[];
  /** Besides the usual ones. */
  more?: readonly Operation[];
  early?: readonly Entry[];
  shown?: readonly ThreadItem[];
  inbox?: readonly InboxLine[];
  unreadTotal?: number;
  isAtRest?: boolean;
  restedAt?: number;
}

export function goodHistory(changes: Changes = {}): History {
  const { operations = [...sends(), ...marks()], more = [], early = [], shown = items(4), restedAt = 100 } = changes;
  const screen: Screen = {
    tab: "Asha/1",
    personId: "asha",
    inbox: changes.inbox ?? [line],
    thread: { partnerId: "meera", conversationId: "talk", items: shown, isWhole: true },
    unreadTotal: changes.unreadTotal ?? 0,
    ...NO_DISCUSSION,
  };
  const outside: Screen = {
    tab: "Vikram/1",
    personId: "vikram",
    inbox: [],
    thread: null,
    unreadTotal: 0,
    ...NO_DISCUSSION,
  };
  const atRest: AtRest = {
    type: "at-rest",
    at: restedAt,
    healedAt: 60,
    boundMs: 5_000,
    isAtRest: changes.isAtRest ?? true,
    rows: { ...rows, ...changes.rows },
    screens: [screen, outside],
    reads: [],
    overviews: { reads: [], rows: NO_OVERVIEW_ROWS },
  };
  const missing = operations.some(({ operation }) => operation === "markRead") ? [] : marks();
  return historyOf([...operations, ...missing, ...more, ...early, atRest]);
}
