import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";
import { shiftDay } from "./calendar-days";
import type { CalendarEntry } from "./calendar-entries";
import type { EntryActions, MoveEntry } from "./entry-list";
import { MoveDueDialog } from "./move-due-dialog";

const FOLLOW_TIMEOUT_MS = 1_000;

/**
 * What the menus of a list of entries do. A moved entry leaves its row, and its new one, if the list still shows it, takes
 * the focus; else the list does. Render `dialog` beside the list, outside of what goes with a row.
 */
export function useEntryMoves({
  list,
  onMove,
}: {
  /** Takes the focus: tabindex -1. */
  list: RefObject<HTMLElement | null>;
  onMove: MoveEntry;
}): { actions: EntryActions; dialog: ReactNode } {
  const [asked, setAsked] = useState<CalendarEntry | null>(null);
  const followed = useRef({ key: "", untilMs: 0 });

  function rowMenu(): HTMLElement | null {
    const row = `[data-entry="${followed.current.key}"]`;
    return list.current?.querySelector<HTMLElement>(`${row} [aria-haspopup]`) ?? list.current;
  }
  useLayoutEffect(() => {
    if (document.activeElement === document.body && performance.now() < followed.current.untilMs) rowMenu()?.focus();
  });
  function move(entry: CalendarEntry, day: string): void {
    followed.current = { key: entry.key, untilMs: performance.now() + FOLLOW_TIMEOUT_MS };
    onMove(entry, day);
  }
  return {
    actions: {
      ask(entry) {
        followed.current = { key: entry.key, untilMs: 0 };
        setAsked(entry);
      },
      later: (entry, by) => move(entry, shiftDay(entry.due, by)),
    },
    dialog: <MoveDueDialog entry={asked} onClose={() => setAsked(null)} onMove={move} finalFocus={rowMenu} />,
  };
}
