import type { ConversationEvent, Message } from "@server/contract/views";
import { type CalendarDay, today as dayOf } from "@/lib/format";
import { uniqueById } from "@/lib/unique-by-id";
import type { UnsentMessage, UploadedFile } from "./outbox";
import { authorOf, type Origin, originOf, type ThreadPeople } from "./thread-people";

/** Messages and read marks from a conversation's stream and from one's own calls, without the pages. */
export interface Received {
  /** In order of arrival, each once. */
  messages: readonly Message[];
  /** How far each participant has read, by user id. */
  readSeqs: Readonly<Record<string, number>>;
  /** The tasks that messages became, as far as that has changed since; by message. */
  chips: ReadonlyMap<string, Message["chip"]>;
}

/** A message as shown in the thread. */
export interface ThreadMessage {
  /** The same before and after the acknowledgement. */
  key: string;
  /** Null until acknowledged. */
  id: string | null;
  /** Null until acknowledged. */
  seq: number | null;
  clientMessageId: string | null;
  senderId: string;
  from: Origin;
  /** The name of who wrote it; "You" for the reader. */
  author: string;
  /** Neither the reader nor the partner wrote it: its author's name is shown. */
  isByOther: boolean;
  text: string;
  /** The task that it became. */
  chip: Message["chip"];
  files: readonly UploadedFile[];
  /** ISO-8601 UTC. */
  timestamp: string;
  state: "sending" | "failed" | "sent" | "read";
  /** As it waits in the outbox; null once acknowledged. */
  unsent: UnsentMessage | null;
}

/** A message and what is shown above it. */
export interface ThreadRow {
  message: ThreadMessage;
  /** Set on the first message of its day. */
  day: CalendarDay | null;
  /** The first unread message when the conversation was opened. */
  isFirstNew: boolean;
  /** Not sent right after another message by the same person. */
  startsGroup: boolean;
}

export const NOTHING_RECEIVED: Received = { messages: [], readSeqs: {}, chips: new Map() };

/** Adds the event; returns the same object when nothing is new. */
export function receive(received: Received, event: ConversationEvent): Received {
  if (event.type === "message") return receiveMessage(received, event.message);
  if (event.type === "chip") return { ...received, chips: new Map([...received.chips, [event.messageId, event.chip]]) };
  if (event.upToSeq <= (received.readSeqs[event.readerId] ?? 0)) return received;
  return { ...received, readSeqs: { ...received.readSeqs, [event.readerId]: event.upToSeq } };
}

/** Adds the message; returns the same object when it is known. */
export function receiveMessage(received: Received, message: Message): Received {
  if (received.messages.some(({ id }) => id === message.id)) return received;
  return { ...received, messages: [...received.messages, message] };
}

/** Pages and received messages by seq, each once. Leaves out what an earlier visit received and this one's pages do not reach. */
export function allMessages(pages: readonly { items: readonly Message[] }[], received: Received): Message[] {
  const lowest = pages.at(-1)?.items[0]?.seq ?? 0;
  const paged = pages.flatMap(({ items }) => items);
  // Of two copies the later is the one that is read: the answer to a message that was sent again may be older than the page.
  const readIds = new Set(paged.flatMap(({ id, read }) => (read ? id : [])));
  const shown = received.messages.filter(({ id, seq, read }) => seq >= lowest && (read || !readIds.has(id)));
  return uniqueById([...paged, ...shown]).sort((one, other) => one.seq - other.seq);
}

/**
 * The last number before the first gap, 0 without messages: a stream that begins there misses nothing. A gap is possible, as an
 * own message may be acknowledged before those below it arrive.
 */
export function knownUpTo(messages: readonly Message[]): number {
  const gap = messages.findIndex(({ seq }, at) => seq > (messages[at - 1]?.seq ?? seq) + 1);
  return messages.at(gap === -1 ? -1 : gap - 1)?.seq ?? 0;
}

const GROUP_MS = 5 * 60_000;
const MAX_LINES = 20;

const NO_FILES: readonly UploadedFile[] = [];

type ThreadParts = {
  pages: readonly { items: readonly Message[] }[];
  received: Received;
  unsent: readonly UnsentMessage[];
  people: ThreadPeople;
  /** How far the partner has read, from the conversation list. */
  otherReadSeq: number;
};

