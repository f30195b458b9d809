import type { AuditEvent } from "@server/contract/views";
import { Link } from "@tanstack/react-router";
import { ScrollText, Server } from "lucide-react";
import { memo, useId } from "react";
import { describeDay } from "@/features/calendar/calendar-days";
import { cn } from "@/lib/cn";
import { type CalendarDay, formatInstantLong, formatTime, today } from "@/lib/format";
import { useToday } from "@/lib/use-today";
import { Avatar } from "@/ui/avatar";
import { EmptyState } from "@/ui/empty-state";
import { PagedList } from "@/ui/paged-list";
import { Skeleton } from "@/ui/skeleton";
import { AuditFilters, ClearFilters } from "./audit-filters";
import { actorName, describeAction, signOffOf } from "./audit-text";
import { type AuditFilter, useAudit, useAuditChanges } from "./use-audit";

const LIST = "overflow-hidden rounded-card border border-line bg-raised";

type AuditLogProps = { filter: AuditFilter; onFilterChange: (filter: AuditFilter) => void };

/** Who did what to whom, by day, newest first. */
export function AuditLog({ filter, onFilterChange }: AuditLogProps) {
  useAuditChanges();
  const audit = useAudit(filter);
  const isFiltered = filter.personId !== undefined || filter.kind !== undefined;
  return (
    <>
      <div className="mb-4">
        <AuditFilters
          filter={filter}
          onChange={onFilterChange}
          events={audit.items ?? []}
          clearable={isFiltered && audit.items?.length !== 0}
        />
      </div>
      <PagedList
        list={audit}
        label="Loading the audit"
        skeleton={<LogSkeleton />}
        empty={
          <EmptyState
            icon={ScrollText}
            message={isFiltered ? "Nothing matches these filters" : "Nothing has been recorded yet"}
            action={isFiltered && <ClearFilters onClear={() => onFilterChange({})} />}
          />
        }
      >
        {(events) => (
          <div aria-busy={audit.isStale} className="grid grid-cols-1 gap-5 aria-busy:opacity-65">
            <Days events={events} />
          </div>
        )}
      </PagedList>
    </>
  );
}

function Days({ events }: { events: readonly AuditEvent[] }) {
  const now = useToday();
  return byDay(events).map(([day, ofDay]) => <Day key={day} day={day} now={now} events={ofDay} />);
}

function Day({ day, now, events }: { day: CalendarDay; now: CalendarDay; events: readonly AuditEvent[] }) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="mb-2 font-medium font-sans text-dense text-ink2 tracking-normal">
        {describeDay(day, now)}
      </h2>
      <ol aria-labelledby={headingId} className={LIST}>
        {events.map((event) => (
          <Line key={event.id} event={event} />
        ))}
      </ol>
    </section>
  );
}

/** Memoized, since lists grow long. */
const Line = memo(
  function Line({ event }: { event: AuditEvent }) {
    const { at, actor } = event;
    const { before, name, after } = describeAction(event);
    const signOffId = signOffOf(event);
    return (
      <li className={cn("flex items-start gap-3 border-line border-t px-3 py-2.5 first:border-t-0 sm:px-4", SKIPPED)}>
        <Avatar name={actorName(event)} src={actor?.profileImgLink} icon={actor ? undefined : Server} />
        <p className="min-w-0 flex-1 pt-[3px] text-ink2 [overflow-wrap:anywhere]">
          <bdi className="font-medium text-ink">{actorName(event)}</bdi> {before}
          {name !== undefined &&
            (signOffId ? (
              <Link
                to="/sign-offs/$signOffId"
                params={{ signOffId }}
                className="font-medium text-brand-text underline underline-offset-3"
              >
                <bdi>{name}</bdi>
              </Link>
            ) : (
              <bdi className="font-medium text-ink">{name}</bdi>
            ))}
          {after}
        </p>
        <time dateTime={at} title={formatInstantLong(at)} className="shrink-0 pt-1 text-dense text-ink3">
          {formatTime(at)}
        </time>
      </li>
    );
  },
  ({ event: one }, { event: other }) =>
    one.id === other.id && one.subject.name === other.subject.name && one.actor?.name === other.actor?.name,
);

/** Skips layout and paint while out of view; the heights, of two lines on a phone, are without the padding. */
const SKIPPED =
  "[content-visibility:auto] [contain-intrinsic-height:auto_45px] sm:[contain-intrinsic-height:auto_28px]";

/** Groups by the reader's calendar days, newest first. */
function byDay(events: readonly AuditEvent[]): [CalendarDay, AuditEvent[]][] {
  const days = new Map<CalendarDay, AuditEvent[]>();
  for (const event of events) {
    const day = today(new Date(event.at));
    const ofDay = days.get(day);
    if (ofDay) ofDay.push(event);
    else days.set(day, [event]);
  }
  return [...days];
}

const SKELETON_ROWS = ["first", "second", "third", "fourth", "fifth", "sixth"];

function LogSkeleton() {
  return (
    <div>
      <Skeleton className="mb-2 h-[18px] w-20" />
      <div className={LIST}>
        {SKELETON_ROWS.map((row) => (
          <div
            key={row}
            className="flex h-[49px] items-center gap-3 border-line border-t px-3 first:border-t-0 sm:px-4"
          >
            <Skeleton className="size-7 shrink-0 rounded-avatar" />
            <Skeleton className="h-4 w-3/5" />
            <Skeleton className="ms-auto h-3.5 w-10" />
          </div>
        ))}
      </div>
    </div>
  );
}
