import type { Person, ProjectEvent } from "@server/contract/views";
import { History } from "lucide-react";
import { useId } from "react";
import { describeDay } from "@/features/calendar/calendar-days";
import { actorName, describeEvent } from "@/features/projects/describe-event";
import { useHistory } from "@/features/projects/use-history";
import { type CalendarDay, formatInstantLong, formatTime, today } from "@/lib/format";
import { useToday } from "@/lib/use-today";
import { Avatar } from "@/ui/avatar";
import { EmptyState } from "@/ui/empty-state";
import { PagedList } from "@/ui/paged-list";
import { Skeleton } from "@/ui/skeleton";
import { PanelLink } from "./project-link";

/** What happened in the signed-in person's projects, newest first, by day. */
export function RecentActivity() {
  const headingId = useId();
  const history = useHistory();
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="mb-2 text-reading">
        Recent activity
      </h2>
      <PagedList
        list={history}
        label="Loading activity"
        skeleton={<ActivitySkeleton />}
        empty={<EmptyState icon={History} message="What happens in your projects will appear here." />}
        size="sm"
      >
        {(events) => <Days events={events} people={history.people} />}
      </PagedList>
    </section>
  );
}

type DaysProps = { events: readonly ProjectEvent[]; people: readonly Person[] };

function Days({ events, people }: DaysProps) {
  const now = useToday();
  return (
    <div className="grid gap-2">
      {byDay(events).map(([day, done]) => (
        <div key={day}>
          <h3 className="mb-2 font-sans font-medium text-dense text-ink2 tracking-normal">{describeDay(day, now)}</h3>
          <ol>
            {done.map((event) => (
              <Event key={event.id} event={event} people={people} />
            ))}
          </ol>
        </div>
      ))}
    </div>
  );
}

function Event({ event, people }: { event: ProjectEvent; people: readonly Person[] }) {
  const name = actorName(event);
  const at = new Date(event.at);
  const isTaskThere = event.task !== null && event.kind !== "task.deleted";
  const taskKey = isTaskThere ? `${event.project.key}-${event.task?.number}` : undefined;
  return (
    <li className="group flex gap-3">
      <div className="flex flex-col items-center">
        <Avatar name={name} src={event.actor?.profileImgLink} />
        {/* The thread between two events of a day. */}
        <span aria-hidden="true" className="my-1 w-px flex-1 bg-brand group-last:hidden" />
      </div>
      <p className="min-w-0 flex-1 pt-1 pb-4 text-dense leading-5 text-ink2 [overflow-wrap:anywhere]">
        <bdi className="font-medium text-ink">{name}</bdi> {describeEvent(event, people)}
        {event.kind === "project.created" ? " " : " in "}
        <PanelLink
          projectId={event.project.id}
          taskKey={taskKey}
          className="text-ink underline decoration-line-strong underline-offset-3 hover:decoration-current"
        >
          <bdi>{event.project.title}</bdi>
        </PanelLink>
        {", "}
        <time dateTime={event.at} title={formatInstantLong(at)} className="text-ink3">
          {formatTime(at)}
        </time>
      </p>
    </li>
  );
}

/** By day in the reader's time zone, newest first. */
function byDay(events: readonly ProjectEvent[]): [CalendarDay, ProjectEvent[]][] {
  const days = new Map<CalendarDay, ProjectEvent[]>();
  for (const event of events) {
    const day = today(new Date(event.at));
    days.set(day, [...(days.get(day) ?? []), event]);
  }
  return [...days];
}

const SKELETON_KEYS = ["first", "second", "third", "fourth", "fifth"];

function ActivitySkeleton() {
  return (
    <div>
      <Skeleton className="mb-2 h-[18px] w-16" />
      {SKELETON_KEYS.map((key) => (
        <div key={key} className="flex h-11 gap-3">
          <Skeleton className="size-7 shrink-0" />
          <Skeleton className="mt-2 h-3.5 w-4/5" />
        </div>
      ))}
    </div>
  );
}
