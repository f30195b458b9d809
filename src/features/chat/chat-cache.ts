import type { Conversation, ConversationEvent, Message } from "@server/contract/views";

/** What a conversation's stream and one's own sends have brought beside the pages that were read. */
export interface Received {
  /** In the order of arrival, each once. */
  messages: readonly Message[];
  /** Up to where each participant has read, as far as it was told; by user id. */
  readSeqs: Readonly<Record<string, number>>;
}

/** Something written here that the server has not acknowledged. */
export interface Unsent {
  clientMessageId: string;
  partnerId: string;
  /** Null when the conversation begins with it. */
  conversationId: string | null;
  text: string;
  /** ISO-8601 UTC, by this browser's clock. */
  writtenAt: string;
  /** "lost": no answer came, so it goes again by itself; "refused": it waits for its writer. */
  state: "sending" | "lost" | "refused";
  /** Its writer has been told that it found no server. */
  isAnnounced?: boolean;
}

/** A message as the thread shows it. */
export interface ThreadMessage {
  /** The same before and after the server has acknowledged it. */
  key: string;
  /** Null until acknowledged. */
  seq: number | null;
  clientMessageId: string | null;
  senderId: string;
  text: string;
  /** ISO-8601 UTC. */
  timestamp: string;
  state: "sending" | "failed" | "sent" | "read";
}

export const NOTHING_RECEIVED: Received = { messages: [], readSeqs: {} };

/** With the event; the very same when it says nothing new. */
export function receive(received: Received, event: ConversationEvent): Received {
  if (event.type === "message") return receiveMessage(received, event.message);
  if (event.upToSeq <= (received.readSeqs[event.readerId] ?? 0)) return received;
  return { ...received, readSeqs: { ...received.readSeqs, [event.readerId]: event.upToSeq } };
}

/** With the message; the very same when it is known already. */
export function receiveMessage(received: Received, message: Message): Received {
  if (received.messages.some(({ id }) => id === message.id)) return received;
  return { ...received, messages: [...received.messages, message] };
}

type ThreadParts = {
  pages: readonly { items: readonly Message[] }[];
  received: Received;
  unsent: readonly Unsent[];
  ownId: string;
  /** Up to where the other one has read, as far as the conversation says. */
  otherReadSeq: number;
};

/**
 * Everything known of a conversation, each message once: by seq, which is the order that all screens share, then what is not
 * acknowledged in the order of writing. An acknowledged message takes the place of its bubble by its `clientMessageId`.
 */
export function threadOf({ pages, received, unsent, ownId, otherReadSeq }: ThreadParts): ThreadMessage[] {
  const messages = allMessages(pages, received);
  const readUpTo = Object.entries(received.readSeqs).reduce(
    (highest, [readerId, seq]) => (readerId === ownId ? highest : Math.max(highest, seq)),
    otherReadSeq,
  );
  const acknowledged = new Set(messages.map(({ clientMessageId }) => clientMessageId));
  return [
    ...messages.map((message) => sent(message, message.senderId === ownId && message.seq <= readUpTo)),
    ...unsent.filter(({ clientMessageId }) => !acknowledged.has(clientMessageId)).map((one) => waiting(one, ownId)),
  ];
}

/** Of both sources by seq, each once; without what was received in an earlier visit and lies below the pages of this one. */
export function allMessages(pages: readonly { items: readonly Message[] }[], received: Received): Message[] {
  const byId = new Map<string, Message>();
  for (const { items } of pages) for (const message of items) byId.set(message.id, message);
  const lowest = pages.at(-1)?.items[0]?.seq ?? 0;
  for (const message of received.messages) if (message.seq >= lowest) byId.set(message.id, message);
  return [...byId.values()].sort((one, other) => one.seq - other.seq);
}

/**
 * Up to where nothing is missing, 0 while no message is known: a stream that begins there leaves no hole. An own message may be
 * acknowledged before those below it are known.
 */
export function knownUpTo(messages: readonly Message[]): number {
  const hole = messages.findIndex(({ seq }, at) => seq > (messages[at - 1]?.seq ?? seq) + 1);
  return messages.at(hole === -1 ? -1 : hole - 1)?.seq ?? 0;
}

/** With the conversation as it was told, newest first. A late telling of something older changes nothing. */
export function putConversation(list: readonly Conversation[], changed: Conversation): Conversation[] {
  const known = list.find(({ id }) => id === changed.id);
  if (known && progress(known) > progress(changed)) return [...list];
  return byNewest([...list.filter(({ id }) => id !== changed.id), changed]);
}

/** As it is once its reader has seen everything up to there; the very same list when that is no news. */
export function markSeen(
  list: readonly Conversation[],
  { conversationId, upToSeq }: { conversationId: string; upToSeq: number },
): readonly Conversation[] {
  const known = list.find(({ id }) => id === conversationId);
  if (!known || known.ownReadSeq >= upToSeq) return list;
  const seen = { ...known, ownReadSeq: upToSeq, ...(upToSeq >= known.lastSeq && { unreadCount: 0 }) };
  return list.map((one) => (one.id === conversationId ? seen : one));
}

export function byNewest(list: readonly Conversation[]): Conversation[] {
  return [...list].sort((one, other) => Date.parse(other.updatedAt) - Date.parse(one.updatedAt));
}

/** Numbers of the server only grow: of two tellings the one with the greater sum is the later. */
function progress({ lastSeq, ownReadSeq, otherReadSeq }: Conversation): number {
  return lastSeq + ownReadSeq + otherReadSeq;
}

function sent(message: Message, isRead: boolean): ThreadMessage {
  const { id, seq, clientMessageId, senderId, text, timestamp } = message;
  const state = isRead || message.read ? "read" : "sent";
  return { key: clientMessageId ?? id, seq, clientMessageId, senderId, text, timestamp, state };
}

function waiting({ clientMessageId, text, writtenAt, state }: Unsent, ownId: string): ThreadMessage {
  return {
    key: clientMessageId,
    seq: null,
    clientMessageId,
    senderId: ownId,
    text,
    timestamp: writtenAt,
    state: state === "sending" ? "sending" : "failed",
  };
}
