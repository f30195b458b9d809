import { CalendarCheck } from "lucide-react";
import { type ReactNode, useId, useRef } from "react";
import type { ToProject } from "@/features/projects/to-project";
import type { CalendarDay } from "@/lib/format";
import { EmptyState } from "@/ui/empty-state";
import { type CalendarMonth, daysOf, describeDay, formatLongDay, formatMonth } from "./calendar-days";
import { byDueDay, type CalendarEntry } from "./calendar-entries";
import { EntryList, type MoveEntry } from "./entry-list";
import { useEntryMoves } from "./use-entry-moves";

type AgendaProps = {
  month: CalendarMonth;
  entries: readonly CalendarEntry[];
  today: CalendarDay;
  link: ToProject;
  onMove: MoveEntry;
};

/** The days of a month on which something is due, as a list. */
export function Agenda({ month, entries, today, link, onMove }: AgendaProps) {
  const list = useRef<HTMLDivElement>(null);
  const { actions, dialog } = useEntryMoves({ list, entries, onMove });
  const due = byDueDay(entries);
  const days = daysOf(month).filter((day) => due.has(day));
  if (days.length === 0) {
    return <EmptyState icon={CalendarCheck} message={`Nothing is due in ${formatMonth(month)}.`} />;
  }
  return (
    <div ref={list} tabIndex={-1} className="grid grid-cols-[minmax(0,1fr)] gap-6 outline-none">
      {days.map((day) => (
        <Day key={day} day={day} today={today}>
          <EntryList
            label={`Due on ${formatLongDay(day)}`}
            entries={due.get(day) ?? []}
            today={today}
            link={link}
            actions={actions}
          />
        </Day>
      ))}
      {dialog}
    </div>
  );
}

function Day({ day, today, children }: { day: CalendarDay; today: CalendarDay; children: ReactNode }) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <h3 id={headingId} className="mb-2 font-sans font-semibold text-body tracking-normal">
        <time dateTime={day}>{describeDay(day, today)}</time>
      </h3>
      <div className="rounded-card bg-raised px-4 shadow-1">{children}</div>
    </section>
  );
}
