import type { Commit } from "@server/contract/views";
import { memo, useId } from "react";
import { describeDay } from "@/features/calendar/calendar-days";
import type { ToProject } from "@/features/projects/to-project";
import { cn } from "@/lib/cn";
import type { CalendarDay } from "@/lib/format";
import { useProgressiveCount } from "@/lib/use-progressive-count";
import { rowMark } from "@/lib/use-row-focus";
import { useToday } from "@/lib/use-today";
import { Avatar } from "@/ui/avatar";
import { Skeleton } from "@/ui/skeleton";
import { CommitFacts, CommitLink, CommitMessage, CommitSkeletons, CommitTasks } from "./commit-parts";
import { byDay, commitKey } from "./commit-text";

/** More than a first screen; then the number added at a time. */
const GROWTH = { first: 24, step: 48 };
const LIST = "overflow-hidden rounded-card border border-line bg-raised";
/** Skips layout and paint while off screen; the usual heights of a commit with a task, without the padding. */
const SKIPPED =
  "[content-visibility:auto] [contain-intrinsic-height:auto_160px] sm:[contain-intrinsic-height:auto_83px] lg:[contain-intrinsic-height:auto_65px]";

type CommitCardsProps = { commits: readonly Commit[]; toProject: ToProject };

/** Commits by local day, newest first. */
export function CommitCards({ commits, toProject }: CommitCardsProps) {
  const count = useProgressiveCount("activity", commits.length, GROWTH);
  const now = useToday();
  let drawn = 0;
  return (
    <div className="grid gap-5">
      {byDay(commits.slice(0, count)).map(([day, ofDay]) => {
        const before = drawn;
        drawn += ofDay.length;
        return <Day key={day} day={day} now={now} commits={ofDay} toProject={toProject} before={before} />;
      })}
    </div>
  );
}

type DayProps = CommitCardsProps & {
  day: CalendarDay;
  now: CalendarDay;
  /** Number of commits above this day. */
  before: number;
};

function Day({ day, now, commits, toProject, before }: DayProps) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="mb-2 font-medium font-sans text-dense text-ink2 tracking-normal">
        {describeDay(day, now)}
      </h2>
      <ol aria-labelledby={headingId} className={LIST}>
        {commits.map((commit, at) => (
          <CommitCard
            key={commitKey(commit)}
            commit={commit}
            now={now}
            toProject={toProject}
            skippable={before + at >= GROWTH.first}
          />
        ))}
      </ol>
    </section>
  );
}

type CommitCardProps = { commit: Commit; now: CalendarDay; toProject: ToProject; skippable: boolean };

/** Message, project, repository, author, date, tasks and a link to GitHub. Spec 2, Activity tab. */
const CommitCard = memo(function CommitCard({ commit, now, toProject, skippable }: CommitCardProps) {
  return (
    <li
      {...rowMark(commitKey(commit))}
      className={cn("flex gap-3.5 border-line border-t px-3 py-3 first:border-t-0 sm:px-4", skippable && SKIPPED)}
    >
      <Avatar name={commit.commit.author.name} src={commit.author?.avatar_url} size={34} className="mt-0.5" />
      <div className="flex min-w-0 flex-1 flex-wrap gap-x-6 sm:flex-nowrap sm:items-start">
        <div className="min-w-0 flex-1 basis-full sm:basis-0">
          <CommitMessage message={commit.commit.message} title="whole" />
          <CommitFacts commit={commit} now={now} toProject={toProject} />
          <CommitTasks commit={commit} toProject={toProject} />
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
