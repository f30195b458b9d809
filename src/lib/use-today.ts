import { useSyncExternalStore } from "react";
import { type CalendarDay, today } from "./format";

const CHECK_MS = 60_000;

/** The reader's calendar day; draws again when a page that stays open passes midnight. */
export function useToday(): CalendarDay {
  return useSyncExternalStore(watchClock, () => today());
}

function watchClock(onTick: () => void): () => void {
  const timer = setInterval(onTick, CHECK_MS);
  document.addEventListener("visibilitychange", onTick);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", onTick);
  };
}
