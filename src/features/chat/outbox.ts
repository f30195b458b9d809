import { useCallback, useSyncExternalStore } from "react";
import { createStore } from "@/lib/store";
import type { Unsent } from "./chat-cache";

/*
 * Messages written in this browser that the server has not acknowledged, in localStorage: they outlive the tab and the
 * session, and every tab shows them. Each message has its own key, so that no tab overwrites what another one adds. A retry
 * has the same `clientMessageId`, so that the server stores the message once.
 */

/** Caches the parsed entries by owner: `useSyncExternalStore` needs the same array until something changes. */
const boxes = new Map<string, { snapshot: string; entries: readonly Unsent[] }>();
/** Messages by owner and storage key that could not be stored: kept for this visit only. */
const unstored = new Map<string, Record<string, string>>();
const NOTHING: readonly Unsent[] = [];
const store = createStore();

/** The person's unsent messages in all tabs, oldest first. */
export function useUnsent(ownId: string): readonly Unsent[] {
  const subscribe = useCallback((listener: () => void) => watchUnsent(ownId, listener), [ownId]);
  return useSyncExternalStore(
    subscribe,
    () => unsentOf(ownId),
    () => NOTHING,
  );
}

/** Oldest first; the same array until something changes. */
export function unsentOf(ownId: string): readonly Unsent[] {
  const texts = Object.entries({ ...readStored(ownId), ...unstored.get(ownId) });
  const snapshot = JSON.stringify(texts);
  const known = boxes.get(ownId);
  if (known?.snapshot === snapshot) return known.entries;
  const entries = texts.flatMap(([, text]) => parse(text) ?? []).sort(byWriting);
  boxes.set(ownId, { snapshot, entries });
  return entries;
}

/** Appends the message, even if the clock was set back. */
export function addUnsent(ownId: string, entry: Unsent): void {
  const last = unsentOf(ownId).at(-1)?.writtenAt ?? "";
  const writtenAt = entry.writtenAt > last ? entry.writtenAt : new Date(Date.parse(last) + 1).toISOString();
  write(ownId, { ...entry, writtenAt });
}

/** Does nothing if it has been removed meanwhile. */
export function patchUnsent(ownId: string, clientMessageId: string, patch: Partial<Unsent>): void {
  const entry = unsentOf(ownId).find((one) => one.clientMessageId === clientMessageId);
  if (entry) write(ownId, { ...entry, ...patch });
}

export function dropUnsent(ownId: string, clientMessageId: string): void {
  const key = prefixOf(ownId) + clientMessageId;
  delete unstored.get(ownId)?.[key];
  try {
    localStorage.removeItem(key);
  } catch {
    // Without storage it was never stored.
  }
  store.emit();
}

/** Calls back at every change, in this tab or another. Returns the function that unsubscribes. */
export function watchUnsent(ownId: string, listener: () => void): () => void {
  const stops = [store.subscribe(listener), onOtherTabsUnsent(ownId, listener)];
  return () => {
    for (const stop of stops) stop();
  };
}

/** Calls back when another tab has changed that person's outbox. Returns the function that unsubscribes. */
export function onOtherTabsUnsent(ownId: string, listener: () => void): () => void {
  function follow({ key }: StorageEvent): void {
    // A null key means that the other tab cleared the whole storage.
    if (key === null || key.startsWith(prefixOf(ownId))) listener();
  }
  window.addEventListener("storage", follow);
  return () => window.removeEventListener("storage", follow);
}

/** Whether this browser holds anything of that person that the server has not acknowledged. Parses nothing. */
export function holdsUnsent(ownId: string): boolean {
  return Object.keys(readStored(ownId)).length > 0;
}

/** The storage key of a message is this and its `clientMessageId`. */
function prefixOf(ownId: string): string {
  return `outbox:${ownId}:`;
}

function write(ownId: string, entry: Unsent): void {
  const key = prefixOf(ownId) + entry.clientMessageId;
  const text = JSON.stringify(entry);
  try {
    localStorage.setItem(key, text);
    delete unstored.get(ownId)?.[key];
  } catch {
    unstored.set(ownId, { ...unstored.get(ownId), [key]: text });
  }
  store.emit();
}

/** JSON texts by storage key. */
function readStored(ownId: string): Record<string, string> {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefixOf(ownId)));
    return Object.fromEntries(keys.map((key) => [key, localStorage.getItem(key) ?? ""]));
  } catch {
    return {};
  }
}

function byWriting(one: Unsent, other: Unsent): number {
  if (one.writtenAt !== other.writtenAt) return one.writtenAt < other.writtenAt ? -1 : 1;
  return one.clientMessageId < other.clientMessageId ? -1 : 1;
}

function parse(text: string): Unsent | null {
  try {
    const stored: unknown = JSON.parse(text);
    return isUnsent(stored) ? stored : null;
  } catch {
    return null;
  }
}

function isUnsent(stored: unknown): stored is Unsent {
  if (typeof stored !== "object" || stored === null) return false;
  const entry: Partial<Record<keyof Unsent, unknown>> = stored;
  return (
    typeof entry.clientMessageId === "string" &&
    typeof entry.partnerId === "string" &&
    (entry.conversationId === null || typeof entry.conversationId === "string") &&
    typeof entry.text === "string" &&
    typeof entry.writtenAt === "string" &&
    !Number.isNaN(Date.parse(entry.writtenAt)) &&
    (entry.isAnnounced === undefined || typeof entry.isAnnounced === "boolean") &&
    (entry.state === "sending" || entry.state === "lost" || entry.state === "refused")
  );
}
