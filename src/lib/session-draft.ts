/*
 * Words that somebody has typed and not sent, kept in this tab's sessionStorage: they outlive a closed layer, Back and a
 * reload, and end with the tab. Several forms may hold the same draft at once; each is told of what the others write.
 */

/** Who writes: a form is not told of its own words. */
export type DraftWriter = object;

type Listener = { writer: DraftWriter; onChange: () => void };

const listeners = new Map<string, Set<Listener>>();

/** What is kept, or null: nothing, or something that `parse` does not accept. */
export function readDraft<Draft>(key: string, parse: (kept: unknown) => Draft | null): Draft | null {
  const text = stored(key);
  if (text === null) return null;
  try {
    return parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Keeps it and tells the others; null forgets it. The same again is not told. */
export function writeDraft(key: string, draft: object | null, writer: DraftWriter): void {
  const text = draft === null ? null : JSON.stringify(draft);
  if (text === stored(key)) return;
  try {
    if (text === null) sessionStorage.removeItem(key);
    else sessionStorage.setItem(key, text);
  } catch {
    // A full or closed storage costs the draft, not the form.
    return;
  }
  for (const listener of [...(listeners.get(key) ?? [])]) if (listener.writer !== writer) listener.onChange();
}

/** Tells when somebody else has written or forgotten that draft. Returns how to stop. */
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
