import { type ReactNode, type RefObject, useState } from "react";
import { useRowFocus } from "@/lib/use-row-focus";
import { shiftDay } from "./calendar-days";
import type { CalendarEntry } from "./calendar-entries";
import type { EntryActions, MoveEntry } from "./entry-list";
import { MoveDueDialog } from "./move-due-dialog";

type EntryMovesOptions = {
  /** Focused when no entry is left; needs tabindex -1. */
  list: RefObject<HTMLElement | null>;
  entries: readonly CalendarEntry[];
  onMove: MoveEntry;
};

/** The actions of the menus in a list of entries. Render `dialog` outside the rows: a moved entry leaves its row. */
export function useEntryMoves({ list, entries, onMove }: EntryMovesOptions): {
  actions: EntryActions;
  dialog: ReactNode;
} {
  const [asked, setAsked] = useState<CalendarEntry | null>(null);
  const focusTarget = useRowFocus(list, { rows: entries, fallback: () => list.current });
  return {
    actions: { ask: setAsked, later: (entry, by) => onMove(entry, shiftDay(entry.due, by)) },
    dialog: <MoveDueDialog entry={asked} onClose={() => setAsked(null)} onMove={onMove} finalFocus={focusTarget} />,
  };
}
