import { useCallback, useSyncExternalStore } from "react";
import { isRecord } from "@/client/is-record";
import { createStore } from "./store";

/*
 * What was written in this browser and the server has not acknowledged, in localStorage: it outlives the tab and the session,
 * and every tab shows it. Each entry has its own key, so that no tab overwrites what another one adds. A retry has the same
 * key, so that the server stores it once.
 */

/** What every entry of an outbox has, whatever it carries. */
export interface Unsent {
  /** ISO-8601 UTC, by this browser's clock. */
  writtenAt: string;
  /** "lost": no response, it is sent again automatically; "refused": it waits for Retry or Delete. */
  state: "sending" | "lost" | "refused";
  /** Why it was refused. */
  refusal?: string | undefined;
  /** It was refused for what is in it: Retry cannot help. */
  isFinal?: boolean | undefined;
  /** Its failure has been announced. */
  isAnnounced?: boolean;
}

type OutboxOptions<Entry extends Unsent> = {
  /** An entry is stored under `NAME:OWNER:KEY`. */
  name: string;
  /** By which the server knows a retry. */
  keyOf: (entry: Entry) => string;
  /** Entries of one queue are sent one by one, in the order in which they were written. */
  queueOf: (entry: Entry) => string;
  isEntry: (stored: unknown) => stored is Entry;
};

/** The entries of one kind, such as messages. Methods take the id of whoever wrote them. */
export interface Outbox<Entry extends Unsent> extends Pick<OutboxOptions<Entry>, "name" | "keyOf" | "queueOf"> {
  /** Oldest first; the same array until something changes. */
  entriesOf: (ownId: string) => readonly Entry[];
  /** Undefined once it has been removed. */
  find: (ownId: string, key: string) => Entry | undefined;
  /** Appends the entry, even if the clock was set back. */
  add: (ownId: string, entry: Entry) => void;
  /** Does nothing if it has been removed meanwhile. */
  patch: (ownId: string, key: string, patch: Partial<Unsent>) => void;
  remove: (ownId: string, key: string) => void;
  /** Calls back at every change, in this tab or another. Returns the function that unsubscribes. */
  watch: (ownId: string, listener: () => void) => () => void;
  /** Calls back when another tab has changed that person's entries. Returns the function that unsubscribes. */
  watchOtherTabs: (ownId: string, listener: () => void) => () => void;
  /** Whether this browser holds anything of that person that the server has not acknowledged. Parses nothing. */
  holdsAny: (ownId: string) => boolean;
}

/** Marks where an entry stands on the page: `{...unsentMark(key)}`. There it says itself why it was refused. */
export function unsentMark(key: string): { "data-unsent": string } {
  return { "data-unsent": key };
}

/** The state and time of something that is written now. */
export function newUnsent(): Unsent {
  return { writtenAt: new Date().toISOString(), state: "sending" };
}

/** For `isEntry`: whether it has what every entry has. */
export function isUnsent(stored: unknown): stored is Unsent {
  return (
    isRecord(stored) &&
    typeof stored.writtenAt === "string" &&
    !Number.isNaN(Date.parse(stored.writtenAt)) &&
    // The flags only have to be true or not.
    typeof (stored.refusal ?? "") === "string" &&
    (stored.state === "sending" || stored.state === "lost" || stored.state === "refused")
  );
}

/** The person's unsent entries in all tabs, oldest first. */
export function useUnsent<Entry extends Unsent>(outbox: Outbox<Entry>, ownId: string): readonly Entry[] {
  const subscribe = useCallback((listener: () => void) => outbox.watch(ownId, listener), [outbox, ownId]);
  return useSyncExternalStore(
    subscribe,
    () => outbox.entriesOf(ownId),
    () => NOTHING,
  );
}

const NOTHING: readonly never[] = [];

