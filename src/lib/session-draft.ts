import { useEffect, useEffectEvent, useMemo } from "react";

/*
 * Text that was typed but not sent, in sessionStorage: it survives a closed dialog, Back and a reload, and ends with the tab.
 * Several forms may show the same draft; each is notified of what the others write.
 */

/** Identifies a form, which is not notified of its own writes. */
export type DraftWriter = object;

type Listener = { writer: DraftWriter; onChange: () => void };

type DraftOptions<Draft> = {
  key: string;
  /** Must be stable between renders. */
  parse: (stored: unknown) => Draft | null;
  /** Another form wrote this draft, or deleted it (null). */
  onOther: (draft: Draft | null) => void;
};

const listeners = new Map<string, Set<Listener>>();

/** A form's draft, shared with every other form that uses the same key. */
export function useDraft<Draft extends object>({ key, parse, onOther }: DraftOptions<Draft>) {
  const notify = useEffectEvent(onOther);
  const draft = useMemo(() => {
    const writer: DraftWriter = {};
    return {
      writer,
      read: () => readDraft(key, parse),
      /** Null deletes it. */
      write: (next: Draft | null) => writeDraft(key, next, writer),
    };
  }, [key, parse]);
  useEffect(() => {
    return watchDraft(key, { writer: draft.writer, onChange: () => notify(draft.read()) });
  }, [key, draft]);
  return draft;
}

/** The stored draft; null when there is none or `parse` rejects it. */
export function readDraft<Draft>(key: string, parse: (stored: unknown) => Draft | null): Draft | null {
  const text = stored(key);
  if (text === null) return null;
  try {
    return parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** The keys of the drafts that begin so. */
export function draftKeys(beginning: string): string[] {
  try {
    const keys = Array.from({ length: sessionStorage.length }, (_, at) => sessionStorage.key(at) ?? "");
    return keys.filter((key) => key.startsWith(beginning));
  } catch {
    return [];
  }
}

/** Stores a draft and notifies the other forms; null deletes it. Writing the same value again notifies nobody. */
export function writeDraft(key: string, draft: object | null, writer: DraftWriter): void {
  const text = draft === null ? null : JSON.stringify(draft);
  if (text === stored(key)) return;
  try {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // Storage is full or disabled: the draft is lost, the form still works.
    return;
  }
  for (const listener of [...(listeners.get(key) ?? [])]) if (listener.writer !== writer) listener.onChange();
}

/** Calls back when another form writes or deletes that draft. Returns a function that stops watching. */
export function watchDraft(key: string, listener: Listener): () => void {
  const watching = listeners.get(key) ?? new Set();
  listeners.set(key, watching.add(listener));
  return () => {
    watching.delete(listener);
    if (watching.size === 0) listeners.delete(key);
  };
}

function stored(key: string): string | null {
  try {
    return sessionStorage.getItem(key);
  } catch {
    return null;
  }
}
