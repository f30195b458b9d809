import type { Conversation, InboxChange } from "@server/contract/views";
import { replaceEqualDeep } from "@tanstack/react-query";

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