/**
 * The messages of a conversation, each once: by seq, then the unsent ones in the order they were written. An acknowledged
 * message replaces the unsent one with its `clientMessageId`.
 */
export function threadOf({ pages, received, unsent, people, otherReadSeq }: ThreadParts): ThreadMessage[] {
  const messages = allMessages(pages, received);
  const readUpTo = Math.max(otherReadSeq, received.readSeqs[people.partner.id] ?? 0);
  const acknowledged = new Set(messages.map(({ clientMessageId }) => clientMessageId));
  return [
    ...messages.map((message) => sent(message, { people, readUpTo, chips: received.chips })),
    ...unsent
      .filter(({ clientMessageId }) => !acknowledged.has(clientMessageId))
      .map((one) => waiting(one, people.ownId)),
  ];
}

/**
 * The thread with its date separators, its "New" line and its groups. No line when `newFromSeq` is null, or below the loaded
 * messages.
 */
export function rowsOf(messages: readonly ThreadMessage[], { newFromSeq }: { newFromSeq: number | null }): ThreadRow[] {
  const firstNew =
    newFromSeq === null || (messages[0]?.seq ?? 0) > newFromSeq
      ? undefined
      : messages.find((message) => message.seq !== null && message.seq >= newFromSeq && isFromOthers(message));
  return messages.map((message, at) => {
    const before = messages[at - 1];
    const day = dayOf(new Date(message.timestamp));
    const isNewDay = !before || dayOf(new Date(before.timestamp)) !== day;
    const isFirstNew = message === firstNew;
    return {
      message,
      day: isNewDay ? day : null,
      isFirstNew,
      startsGroup: isNewDay || isFirstNew || !before || !goesTogether(before, message),
    };
  });
}

/** Whether it may be new to the reader: neither their own nor a line of the server. */
export function isFromOthers({ from }: Pick<ThreadMessage, "from">): boolean {
  return from === "theirs" || from === "ours";
}

/**
 * The others' messages after `newAfterSeq`, for screen readers: at most 20, then it starts over, as some screen readers repeat a
 * growing list from its beginning. `messages` by seq.
 */
export function linesToRead(
  messages: readonly Message[],
  { newAfterSeq, ownId }: { newAfterSeq: number; ownId: string },
): readonly Message[] {
  const firstNew = messages.findLastIndex(({ seq }) => seq <= newAfterSeq) + 1;
  const lines = messages.slice(firstNew).filter(({ senderId, kind }) => senderId !== ownId || kind === "system");
  return lines.slice(lines.length - (((lines.length - 1) % MAX_LINES) + 1));
}

function sent(
  message: Message,
  { people, readUpTo, chips }: { people: ThreadPeople; readUpTo: number; chips: Received["chips"] },
): ThreadMessage {
  // Of a server of the version before a message comes without files and chip.
  const { id, seq, clientMessageId, senderId, text, files = NO_FILES, chip = null, timestamp } = message;
  const changed = chips.get(id);
  const from = originOf(message, people);
  const isRead = from !== "theirs" && seq <= readUpTo;
  return {
    key: clientMessageId ?? id,
    id,
    seq,
    clientMessageId,
    senderId,
    from,
    author: authorOf(message, people),
    isByOther: senderId !== people.ownId && senderId !== people.partner.id,
    text,
    chip: changed === undefined ? chip : changed,
    files,
    timestamp,
    state: isRead || message.read ? "read" : "sent",
    unsent: null,
  };
}

function waiting(unsent: UnsentMessage, ownId: string): ThreadMessage {
  const { clientMessageId, text, files = NO_FILES, writtenAt, state } = unsent;
  return {
    key: clientMessageId,
    id: null,
    seq: null,
    clientMessageId,
    senderId: ownId,
    from: "self",
    author: "You",
    isByOther: false,
    text,
    chip: null,
    files,
    timestamp: writtenAt,
    state: state === "sending" ? "sending" : "failed",
    unsent,
  };
}

function goesTogether(before: ThreadMessage, message: ThreadMessage): boolean {
  const apartMs = Date.parse(message.timestamp) - Date.parse(before.timestamp);
  return before.senderId === message.senderId && before.from === message.from && apartMs < GROUP_MS;
}
