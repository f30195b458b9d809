import type { Project, Task } from "@server/contract/views";
import { CircleAlert, GitCommitHorizontal } from "lucide-react";
import { useEffect } from "react";
import { DueWords } from "@/features/projects/due-words";
import { peopleOf } from "@/features/projects/project-people";
import { StatusChip } from "@/features/projects/status-chip";
import { cn } from "@/lib/cn";
import { announce } from "@/ui/announce";
import { Button } from "@/ui/button";
import { useTaskCommits } from "./use-task-commits";

type TaskDetailsProps = { task: Task; project: Project; completed: boolean };

/** What stands under a task's title; of a completed one only its key and its commits. */
export function TaskDetails({ task, project, completed }: TaskDetailsProps) {
  const { description, dueDate, status, assignedTo, number } = task;
  const names = peopleOf(project, assignedTo).map(({ name }) => name);
  const key = <span className="text-ink3">{`${project.key}-${number}`}</span>;
  const { toggle, list } = useTaskCommits(task);
  if (completed) {
    return (
      <>
        <p className="mt-0.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink2 text-meta">
          {key}
          {toggle}
        </p>
        {list}
      </>
    );
  }
  return (
    <>
      <p className="mt-0.5 whitespace-pre-line text-dense text-ink2 [overflow-wrap:anywhere]">{description}</p>
      <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink2 text-meta">
        {key}
        {status === "inProgress" && <StatusChip status={status} />}
        {dueDate && <DueWords due={dueDate} finished={false} size={14} />}
        {names.length > 0 && <span className="min-w-0 truncate">{names.join(", ")}</span>}
        {toggle}
      </p>
      {list}
    </>
  );
}

type CompleteOfferProps = {
  task: Task;
  onComplete: () => void;
  /** The id of the box, which takes the focus: the button leaves. */
  boxId: string;
};

/** A commit says that it finishes the task ("fixes HBP-12"): one press ticks it. */
export function CompleteOffer({ task: { title, commits = [] }, onComplete, boxId }: CompleteOfferProps) {
  const commit = commits.find(({ closes }) => closes);
  if (!commit) return null;
  return (
    <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1.5 text-dense text-ink2">
      <span className="inline-flex min-w-0 items-start gap-1.5">
        <GitCommitHorizontal aria-hidden="true" size={16} strokeWidth={1.75} className="mt-px shrink-0 text-green" />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          A commit by <bdi>{commit.authorName}</bdi> finishes this.
        </span>
      </span>
      <Button
        size="sm"
        variant="tonal"
        onClick={() => {
          document.getElementById(boxId)?.focus();
          onComplete();
        }}
      >
        <span>
          Complete<span className="sr-only"> {title}</span>
        </span>
      </Button>
    </p>
  );
}

type NotSavedProps = {
  title: string;
  onRetry: () => void;
  /** The id of the box, which takes the focus: the button leaves. */
  boxId: string;
  className?: string | undefined;
};

/** The box has gone back: said in its place, politely, with a way to try again. */
export function NotSaved({ title, onRetry, boxId, className }: NotSavedProps) {
  useEffect(() => announce(`Not saved: ${title}`), [title]);
  return (
    <p className={cn("mt-1.5 flex items-center gap-2 text-dense text-red", className)}>
      <CircleAlert aria-hidden="true" size={16} strokeWidth={1.75} />
      Not saved
      <Button
        size="sm"
        onClick={() => {
          document.getElementById(boxId)?.focus();
          onRetry();
        }}
      >
        Retry
      </Button>
    </p>
  );
}
