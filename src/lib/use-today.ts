import { useSyncExternalStore } from "react";
import { type CalendarDay, today } from "./format";

const CHECK_MS = 60_000;

/** The reader's calendar day; draws again when a page that stays open passes midnight. */
export function useToday(): CalendarDay {
  return useSyncExternalStore(watchClock, () => today());
}

const listeners = new Set<() => void>();
let timer: ReturnType<typeof setInterval> | undefined;

/** One clock for all who look at it: a list has hundreds. */
function watchClock(onTick: () => void): () => void {
  if (listeners.size === 0) {
    timer = setInterval(notifyAll, CHECK_MS);
    document.addEventListener("visibilitychange", notifyAll);
  }
  listeners.add(onTick);
  return () => {
    listeners.delete(onTick);
    if (listeners.size > 0) return;
    clearInterval(timer);
    document.removeEventListener("visibilitychange", notifyAll);
  };
}

function notifyAll(): void {
  for (const listener of listeners) listener();
}
