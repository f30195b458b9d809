import { useCallback } from "react";
import type { ToProject } from "@/features/projects/to-project";
import { cn } from "@/lib/cn";
import type { CalendarDay } from "@/lib/format";
import { Skeleton } from "@/ui/skeleton";
import { VisuallyHidden } from "@/ui/visually-hidden";
import { dayNumber, formatLongDay } from "./calendar-days";
import { type CalendarEntry, describeDue, isOverdue } from "./calendar-entries";
import { EntryMark, EntryTitle } from "./entry-mark";
import type { CalendarDrag } from "./use-calendar-drag";

const MAX_ENTRIES = 3;

type MonthCellProps = {
  day: CalendarDay;
  entries: readonly CalendarEntry[];
  today: CalendarDay;
  /** The day belongs to the previous or next month. */
  isOutside: boolean;
  /** The grid's only tab stop. */
  isActive: boolean;
  /** Shows only the number of entries: no room for titles. */
  isSmall: boolean;
  /** Still loading. */
  isComing: boolean;
  drag: CalendarDrag | null;
  link: ToProject;
  onOpen: (day: CalendarDay) => void;
};

/** A day of the month: its number and its first three entries. */
export function MonthCell(props: MonthCellProps) {
  const { day, entries, today, isOutside, isActive, isSmall, isComing, drag, onOpen } = props;
  const target = useCallback(
    (cell: HTMLTableCellElement | null) => (cell && drag ? drag.dropOnDay(cell, day) : undefined),
    [drag, day],
  );
  const isToday = day === today;
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the grid handles the keys of all its days.
    <td
      ref={target}
      // biome-ignore lint/a11y/noNoninteractiveElementToInteractiveRole: a day of the APG's date grid.
      role="gridcell"
      tabIndex={isActive ? 0 : -1}
      data-day={day}
      aria-current={isToday ? "date" : undefined}
      onClick={() => entries.length > 0 && onOpen(day)}
      className={cn(
        "relative border-line border-t border-l p-1 align-top transition-colors duration-90 ease-out first:border-l-0",
        "focus-visible:-outline-offset-2 data-over:bg-brand-soft",
        isOutside ? "bg-canvas" : "bg-raised",
        isSmall ? "h-14" : "h-[108px]",
        entries.length > 0 && "cursor-pointer hover:bg-hover",
      )}
    >
      <div className={cn("flex items-center gap-1", isSmall ? "justify-center" : "justify-between")}>
        <VisuallyHidden>{`${formatLongDay(day)}, ${describeDue(entries, today)}. `}</VisuallyHidden>
        <span
          aria-hidden="true"
          className={cn(
            "grid h-6 min-w-6 place-items-center whitespace-nowrap rounded-pill px-1 text-meta",
            isToday ? "bg-brand font-semibold text-on-brand" : isOutside ? "text-ink3" : "text-ink2",
          )}
        >
          {isSmall ? Number(day.slice(-2)) : dayNumber(day)}
        </span>
        {!isSmall && entries.length > MAX_ENTRIES && (
          <More count={entries.length - MAX_ENTRIES} onOpen={() => onOpen(day)} />
        )}
      </div>
      {isComing && entries.length === 0 && (
        <Skeleton className={isSmall ? "mx-auto mt-0.5 h-4 w-5" : "mx-1 mt-1 h-4 w-3/5"} />
      )}
      {isSmall ? <Dots entries={entries} today={today} /> : <Titles {...props} />}
    </td>
  );
}

function More({ count, onOpen }: { count: number; onOpen: () => void }) {
  return (
    <button
      type="button"
      tabIndex={-1}
      onClick={(event) => {
        event.stopPropagation();
        onOpen();
      }}
      className="h-6 min-w-0 truncate rounded-check px-1.5 text-ink2 text-meta hover:bg-hover hover:text-ink"
    >{`+${count} more`}</button>
  );
}

function Titles({ entries, today, drag, link }: MonthCellProps) {
  if (entries.length === 0) return null;
  return (
    <ul>
      {entries.slice(0, MAX_ENTRIES).map((entry) => (
        <Title key={entry.key} entry={entry} today={today} drag={drag} link={link} />
      ))}
    </ul>
  );
}

type TitleProps = Pick<MonthCellProps, "today" | "drag" | "link"> & { entry: CalendarEntry };

function Title({ entry, today, drag, link: Link }: TitleProps) {
  const { key, canEdit } = entry;
  const handle = useCallback(
    (row: HTMLLIElement | null) => (row && drag && canEdit ? drag.dragEntry(row, key) : undefined),
    [drag, key, canEdit],
  );
  return (
    <li ref={handle} data-entry={key} className="rounded-check data-dragging:opacity-50">
      {/* The cell's own click opens the day. */}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: keeps the press on the link from the cell around it. */}
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: as above. */}
      <span onClick={(event) => event.stopPropagation()} className="block">
        <Link
          projectId={entry.projectId}
          taskKey={entry.taskKey}
          title={`${entry.title} · ${entry.subtitle}`}
          tabIndex={-1}
          className={cn(
            "flex h-6 min-w-0 items-center gap-1.5 rounded-check px-1 text-meta hover:bg-hover",
            entry.kind === "project" && "font-semibold",
            isOverdue(entry, today) && "bg-red-soft",
          )}
        >
          <EntryMark entry={entry} today={today} />
          {/* Relative: the visually hidden text after the title would otherwise widen the page. */}
          <span className="relative truncate">
            <EntryTitle entry={entry} today={today} />
          </span>
        </Link>
      </span>
    </li>
  );
}

/** The number of entries, coloured when one is overdue; screen readers get the text of the cell. */
function Dots({ entries, today }: Pick<MonthCellProps, "entries" | "today">) {
  if (entries.length === 0) return null;
  const isLate = entries.some((entry) => isOverdue(entry, today));
  const isOpen = entries.some(({ finished }) => !finished);
  return (
    <span
      aria-hidden="true"
      className={cn(
        "mx-auto mt-0.5 block w-fit min-w-5 rounded-pill px-1 text-center font-medium text-meta",
        isLate ? "bg-red-soft text-red" : isOpen ? "bg-grey-soft text-ink" : "text-ink3",
      )}
    >
      {entries.length}
    </span>
  );
}
