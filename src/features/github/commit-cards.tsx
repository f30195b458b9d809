import type { Commit } from "@server/contract/views";
import { memo, useId } from "react";
import { describeDay } from "@/features/calendar/calendar-days";
import { cn } from "@/lib/cn";
import { type CalendarDay, formatInstantLong } from "@/lib/format";
import { useProgressiveCount } from "@/lib/use-progressive-count";
import { rowMark } from "@/lib/use-row-focus";
import { useToday } from "@/lib/use-today";
import { Avatar } from "@/ui/avatar";
import { Skeleton } from "@/ui/skeleton";
import { CommitFacts, CommitLink, CommitMessage, CommitSkeletons, CommitTasks } from "./commit-parts";
import { authorOf, byDay, commitKey } from "./commit-text";

/** More than a first screen; then the number added at a time. */
const GROWTH = { first: 24, step: 48 };
const LIST = "overflow-hidden rounded-card border border-line bg-raised";
/** Skips layout and paint while off screen. */
const SKIPPED =
  "[content-visibility:auto] [contain-intrinsic-height:auto_132px] sm:[contain-intrinsic-height:auto_70px]";
const timeFormat = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

/** Commits by local day, newest first. */
export function CommitCards({ commits }: { commits: readonly Commit[] }) {
  const count = useProgressiveCount("activity", commits.length, GROWTH);
  const now = useToday();
  let drawn = 0;
  return (
    <div className="grid gap-5">
      {byDay(commits.slice(0, count)).map(([day, ofDay]) => {
        const before = drawn;
        drawn += ofDay.length;
        return <Day key={day} day={day} now={now} commits={ofDay} before={before} />;
      })}
    </div>
  );
}

type DayProps = {
  day: CalendarDay;
  now: CalendarDay;
  commits: readonly Commit[];
  /** Number of commits above this day. */
  before: number;
};

function Day({ day, now, commits, before }: DayProps) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="mb-2 font-medium font-sans text-dense text-ink2 tracking-normal">
        {describeDay(day, now)}
      </h2>
      <ol aria-labelledby={headingId} className={LIST}>
        {commits.map((commit, at) => (
          <CommitCard key={commitKey(commit)} commit={commit} skippable={before + at >= GROWTH.first} />
        ))}
      </ol>
    </section>
  );
}

type CommitCardProps = { commit: Commit; skippable: boolean };

/** Project, repository, time, message, author and a link to GitHub. */
const CommitCard = memo(function CommitCard({ commit, skippable }: CommitCardProps) {
  const { project, repo } = commit;
  const { date, name } = commit.commit.author;
  const at = new Date(date);
  return (
    <li
      {...rowMark(commitKey(commit))}
      className={cn("flex gap-3.5 border-line border-t px-3 py-3 first:border-t-0 sm:px-4", skippable && SKIPPED)}
    >
      <Avatar name={name} src={commit.author?.avatar_url} size={34} className="mt-0.5" />
      <div className="flex min-w-0 flex-1 flex-wrap gap-x-6 sm:flex-nowrap sm:items-start">
        <div className="min-w-0 flex-1 basis-full sm:basis-0">
          <CommitMessage message={commit.commit.message} title="whole" />
          <CommitFacts>
            <bdi className="font-medium">{project.title}</bdi>
            <code>{repo}</code>
            <bdi>{authorOf(commit)}</bdi>
            <time dateTime={date} title={formatInstantLong(at)}>
              {timeFormat.format(at)}
            </time>
          </CommitFacts>
          <CommitTasks commit={commit} />
        </div>
        <CommitLink commit={commit} />
      </div>
    </li>
  );
});

/** A day of commits with one-line titles. */
export function CommitCardsSkeleton() {
  return (
    <div>
      <Skeleton className="mb-2 h-[18px] w-20" />
      <div className={LIST}>
        <CommitSkeletons count={6} className="h-[67px] border-line border-t px-3 py-3 first:border-t-0 sm:px-4" />
      </div>
    </div>
  );
}
