import { useCallback, useSyncExternalStore } from "react";
import { createStore } from "@/lib/store";

const STORAGE_KEY = "dismissedOffers";
/** Older dismissals are forgotten. */
const MAX_OFFERS = 200;

const store = createStore((emit) => {
  // Another tab may have dismissed one.
  window.addEventListener("storage", emit);
  return () => window.removeEventListener("storage", emit);
});
/** Used for this visit when storage is not available. */
let unstored: string | null = null;

/**
 * Whether the offer to complete this task because of this commit was dismissed in this browser, and a function to dismiss it.
 * Another commit that names the task is another offer.
 */
export function useDismissedOffer({ taskId, sha }: { taskId: string; sha: string }): [boolean, () => void] {
  const offer = `${taskId}:${sha}`;
  const isDismissed = useSyncExternalStore(
    store.subscribe,
    () => read().split(" ").includes(offer),
    () => false,
  );
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
  store.emit();
}
