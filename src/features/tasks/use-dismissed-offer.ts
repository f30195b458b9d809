import { useCallback, useSyncExternalStore } from "react";
import { createStore } from "@/lib/store";

const STORAGE_KEY = "dismissedOffers";
/** Older ones stand there again. */
const MAX_OFFERS = 200;

const store = createStore((emit) => {
  // Another tab may have dismissed one.
  window.addEventListener("storage", emit);
  return () => window.removeEventListener("storage", emit);
});
/** For this visit, when storage is closed to us. */
let unstored: string | null = null;

/**
 * Whether somebody has said in this browser that this commit does not finish this task, and how to say so. Another commit that
 * names the task is another offer.
 */
export function useDismissedOffer({ taskId, sha }: { taskId: string; sha: string }): [boolean, () => void] {
  const offer = `${taskId}:${sha}`;
  const isDismissed = useSyncExternalStore(store.subscribe, () => read().split(" ").includes(offer));
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
