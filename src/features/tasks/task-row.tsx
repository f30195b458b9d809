import type { Project, Task } from "@server/contract/views";
import { CircleAlert, Trash2 } from "lucide-react";
import { useEffect, useState } from "react";
import { DueWords } from "@/features/projects/due-words";
import { peopleOf } from "@/features/projects/project-people";
import { statusLook } from "@/features/projects/project-status";
import { StatusChip } from "@/features/projects/status-chip";
import { cn } from "@/lib/cn";
import { announce } from "@/ui/announce";
import { Button } from "@/ui/button";
import { CheckboxInput } from "@/ui/checkbox";
import { IconButton } from "@/ui/icon-button";
import { VisuallyHidden } from "@/ui/visually-hidden";
import { useSetCompleted } from "./use-tasks";

type TaskRowProps = {
  task: Task;
  project: Project;
  /** Unique in the page: the same task may stand in the panel and in the dialog. */
  rowId: string;
  onDelete: () => void;
};

/** The id of a row's delete button, for giving the focus on. */
export function deleteButtonId(rowId: string): string {
  return `${rowId}-delete`;
}

/** A task: its box, named by its title, what it says, and the button that deletes it. Who may only read sees an icon. */
export function TaskRow({ task, project, rowId, onDelete }: TaskRowProps) {
  const { completed, tick, retry } = useTick(task);
  const { title } = task;
  const titleStyle = cn(
    "min-w-0 text-body [overflow-wrap:anywhere]",
    completed ? "text-ink3 line-through" : "font-medium",
  );
  return (
    <li data-row={task.id} className="border-line border-t px-(--row-inset,20px) py-3">
      {project.canEdit ? (
        <div className="flex items-start gap-3">
          {/* The label reaches over the whole line: 44 px to hit. */}
          <label htmlFor={rowId} className="-my-3 flex min-w-0 flex-1 items-start gap-3 py-3">
            <CheckboxInput id={rowId} tone="done" checked={completed} onChange={({ target }) => tick(target.checked)} />
            <span className={titleStyle}>{title}</span>
          </label>
          <IconButton
            id={deleteButtonId(rowId)}
            icon={Trash2}
            label={`Delete task: ${title}`}
            size="sm"
            onClick={onDelete}
            className="-my-1 -me-1.5 pointer-coarse:-my-3 pointer-coarse:-me-3"
          />
        </div>
      ) : (
        <div className="flex items-start gap-3">
          <ReadOnlyTick completed={completed} />
          <p className={titleStyle}>{title}</p>
        </div>
      )}
      <div className="ps-8">
        {!completed && <TaskDetails task={task} project={project} />}
        {retry && <NotSaved title={title} onRetry={retry} />}
      </div>
    </li>
  );
}

/**
 * The box shows what was wished from the very event on: the cache tells its readers a moment later, and a controlled box
 * would jump back in between.
 */
function useTick(task: Task) {
  const { mutate, isError, variables } = useSetCompleted(task);
  const [wish, setWish] = useState<boolean | null>(null);
  function tick(completed: boolean): void {
    setWish(completed);
    // Called for the last of several ticks only.
    mutate({ taskId: task.id, completed }, { onSettled: () => setWish(null) });
  }
  // Somebody else may have done it meanwhile: then nothing is left to retry.
  const isRefused = isError && variables !== undefined && variables.completed !== task.completed;
  return { completed: wish ?? task.completed, tick, retry: isRefused ? () => tick(variables.completed) : null };
}

function TaskDetails({ task, project }: Pick<TaskRowProps, "task" | "project">) {
  const { description, dueDate, status, assignedTo } = task;
  const names = peopleOf(project, assignedTo).map(({ name }) => name);
  return (
    <>
      <p className="mt-0.5 whitespace-pre-line text-dense text-ink2 [overflow-wrap:anywhere]">{description}</p>
      {(dueDate || status === "inProgress" || names.length > 0) && (
        <p className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-ink2 text-meta">
          {status === "inProgress" && <StatusChip status={status} />}
          {dueDate && <DueWords due={dueDate} finished={false} size={14} />}
          {names.length > 0 && <span className="min-w-0 truncate">{names.join(", ")}</span>}
        </p>
      )}
    </>
  );
}

/** The box has gone back: said in its place, politely, with a way to try again. */
function NotSaved({ title, onRetry }: { title: string; onRetry: () => void }) {
  useEffect(() => announce(`Not saved: ${title}`), [title]);
  return (
    <p className="mt-1.5 flex items-center gap-2 text-dense text-red">
      <CircleAlert aria-hidden="true" size={16} strokeWidth={1.75} />
      Not saved
      <Button size="sm" onClick={onRetry}>
        Retry
      </Button>
    </p>
  );
}

function ReadOnlyTick({ completed }: { completed: boolean }) {
  const { icon: Icon } = statusLook(completed ? "completed" : "todo");
  return (
    <span className={cn("shrink-0", completed ? "text-green" : "text-ink3")}>
      <Icon aria-hidden="true" size={20} strokeWidth={1.75} />
      <VisuallyHidden>{completed ? "Completed: " : "Open: "}</VisuallyHidden>
    </span>
  );
}
