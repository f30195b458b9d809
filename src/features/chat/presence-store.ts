import type { PresenceEvent } from "@server/contract/views";
import { useSyncExternalStore } from "react";
import { createStore } from "@/lib/store";

/*
 * Which partners are online, and which are typing. Without a connection nobody is shown as online.
 */

const TYPING_MS = 6_000;
const NOBODY: ReadonlySet<string> = new Set();

let present = NOBODY;
/** By conversation: who is typing, and the timer that ends it. */
const typing = new Map<string, { userId: string; timer: ReturnType<typeof setTimeout> }>();
const store = createStore();

export function receivePresence(event: PresenceEvent): void {
  if (event.type === "everyone") present = new Set(event.userIds);
  else if (event.type === "presence") notePresence(event);
  else noteTyping(event);
  store.emit();
}

/** The connection is lost, or nobody looks at this page. */
export function forgetPresence(): void {
  present = NOBODY;
  for (const conversationId of [...typing.keys()]) endTyping(conversationId);
  store.emit();
}

/** The message that was being typed has arrived. */
export function stopTyping(conversationId: string): void {
  if (!typing.has(conversationId)) return;
  endTyping(conversationId);
  store.emit();
}

/** Whether that person is online. */
export function useIsOnline(userId: string): boolean {
  return useSyncExternalStore(
    store.subscribe,
    () => isOnline(userId),
    () => false,
  );
}

/** Whether the partner is typing in that conversation. */
export function useIsTyping(conversationId: string | null): boolean {
  return useSyncExternalStore(
    store.subscribe,
    () => conversationId !== null && isTyping(conversationId),
    () => false,
  );
}

/** As `useIsOnline`, at this moment. */
export function isOnline(userId: string): boolean {
  return present.has(userId);
}

/** As `useIsTyping`, at this moment. */
export function isTyping(conversationId: string): boolean {
  return typing.has(conversationId);
}

function notePresence({ userId, isPresent }: Extract<PresenceEvent, { type: "presence" }>): void {
  present = new Set(isPresent ? [...present, userId] : [...present].filter((id) => id !== userId));
  if (isPresent) return;
  for (const [conversationId, typist] of [...typing]) if (typist.userId === userId) endTyping(conversationId);
}

function noteTyping({ userId, conversationId }: Extract<PresenceEvent, { type: "typing" }>): void {
  endTyping(conversationId);
  typing.set(conversationId, { userId, timer: setTimeout(() => stopTyping(conversationId), TYPING_MS) });
}

function endTyping(conversationId: string): void {
  clearTimeout(typing.get(conversationId)?.timer);
  typing.delete(conversationId);
}
