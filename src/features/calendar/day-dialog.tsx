import { type MouseEvent, useRef } from "react";
import { markOpener, type ToProject } from "@/features/projects/to-project";
import type { CalendarDay } from "@/lib/format";
import { setStandIn } from "@/lib/use-opener";
import { Dialog } from "@/ui/dialog";
import { useLast } from "@/ui/use-last";
import { formatLongDay } from "./calendar-days";
import type { CalendarEntry } from "./calendar-entries";
import { EntryList, type MoveEntry } from "./entry-list";
import { useEntryMoves } from "./use-entry-moves";

type DayDialogProps = {
  /** Null closes the dialog. */
  day: CalendarDay | null;
  entries: readonly CalendarEntry[];
  today: CalendarDay;
  link: ToProject;
  onMove: MoveEntry;
  onClose: () => void;
  /** The day's cell, which is focused when this dialog, or a panel opened from it, closes. */
  cell: () => HTMLElement | null;
};

/** Everything due on one day. */
export function DayDialog({ day, entries, today, link, onMove, onClose, cell }: DayDialogProps) {
  const list = useRef<HTMLDivElement>(null);
  const { actions, dialog } = useEntryMoves({ list, entries, onMove });
  const shown = useLast(day, day !== null);

  /** A link that opens its panel or task closes the dialog; one that opens a new tab does not. */
  function onClick(event: MouseEvent<HTMLElement>): void {
    const { target } = event;
    const pressed = target instanceof Element ? target.closest("a") : null;
    if (!event.defaultPrevented || !pressed) return;
    const key = pressed.closest<HTMLElement>("[data-row]")?.dataset.row;
    const entry = entries.find((one) => one.key === key);
    const opener = cell();
    if (entry && opener) {
      markOpener(opener, entry.projectId);
      setStandIn(pressed, opener);
    }
    onClose();
  }
  return (
    <Dialog
      open={day !== null}
      onOpenChange={(open) => !open && onClose()}
      size="sm"
      title={shown ? formatLongDay(shown) : ""}
      finalFocus={cell}
    >
      {/* biome-ignore lint/a11y/noStaticElementInteractions: handles clicks on links, which work by keyboard too. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: Enter on a link is a click. */}
      <div ref={list} tabIndex={-1} onClick={onClick} className="outline-none">
        {entries.length === 0 && <p className="py-2 text-ink2">Nothing is due on this day.</p>}
        <EntryList
          label={shown ? `Due on ${formatLongDay(shown)}` : ""}
          entries={entries}
          today={today}
          link={link}
          actions={actions}
        />
      </div>
      {dialog}
    </Dialog>
  );
}
