import type { Conversation, ConversationEvent, InboxChange, Message } from "@server/contract/views";
import { replaceEqualDeep } from "@tanstack/react-query";
import type { Unsent } from "@/lib/outbox";
import { uniqueById } from "@/lib/unique-by-id";

export type UploadedFile = Message["files"][number];

/** Messages and read marks from a conversation's stream and from one's own calls, without the pages. */
export interface Received {
  /** In order of arrival, each once. */
  messages: readonly Message[];
  /** How far each participant has read, by user id. */
  readSeqs: Readonly<Record<string, number>>;
  /** The tasks that messages became, as far as that has changed since; by message. */
  chips: ReadonlyMap<string, Message["chip"]>;
}

/** A message written here that the server has not acknowledged. */
export interface UnsentMessage extends Unsent {
  clientMessageId: string;
  partnerId: string;
  /** Null when it begins the conversation. */
  conversationId: string | null;
  /** The writer covers that conversation: it is not their own one with the partner. */
  isCover?: boolean;
  text: string;
  /** Uploaded already. */
  files?: readonly UploadedFile[];
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

/**
 * Adds or replaces the conversation, newest first. Ignores a change that is older than the known state. One's own read mark counts
 * only between equals: it runs ahead of what is saved, and is taken back when it was not.
 */
export function putConversation(list: readonly Conversation[], changed: Conversation): Conversation[] {
  const known = list.find(({ id }) => id === changed.id);
  if (known && isEarlier(changed, known)) return [...list];
  const next = known && known.ownReadSeq > changed.ownReadSeq ? withOwnMark(changed, known.ownReadSeq) : changed;
  return byNewest([...list.filter(({ id }) => id !== changed.id), next]);
}

/** Adds, replaces or removes the conversation of a change. */
export function receiveChange(list: readonly Conversation[], change: InboxChange): Conversation[] {
  if (change.conversation) return putConversation(list, change.conversation);
  return list.filter(({ id }) => id !== change.removedId);
}

/**
 * For `structuralSharing` of the list: an answer may be older than what events have brought while it was on its way, and then
 * of each conversation the later state stays. One's own read mark is left out, since it is taken back when it was not saved.
 */
export function keepLater(before: unknown, answer: unknown): unknown {
  if (!isList(before) || !isList(answer)) return answer;
  const known = new Map(before.map((one) => [one.id, one]));
  const kept = answer.map((one) => {
    const earlier = known.get(one.id);
    known.delete(one.id);
    return earlier && progress(earlier) > progress(one) ? earlier : one;
  });
  // Only one that somebody covers goes away: another one that is missing began after the answer.
  const begun = [...known.values()].filter(({ coversFor }) => !coversFor);
  return replaceEqualDeep(before, byNewest([...kept, ...begun]));
}

function isList(data: unknown): data is Conversation[] {
  return Array.isArray(data);
}

/** Marks the conversation as read up to `upToSeq`; returns the same list when it was already. */
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

/** These numbers only grow, so of two states the one with the greater sum is later. */
function progress({ lastSeq, otherReadSeq }: Conversation): number {
  return lastSeq + otherReadSeq;
}

function isEarlier(one: Conversation, other: Conversation): boolean {
  return progress(one) < progress(other) || (progress(one) === progress(other) && one.ownReadSeq < other.ownReadSeq);
}

/** What has come since the mark is unread, as far as it is known. */
function withOwnMark(one: Conversation, ownReadSeq: number): Conversation {
  return { ...one, ownReadSeq, unreadCount: Math.min(one.unreadCount, Math.max(0, one.lastSeq - ownReadSeq)) };
}
