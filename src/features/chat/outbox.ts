import { useCallback, useSyncExternalStore } from "react";
import type { Unsent } from "./chat-cache";
import { onOtherTabsUnsent, outboxPrefix } from "./outbox-key";

/*
 * What a person has written in this browser and the server has not acknowledged, in localStorage: it outlives the tab and the
 * session, and every tab shows it. Each message has a key of its own, so that no tab writes over what another one adds; and it
 * goes again with the same `clientMessageId`, so that the server takes it once.
 */

/** What was read last of a person's box, so that the same is the same array. */
const boxes = new Map<string, { snapshot: string; entries: readonly Unsent[] }>();
/** A person's messages by storage key: for this visit, when the storage is full or closed to us. */
const unstored = new Map<string, Record<string, string>>();
const watchers = new Set<() => void>();

/** In the order of writing. Follows every tab. */
export function useUnsent(ownId: string): readonly Unsent[] {
  const watch = useCallback((watcher: () => void) => watchUnsent(ownId, watcher), [ownId]);
  return useSyncExternalStore(watch, () => unsentOf(ownId));
}

/** In the order of writing, as it is now in the storage; the same array until something changes. */
export function unsentOf(ownId: string): readonly Unsent[] {
  const texts = Object.entries({ ...readStored(ownId), ...unstored.get(ownId) });
  const snapshot = JSON.stringify(texts);
  const known = boxes.get(ownId);
  if (known?.snapshot === snapshot) return known.entries;
  const entries = texts.flatMap(([, text]) => parse(text) ?? []).sort(byWriting);
  boxes.set(ownId, { snapshot, entries });
  return entries;
}

/** Puts it at the end, whatever the clock says. */
export function addUnsent(ownId: string, entry: Unsent): void {
  const last = unsentOf(ownId).at(-1)?.writtenAt ?? "";
  const writtenAt = entry.writtenAt > last ? entry.writtenAt : new Date(Date.parse(last) + 1).toISOString();
  write(ownId, { ...entry, writtenAt });
}

/** Changes it, if it is still there. */
export function patchUnsent(ownId: string, clientMessageId: string, patch: Partial<Unsent>): void {
  const entry = unsentOf(ownId).find((one) => one.clientMessageId === clientMessageId);
  if (entry) write(ownId, { ...entry, ...patch });
}

export function dropUnsent(ownId: string, clientMessageId: string): void {
  const key = outboxPrefix(ownId) + clientMessageId;
  delete unstored.get(ownId)?.[key];
  try {
    localStorage.removeItem(key);
  } catch {
    // Then it was never there.
  }
  emit();
}

/** Tells of every change, in whichever tab. Returns how to stop. */
export function watchUnsent(ownId: string, watcher: () => void): () => void {
  watchers.add(watcher);
  const stop = onOtherTabsUnsent(ownId, watcher);
  return () => {
    stop();
    watchers.delete(watcher);
  };
}

function write(ownId: string, entry: Unsent): void {
  const key = outboxPrefix(ownId) + entry.clientMessageId;
  const text = JSON.stringify(entry);
  try {
    localStorage.setItem(key, text);
    delete unstored.get(ownId)?.[key];
  } catch {
    unstored.set(ownId, { ...unstored.get(ownId), [key]: text });
  }
  emit();
}

function emit(): void {
  for (const watcher of [...watchers]) watcher();
}

/** By storage key. */
function readStored(ownId: string): Record<string, string> {
  try {
    const keys = Object.keys(localStorage).filter((key) => key.startsWith(outboxPrefix(ownId)));
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
