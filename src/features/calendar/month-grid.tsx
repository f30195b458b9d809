import { type ComponentProps, type KeyboardEvent, useRef, useState } from "react";
import type { ToProject } from "@/features/projects/to-project";
import type { CalendarDay } from "@/lib/format";
import { useMedia } from "@/lib/use-media";
import { useDelayedPhase } from "@/ui/delayed";
import { VisuallyHidden } from "@/ui/visually-hidden";
import { type CalendarMonth, formatMonth, monthOf, weekdays, weeksOf } from "./calendar-days";
import { byDueDay, type CalendarEntry } from "./calendar-entries";
import { DayDialog } from "./day-dialog";
import type { MoveEntry } from "./entry-list";
import { MonthCell } from "./month-cell";
import { cellOf, dayFor, useActiveDay } from "./use-active-day";
import { useCalendarDrag } from "./use-calendar-drag";

type MonthGridProps = {
  month: CalendarMonth;
  entries: readonly CalendarEntry[];
  today: CalendarDay;
  /** The days are loading, for the first time or for another month. */
  busy: boolean;
  link: ToProject;
  onMonthChange: (month: CalendarMonth) => void;
  onMove: MoveEntry;
};

/**
 * A month as weeks, with the keyboard pattern of the APG's date grid: arrows, Home and End within the week, Page Up and Page Down
 * by month, with Shift by year; Enter opens the day. Entries can be dragged to another day.
 */
export function MonthGrid({ month, entries, today, busy, link, onMonthChange, onMove }: MonthGridProps) {
  const grid = useRef<HTMLTableElement>(null);
  const { active, present, go } = useActiveDay({ month, today, grid, onMonthChange });
  const [opened, setOpened] = useState<CalendarDay | null>(null);
  const due = byDueDay(entries);
  const drag = useCalendarDrag(entries, onMove);
  const isComing = useDelayedPhase(busy) === "skeleton";

  function open(day: CalendarDay): void {
    go(day, { stays: true });
    setOpened(day);
  }
  function onKeyDown(event: KeyboardEvent<HTMLElement>): void {
    const { target } = event;
    // Links in a cell handle Enter themselves.
    if (!(target instanceof HTMLElement) || !target.dataset.day || event.altKey || event.ctrlKey || event.metaKey)
      return;
    const day = dayFor(event, present());
    if (day === null && event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
    if (day === null) open(active);
    else go(day);
  }
  return (
    <>
      <table
        ref={grid}
        // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: the APG's date grid is a table of this role.
        role="grid"
        aria-label={formatMonth(month)}
        aria-busy={busy}
        onKeyDown={onKeyDown}
        className="w-full table-fixed border-separate border-spacing-0 overflow-hidden rounded-card border border-line"
      >
        <Weekdays />
        <Weeks
          month={month}
          due={due}
          today={today}
          active={active}
          isComing={isComing}
          drag={drag}
          link={link}
          onOpen={open}
        />
      </table>
      <div role="status">{isComing && <VisuallyHidden>Loading the calendar</VisuallyHidden>}</div>
      {!busy && entries.length === 0 && (
        <p className="mt-4 text-center text-ink2">{`Nothing is due in ${formatMonth(month)}.`}</p>
      )}
      <DayDialog
        day={opened}
        entries={(opened !== null && due.get(opened)) || []}
        today={today}
        link={link}
        onMove={onMove}
        onClose={() => setOpened(null)}
        cell={() => cellOf(grid.current, active)}
      />
    </>
  );
}

function Weekdays() {
  return (
    <thead>
      <tr>
        {weekdays().map((name) => (
          <th
            key={name}
            scope="col"
            abbr={name}
            className="h-8 border-line border-l bg-sunken px-2 text-start font-medium text-ink2 text-meta first:border-l-0 max-sm:px-1 max-sm:text-center"
          >
            {name.slice(0, 3)}
          </th>
        ))}
      </tr>
    </thead>
  );
}

type WeeksProps = Pick<ComponentProps<typeof MonthCell>, "today" | "isComing" | "drag" | "link" | "onOpen"> & {
  month: CalendarMonth;
  due: ReturnType<typeof byDueDay>;
  active: CalendarDay;
};

function Weeks({ month, due, active, isComing, ...cell }: WeeksProps) {
  const isSmall = useMedia("(width < 48rem)");
  return (
    <tbody>
      {weeksOf(month).map((week) => (
        <tr key={week[0]}>
          {week.map((day, at) => (
            <MonthCell
              {...cell}
              key={day}
              day={day}
              entries={due.get(day) ?? []}
              isOutside={monthOf(day) !== month}
              isActive={day === active}
              isSmall={isSmall}
              // Every other day: a hint that entries are loading, not a wall of placeholders.
              isComing={isComing && at % 2 === 1}
            />
          ))}
        </tr>
      ))}
    </tbody>
  );
}
