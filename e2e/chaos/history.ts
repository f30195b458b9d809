/*
 * What a round writes down: what was asked of the servers and answered, what each screen displayed, and what the rows said
 * once everything had come to rest. Instants are milliseconds of the runner's one clock since the round began.
 */

export type Entry =
  | Operation
  | ThreadDisplay
  | InboxDisplay
  | ConnectionChange
  | Delivered
  | StreamEnd
  | Fault
  | Capacity
  | AtRest;

export interface History {
  seed: number;
  /** The names of what was done to the servers and connections. */
  faults: readonly string[];
  people: readonly Participant[];
  /** In the order in which they were written down. */
  entries: readonly Entry[];
}

export interface Participant {
  id: string;
  name: string;
  /** Whom they write with; nobody for outsiders. */
  partnerIds: readonly string[];
}

/** One call and its answer; each try of a message is one of its own, under the message's key. */
export interface Operation {
  type: "operation";
  tab: string;
  personId: string;
  operation: "send" | "start" | "markRead" | "probe";
  /** The `clientMessageId` of a message; what was tried by a probe; else the conversation's id. */
  key: string;
  partnerId: string | null;
  /** The first line of a message, which no other message has. */
  label: string | null;
  upToSeq: number | null;
  start: number;
  end: number;
  /** "failed": refused for certain; "unknown": no answer came, or one that does not tell. */
  outcome: "ok" | "failed" | "unknown";
  /** The code of the refusal. */
  code: string | null;
  /** The only refusal that is right here; null where all refusals are wrong. */
  mustFailWith: "NOT_FOUND" | "CONFLICT" | null;
  /** Where the message was put, as the server acknowledged it. */
  answer: { conversationId: string; seq: number } | null;
}

interface OnScreen {
  tab: string;
  personId: string;
  /** Counts the reloads of the tab. */
  life: number;
  at: number;
}

export interface ThreadDisplay extends OnScreen {
  type: "thread";
  /** Counts the openings of conversations in this life of the tab. */
  visit: number;
  thread: ThreadView;
}

export interface InboxDisplay extends OnScreen {
  type: "inbox";
  inbox: readonly InboxLine[];
}

/** An open conversation, from the top of what was read to the bottom. */
export interface ThreadView {
  partnerId: string;
  conversationId: string | null;
  items: readonly ThreadItem[];
  /** Whether it was read up to its first message. */
  isWhole: boolean;
}

/** The number (null until acknowledged), the label, and what stands beside the bubble. */
export type ThreadItem = readonly [seq: number | null, label: string, state: "sending" | "failed" | "sent" | "read"];

export interface InboxLine {
  id: string;
  partnerId: string;
  unread: number;
  lastSeq: number;
  lastLabel: string | null;
}

export interface ConnectionChange {
  type: "connection";
  tab: string;
  at: number;
  isOpen: boolean;
}

/** A message that the stream of an open conversation told. */
export interface Delivered {
  type: "delivered";
  tab: string;
  at: number;
  conversationId: string;
  seq: number;
  /** What it told before, through all reconnections; at first what it was asked to begin after. */
  previousSeq: number;
}

/** A stream of one's own that ended with an error that is not tried again. */
export interface StreamEnd {
  type: "stream-end";
  tab: string;
  at: number;
  code: string | null;
}

export interface Fault {
  type: "fault";
  name: string;
  at: number;
  phase: "begins" | "healed";
}

/** How many writes the servers had under way at once when more were called for, and how many connections one has for them. */
export interface Capacity {
  type: "capacity";
  at: number;
  serving: number;
  wanted: number;
}

/** Everything was at rest, or the wait for it was given up: the rows, and every screen at that moment. */
export interface AtRest {
  type: "at-rest";
  at: number;
  /** When the last fault was healed and the last new message was written. */
  healedAt: number;
  /** How long after that, or after its own connection was back, a screen may still change. */
  boundMs: number;
  isAtRest: boolean;
  rows: Rows;
  screens: readonly Screen[];
}

export interface Screen {
  tab: string;
  personId: string;
  inbox: readonly InboxLine[];
  thread: ThreadView | null;
  /** The badge over all conversations. */
  unreadTotal: number;
}

export interface Rows {
  /** The newest first. */
  conversations: readonly ConversationRow[];
  /** By conversation and number. */
  messages: readonly MessageRow[];
}

export interface ConversationRow {
  id: string;
  personIds: readonly [string, string];
  lastSeq: number;
  /** By person. */
  readSeqs: Readonly<Record<string, number>>;
  updatedAtMs: number;
}

export interface MessageRow {
  conversationId: string;
  seq: number;
  senderId: string;
  key: string;
  label: string;
}

/** Takes down what happens in one round. */
export interface Recorder {
  now(): number;
  write(entry: Entry): void;
  entries: readonly Entry[];
}

export function createRecorder(): Recorder {
  const begun = performance.now();
  const entries: Entry[] = [];
  return {
    now: () => Math.round((performance.now() - begun) * 10) / 10,
    write: (entry) => entries.push(entry),
    entries,
  };
}

/** What names a message on screens and in rows: texts may be long, their first lines are all different. */
export function labelOf(text: string): string {
  return text.split("\n", 1)[0] ?? "";
}
