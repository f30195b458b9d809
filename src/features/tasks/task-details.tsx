import type { Project, Task, TaskCommit } from "@server/contract/views";
import { CircleAlert, GitCommitHorizontal } from "lucide-react";
import { useEffect } from "react";
import { DueLabel } from "@/features/projects/due-label";
import { PanelLink } from "@/features/projects/project-link";
import { peopleOf } from "@/features/projects/project-people";
import { StatusChip } from "@/features/projects/status-chip";
import { cn } from "@/lib/cn";
import { announce } from "@/ui/announce";
import { Button } from "@/ui/button";
import { MarkdownText } from "@/ui/markdown-text";
import { useDismissedOffer } from "./use-dismissed-offer";
import { useTaskCommits } from "./use-task-commits";

type TaskDetailsProps = { task: Task; project: Project; completed: boolean };

/** The details below a task's title; for a completed task only its key and commits. */
export function TaskDetails({ task, project, completed }: TaskDetailsProps) {
  const { description, dueDate, status, assignedTo } = task;
  const names = peopleOf(project, assignedTo).map(({ name }) => name);
  const key = <TaskKeyLink task={task} project={project} />;
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
      <MarkdownText text={description} className="mt-0.5 text-dense text-ink2" />
      <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink2 text-meta">
        {key}
        {status === "inProgress" && <StatusChip status={status} />}
        {dueDate && <DueLabel due={dueDate} finished={false} size={14} />}
        {names.length > 0 && <span className="min-w-0 truncate">{names.join(", ")}</span>}
        {toggle}
      </p>
      {list}
    </>
  );
}

/** Opens the page of the task. */
function TaskKeyLink({ task: { number, title }, project: { id, key } }: Pick<TaskDetailsProps, "task" | "project">) {
  return (
    <PanelLink
      projectId={id}
      taskKey={`${key}-${number}`}
      label={`${key}-${number} ${title}`}
      className="relative z-1 -mx-1 -my-1 inline-flex min-h-6 items-center rounded-check px-1 text-ink2 underline decoration-line-strong underline-offset-3 hover:text-ink hover:decoration-current pointer-coarse:-my-3 pointer-coarse:min-h-11"
    >
      {`${key}-${number}`}
    </PanelLink>
  );
}

type CompleteOfferProps = {
  task: Task;
  onComplete: () => void;
  /** The id of the checkbox, which is focused when the buttons disappear. */
  boxId: string;
};

/** Offers to complete the task when a commit says that it finishes it ("fixes HBP-12"), or to dismiss the offer. */
export function CompleteOffer({ task, ...rest }: CompleteOfferProps) {
  const commit = task.commits?.find(({ closes }) => closes);
  return commit ? <Offer task={task} commit={commit} {...rest} /> : null;
}

function Offer({ task: { id, title }, commit, onComplete, boxId }: CompleteOfferProps & { commit: TaskCommit }) {
  const [isDismissed, dismiss] = useDismissedOffer({ taskId: id, sha: commit.sha });
  if (isDismissed) return null;
  const pressed = (act: () => void) => () => {
    document.getElementById(boxId)?.focus();
    act();
  };
  return (
    <div className="mt-2 text-dense text-ink2">
      <p className="flex items-start gap-1.5">
        <GitCommitHorizontal size={16} className="mt-px shrink-0 text-green" />
        <span className="min-w-0 [overflow-wrap:anywhere]">
          <a
            href={commit.htmlUrl ?? undefined}
            target="_blank"
            rel="noopener noreferrer"
            title={commit.title}
            aria-label={`A commit, ${commit.title}, on GitHub,`}
            className="text-brand-text underline underline-offset-3"
          >
            A commit
          </a>{" "}
          by <bdi>{commit.authorName}</bdi> finishes this.
        </span>
      </p>
      <p className="mt-1.5 flex flex-wrap gap-2">
        <Button size="sm" variant="tonal" onClick={pressed(onComplete)}>
          <span>
            Complete<span className="sr-only"> {title}</span>
          </span>
        </Button>
        <Button size="sm" variant="quiet" aria-label={`Dismiss, ${title}`} onClick={pressed(dismiss)}>
          Dismiss
        </Button>
      </p>
    </div>
  );
}

type NotSavedProps = {
  title: string;
  onRetry: () => void;
  /** The id of the checkbox, which is focused when the button disappears. */
  boxId: string;
  className?: string | undefined;
};

/** Says that a tick was rolled back, politely and in place, with a button to retry. */
export function NotSaved({ title, onRetry, boxId, className }: NotSavedProps) {
  useEffect(() => announce(`Not saved: ${title}`), [title]);
  return (
    <p className={cn("mt-1.5 flex items-center gap-2 text-dense text-red", className)}>
      <CircleAlert size={16} />
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
