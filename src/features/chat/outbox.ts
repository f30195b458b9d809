import { useSyncExternalStore } from "react";
import type { Unsent } from "./chat-cache";

/*
 * What this tab's person has written and the server has not acknowledged, in sessionStorage: it outlives a reload, and goes
 * again with the same `clientMessageId`, so that the server takes it once.
 */

const NONE: readonly Unsent[] = [];
const boxes = new Map<string, readonly Unsent[]>();
const watchers = new Set<() => void>();

/** In the order of writing. */
export function useUnsent(ownId: string): readonly Unsent[] {
  return useSyncExternalStore(watchOutbox, () => unsentOf(ownId));
}

/** In the order of writing. What was under way when the page was left counts as lost. */
export function unsentOf(ownId: string): readonly Unsent[] {
  const known = boxes.get(ownId);
  if (known) return known;
  const kept = stored(ownId);
  boxes.set(ownId, kept);
  return kept;
}

export function addUnsent(ownId: string, entry: Unsent): void {
  change(ownId, (entries) => [...entries, entry]);
}

export function patchUnsent(ownId: string, clientMessageId: string, patch: Partial<Unsent>): void {
  change(ownId, (entries) =>
    entries.map((entry) => (entry.clientMessageId === clientMessageId ? { ...entry, ...patch } : entry)),
  );
}

export function dropUnsent(ownId: string, clientMessageId: string): void {
  change(ownId, (entries) => entries.filter((entry) => entry.clientMessageId !== clientMessageId));
}

/** A key for a message. `randomUUID` exists on secure origins only, and an office may serve this over plain HTTP. */
export function newMessageId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  const hex = Array.from(bytes, (byte, at) => {
    const value = at === 6 ? (byte & 0x0f) | 0x40 : at === 8 ? (byte & 0x3f) | 0x80 : byte;
    return value.toString(16).padStart(2, "0");
  }).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

function change(ownId: string, next: (entries: readonly Unsent[]) => readonly Unsent[]): void {
  const entries = next(unsentOf(ownId));
  boxes.set(ownId, entries);
  try {
    if (entries.length === 0) sessionStorage.removeItem(keyOf(ownId));
    else sessionStorage.setItem(keyOf(ownId), JSON.stringify(entries));
  } catch {
    // A full or closed storage costs what a reload would bring back, not the sending.
  }
  for (const tell of [...watchers]) tell();
}

function stored(ownId: string): readonly Unsent[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(keyOf(ownId)) ?? "[]");
    if (!Array.isArray(kept)) return NONE;
    return kept.filter(isUnsent).map((entry) => (entry.state === "sending" ? { ...entry, state: "lost" } : entry));
  } catch {
    return NONE;
  }
}

function isUnsent(kept: unknown): kept is Unsent {
  if (typeof kept !== "object" || kept === null) return false;
  const entry: Partial<Record<keyof Unsent, unknown>> = kept;
  return (
    typeof entry.clientMessageId === "string" &&
    typeof entry.partnerId === "string" &&
    (entry.conversationId === null || typeof entry.conversationId === "string") &&
    typeof entry.text === "string" &&
    typeof entry.writtenAt === "string" &&
    (entry.state === "sending" || entry.state === "lost" || entry.state === "refused")
  );
}

function keyOf(ownId: string): string {
  return `outbox:${ownId}`;
}

function watchOutbox(watcher: () => void): () => void {
  watchers.add(watcher);
  return () => watchers.delete(watcher);
}
