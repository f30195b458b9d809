import { type ReactNode, type RefObject, useEffect, useState } from "react";
import { useRowFocus } from "@/lib/use-row-focus";
import { toast } from "@/ui/toast";
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
  // As it is now: somebody else may have moved it.
  const live = asked && entries.find(({ key }) => key === asked.key);
  const isGone = asked !== null && !live;
  const title = asked?.title ?? "";
  useEffect(() => {
    if (!isGone) return;
    setAsked(null);
    toast.error(`Someone has moved or removed “${title}”.`);
  }, [isGone, title]);
  const focusTarget = useRowFocus(list, { rows: entries, fallback: () => list.current });
  return {
    actions: { ask: setAsked, later: (entry, by) => onMove(entry, shiftDay(entry.due, by)) },
    dialog: (
      <MoveDueDialog entry={live ?? null} onClose={() => setAsked(null)} onMove={onMove} finalFocus={focusTarget} />
    ),
  };
}
