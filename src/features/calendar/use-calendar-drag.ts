import { useEffect, useEffectEvent, useState } from "react";
import type { CalendarDay } from "@/lib/format";
import { useMedia } from "@/lib/use-media";
import type { CalendarEntry } from "./calendar-entries";
import type { MoveEntry } from "./entry-list";

/** What the month grid uses of the drag code once it is loaded. */
export type CalendarDrag = typeof import("./calendar-drag");

/** The drag code once it is loaded; null without a fine pointer or when nothing can be moved. */
export function useCalendarDrag(entries: readonly CalendarEntry[], onMove: MoveEntry): CalendarDrag | null {
  const [drag, setDrag] = useState<CalendarDrag | null>(null);
  const isFine = useMedia("(pointer: fine)");
  const isNeeded = isFine && entries.some(({ canEdit }) => canEdit);
  const drop = useEffectEvent((key: string, day: CalendarDay) => {
    const entry = entries.find((one) => one.key === key);
    if (entry?.canEdit) onMove(entry, day);
  });
  useEffect(() => {
    if (!isNeeded) return;
    // Without the code the menus still move entries.
    import("./calendar-drag").then(setDrag, () => undefined);
  }, [isNeeded]);
  const usable = isFine ? drag : null;
  useEffect(() => usable?.watchDrops((key, day) => drop(key, day)), [usable]);
  return usable;
}
