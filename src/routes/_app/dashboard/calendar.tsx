import { createFileRoute } from "@tanstack/react-router";
import { ChevronLeft, ChevronRight } from "lucide-react";
import { useEffect, useRef } from "react";
import { Agenda } from "@/features/calendar/agenda";
import {
  type CalendarMonth,
  formatMonth,
  isMonthInReach,
  monthOf,
  shiftMonth,
} from "@/features/calendar/calendar-days";
import type { CalendarEntry } from "@/features/calendar/calendar-entries";
import { CalendarSwitch } from "@/features/calendar/calendar-switch";
import { MonthGrid } from "@/features/calendar/month-grid";
import { useCalendar, useMoveDue } from "@/features/calendar/use-calendar";
import { PanelLink } from "@/features/projects/project-link";
import { choice, optional, type RawSearch } from "@/lib/search";
import { useMedia } from "@/lib/use-media";
import { usePageSearch } from "@/lib/use-page-search";
import { useToday } from "@/lib/use-today";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { IconButton } from "@/ui/icon-button";
import { Skeleton } from "@/ui/skeleton";

const CALENDARS = ["month", "agenda"] as const;
const MONTH = /^[1-9]\d{3}-(?:0[1-9]|1[0-2])$/;

export const Route = createFileRoute("/_app/dashboard/calendar")({
  /** `calendar` has no default: the initial layout depends on the window's width. */
  validateSearch: ({ month, calendar }: RawSearch) =>
    optional({
      month: typeof month === "string" && MONTH.test(month) ? month : undefined,
      calendar: choice(calendar, CALENDARS),
    }),
  component: CalendarPage,
});

const NO_ENTRIES: readonly CalendarEntry[] = [];

/** Due dates as a month or an agenda; on a phone it starts as an agenda. */
function CalendarPage() {
  const [search, change] = usePageSearch(Route);
  const today = useToday();
  const isWide = useMedia("(width >= 48rem)");
  const month = search.month && isMonthInReach(search.month) ? search.month : monthOf(today);
  const variant = search.calendar ?? (isWide ? "month" : "agenda");
  function showMonth(next: CalendarMonth): void {
    const changes = { month: next === monthOf(today) ? undefined : next };
    // "Today" in the present month: Back must not lead to the same days.
    if (next === month) change.replace(changes);
    else change.push(changes);
  }
  return (
    <>
      <div className="mb-4 flex min-h-11 items-center justify-between gap-4 pointer-fine:min-h-9">
        <h1 tabIndex={-1} className="text-h1">
          Calendar
        </h1>
        <CalendarSwitch value={variant} onValueChange={(calendar) => change.replace({ calendar })} />
      </div>
      <MonthBar month={month} today={monthOf(today)} onMonthChange={showMonth} />
      <Days month={month} today={today} variant={variant} onMonthChange={showMonth} />
    </>
  );
}

type MonthBarProps = { month: CalendarMonth; today: CalendarMonth; onMonthChange: (month: CalendarMonth) => void };

function MonthBar({ month, today, onMonthChange }: MonthBarProps) {
  const step = (months: number) => {
    const next = shiftMonth(month, months);
    if (isMonthInReach(next)) onMonthChange(next);
  };
  return (
    <div className="mb-3 flex items-center gap-1">
      <h2 aria-live="polite" className="me-auto text-h3 max-[359px]:text-reading">
        {formatMonth(month)}
      </h2>
      <IconButton
        icon={ChevronLeft}
        label="Previous month"
        aria-disabled={!isMonthInReach(shiftMonth(month, -1))}
        onClick={() => step(-1)}
      />
      <Button onClick={() => onMonthChange(today)}>Today</Button>
      <IconButton
        icon={ChevronRight}
        label="Next month"
        aria-disabled={!isMonthInReach(shiftMonth(month, 1))}
        onClick={() => step(1)}
      />
    </div>
  );
}

type UnreadMonthProps = { error: unknown; busy: boolean; onRetry: () => void };

/** In place of a month that cannot be read. The focus that was in its days goes to Retry. */
function UnreadMonth({ error, busy, onRetry }: UnreadMonthProps) {
  const box = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (document.activeElement === document.body) box.current?.querySelector("button")?.focus();
  }, []);
  return (
    <div ref={box}>
      <ErrorState message={messageOf(error)} busy={busy} onRetry={onRetry} />
    </div>
  );
}

type DaysProps = {
  month: CalendarMonth;
  today: string;
  variant: "month" | "agenda";
  onMonthChange: (month: CalendarMonth) => void;
};

function Days({ month, today, variant, onMonthChange }: DaysProps) {
  const calendar = useCalendar(month);
  const moveDue = useMoveDue();
  const move = (entry: CalendarEntry, day: string) => moveDue({ entry, day });
  if (calendar.isLoadingError) {
    return <UnreadMonth error={calendar.error} busy={calendar.isFetching} onRetry={() => void calendar.refetch()} />;
  }
  if (variant === "month") {
    return (
      <MonthGrid
        month={month}
        entries={calendar.entries ?? NO_ENTRIES}
        today={today}
        busy={calendar.isPending || calendar.isPlaceholderData}
        link={PanelLink}
        onMonthChange={onMonthChange}
        onMove={move}
      />
    );
  }
  return (
    <Delayed
      pending={(calendar.data === undefined && calendar.isPending) || calendar.isPlaceholderData}
      label="Loading the agenda"
      skeleton={<AgendaSkeleton />}
    >
      {() => (
        <Agenda month={month} entries={calendar.entries ?? NO_ENTRIES} today={today} link={PanelLink} onMove={move} />
      )}
    </Delayed>
  );
}

const ROWS = ["first", "second", "third"];

function AgendaSkeleton() {
  return (
    <div className="grid gap-6">
      {ROWS.map((row) => (
        <div key={row}>
          <Skeleton className="mb-2 h-[21px] w-36" />
          <div className="flex h-[59px] items-center gap-3 rounded-card bg-raised px-4 shadow-1">
            <Skeleton className="size-[18px] shrink-0" />
            <Skeleton className="h-4 w-1/2" />
          </div>
        </div>
      ))}
    </div>
  );
}