/** Each kind has one outbox, made where its entries are declared. */
export function createOutbox<Entry extends Unsent>({
  name,
  keyOf,
  queueOf,
  isEntry,
}: OutboxOptions<Entry>): Outbox<Entry> {
  /** Caches the parsed entries by owner: `useSyncExternalStore` needs the same array until something changes. */
  const parsed = new Map<string, { snapshot: string; entries: readonly Entry[] }>();
  const storage = createStorage((ownId) => `${name}:${ownId}:`);

  function entriesOf(ownId: string): readonly Entry[] {
    const texts = storage.read(ownId);
    const snapshot = JSON.stringify(texts);
    const known = parsed.get(ownId);
    if (known?.snapshot === snapshot) return known.entries;
    const entries = Object.values(texts).flatMap((text) => {
      const stored = parse(text);
      return isEntry(stored) ? stored : [];
    });
    entries.sort((one, other) => compare(one.writtenAt, other.writtenAt) || compare(keyOf(one), keyOf(other)));
    parsed.set(ownId, { snapshot, entries });
    return entries;
  }
  const write = (ownId: string, entry: Entry) => storage.write(ownId, keyOf(entry), JSON.stringify(entry));
  const find = (ownId: string, key: string) => entriesOf(ownId).find((entry) => keyOf(entry) === key);
  return {
    name,
    keyOf,
    queueOf,
    entriesOf,
    find,
    add(ownId, entry) {
      const last = entriesOf(ownId).at(-1)?.writtenAt ?? "";
      const writtenAt = entry.writtenAt > last ? entry.writtenAt : new Date(Date.parse(last) + 1).toISOString();
      write(ownId, { ...entry, writtenAt });
    },
    patch(ownId, key, patch) {
      const entry = find(ownId, key);
      if (entry) write(ownId, { ...entry, ...patch });
    },
    remove: storage.remove,
    watch: storage.watch,
    watchOtherTabs: storage.watchOtherTabs,
    holdsAny: storage.holdsAny,
  };
}

/** Texts by owner and key, in localStorage. What cannot be stored is kept for this visit only. */
function createStorage(prefixOf: (ownId: string) => string) {
  const unstored = new Map<string, Record<string, string>>();
  const store = createStore();

  function readStored(ownId: string): Record<string, string> {
    try {
      const keys = Object.keys(localStorage).filter((key) => key.startsWith(prefixOf(ownId)));
      return Object.fromEntries(keys.map((key) => [key, localStorage.getItem(key) ?? ""]));
    } catch {
      return {};
    }
  }
  function watchOtherTabs(ownId: string, listener: () => void): () => void {
    function follow({ key }: StorageEvent): void {
      // A null key means that the other tab cleared the whole storage.
      if (key === null || key.startsWith(prefixOf(ownId))) listener();
    }
    window.addEventListener("storage", follow);
    return () => window.removeEventListener("storage", follow);
  }
  return {
    read: (ownId: string) => ({ ...readStored(ownId), ...unstored.get(ownId) }),
    holdsAny: (ownId: string) => Object.keys(readStored(ownId)).length > 0,
    write(ownId: string, key: string, text: string): void {
      const storageKey = prefixOf(ownId) + key;
      try {
        localStorage.setItem(storageKey, text);
        delete unstored.get(ownId)?.[storageKey];
      } catch {
        unstored.set(ownId, { ...unstored.get(ownId), [storageKey]: text });
      }
      store.emit();
    },
    remove(ownId: string, key: string): void {
      const storageKey = prefixOf(ownId) + key;
      delete unstored.get(ownId)?.[storageKey];
      try {
        localStorage.removeItem(storageKey);
      } catch {
        // Without storage it was never stored.
      }
      store.emit();
    },
    watchOtherTabs,
    watch(ownId: string, listener: () => void): () => void {
      const stops = [store.subscribe(listener), watchOtherTabs(ownId, listener)];
      return () => {
        for (const stop of stops) stop();
      };
    },
  };
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
