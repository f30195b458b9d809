import { useCallback, useSyncExternalStore } from "react";

const STORAGE_KEY = "dismissedOffers";
/** Older ones stand there again. */
const MAX_OFFERS = 200;

const listeners = new Set<() => void>();
/** For this visit, when storage is closed to us. */
let unstored: string | null = null;

/**
 * Whether somebody has said in this browser that this commit does not finish this task, and how to say so. Another commit that
 * names the task is another offer.
 */
export function useDismissedOffer({ taskId, sha }: { taskId: string; sha: string }): [boolean, () => void] {
  const offer = `${taskId}:${sha}`;
  const isDismissed = useSyncExternalStore(subscribe, () => read().split(" ").includes(offer));
  const dismiss = useCallback(() => {
    const others = read()
      .split(" ")
      .filter((one) => one !== "" && one !== offer);
    write([offer, ...others].slice(0, MAX_OFFERS).join(" "));
  }, [offer]);
  return [isDismissed, dismiss];
}

function read(): string {
  if (unstored !== null) return unstored;
  try {
    return localStorage.getItem(STORAGE_KEY) ?? "";
  } catch {
    return "";
  }
}

function write(text: string): void {
  try {
    localStorage.setItem(STORAGE_KEY, text);
  } catch {
    unstored = text;
  }
  notifyAll();
}

function subscribe(listener: () => void): () => void {
  if (listeners.size === 0) window.addEventListener("storage", notifyAll);
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) window.removeEventListener("storage", notifyAll);
  };
}

/** Also of what another tab has written, whatever it is: whose answer stays the same does nothing. */
function notifyAll(): void {
  for (const listener of listeners) listener();
}
