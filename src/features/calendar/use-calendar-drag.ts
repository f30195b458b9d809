import { useEffect, useRef, useState } from "react";
import { useMedia } from "@/lib/use-media";
import type { CalendarDrag } from "./calendar-drag";
import type { CalendarEntry } from "./calendar-entries";
import type { MoveEntry } from "./entry-list";

/** The code for dragging, once it is there; never for who has no fine pointer or nothing to move. */
export function useCalendarDrag(entries: readonly CalendarEntry[], onMove: MoveEntry): CalendarDrag | null {
  const [drag, setDrag] = useState<CalendarDrag | null>(null);
  const isFine = useMedia("(pointer: fine)");
  const isNeeded = isFine && entries.some(({ canEdit }) => canEdit);
  const latest = useRef({ entries, onMove });
  useEffect(() => {
    latest.current = { entries, onMove };
  });
  useEffect(() => {
    if (!isNeeded) return;
    // Without it everything is still reachable by the menus.
    import("./calendar-drag").then(setDrag, () => undefined);
  }, [isNeeded]);
  const usable = isFine ? drag : null;
  useEffect(
    () =>
      usable?.watchDrops((key, day) => {
        const entry = latest.current.entries.find((one) => one.key === key);
        if (entry?.canEdit) latest.current.onMove(entry, day);
      }),
    [usable],
  );
  return usable;
}
