import type { Project, Task } from "@server/contract/views";
import { CircleAlert } from "lucide-react";
import { useEffect } from "react";
import { DueWords } from "@/features/projects/due-words";
import { peopleOf } from "@/features/projects/project-people";
import { StatusChip } from "@/features/projects/status-chip";
import { cn } from "@/lib/cn";
import { announce } from "@/ui/announce";
import { Button } from "@/ui/button";

type TaskDetailsProps = { task: Task; project: Project; completed: boolean };

/** What stands under a task's title; of a completed one only its key. */
export function TaskDetails({ task, project, completed }: TaskDetailsProps) {
  const { description, dueDate, status, assignedTo, number } = task;
  const names = peopleOf(project, assignedTo).map(({ name }) => name);
  const key = <span className="text-ink3">{`${project.key}-${number}`}</span>;
  if (completed) return <p className="mt-0.5 text-meta">{key}</p>;
  return (
    <>
      <p className="mt-0.5 whitespace-pre-line text-dense text-ink2 [overflow-wrap:anywhere]">{description}</p>
      <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink2 text-meta">
        {key}
        {status === "inProgress" && <StatusChip status={status} />}
        {dueDate && <DueWords due={dueDate} finished={false} size={14} />}
        {names.length > 0 && <span className="min-w-0 truncate">{names.join(", ")}</span>}
      </p>
    </>
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
