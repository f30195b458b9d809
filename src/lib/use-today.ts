import { useSyncExternalStore } from "react";
import { currentDrawing } from "./drawing";
import { type CalendarDay, today } from "./format";
import { createStore } from "./store";

const CHECK_MS = 60_000;

/** The reader's calendar day; draws again when a page that stays open passes midnight. */
export function useToday(): CalendarDay {
  return useSyncExternalStore(clock.subscribe, today, drawnDay);
}

function drawnDay(): CalendarDay {
  return currentDrawing()?.day ?? today();
}

/** One clock for all components: a list has hundreds. */
export const clock = createStore((emit) => {
  const timer = setInterval(emit, CHECK_MS);
  document.addEventListener("visibilitychange", emit);
  return () => {
    clearInterval(timer);
    document.removeEventListener("visibilitychange", emit);
  };
});
