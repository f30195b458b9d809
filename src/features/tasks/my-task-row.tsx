import type { MyTask } from "@server/contract/views";
import { memo, useId } from "react";
import { DueLabel } from "@/features/projects/due-label";
import { StatusChip } from "@/features/projects/status-chip";
import type { ToProject } from "@/features/projects/to-project";
import { cn } from "@/lib/cn";
import { CheckboxInput } from "@/ui/checkbox";
import { NotSaved } from "./task-details";
import { useTick } from "./use-tasks";

type MyTaskRowProps = {
  task: MyTask;
  /** What was wished last, and refused. */
  refused: boolean | undefined;
  link: ToProject;
  className?: string | undefined;
};

/** One of one's tasks: its box, named by its title, and where it belongs. Drawn again only when it has changed: there may be 500. */
export const MyTaskRow = memo(function MyTaskRow({ task, refused, link: Link, className }: MyTaskRowProps) {
  const id = useId();
  const { completed, tick } = useTick(task);
  const { title, project, dueDate, status } = task;
  return (
    <li data-row={task.id} className={cn("border-line border-t px-4 py-2.5 first:border-t-0", className)}>
      <div className="lg:flex lg:items-center lg:gap-4">
        {/* The label reaches over the whole line: 44 px to hit. */}
        <label htmlFor={id} className="-my-2.5 flex min-w-0 flex-1 items-start gap-3 py-3">
          <CheckboxInput id={id} tone="done" checked={completed} onChange={({ target }) => tick(target.checked)} />
          <span
            className={cn(
              "min-w-0 text-body [overflow-wrap:anywhere]",
              completed ? "text-ink3 line-through" : "font-medium",
            )}
          >
            {title}
          </span>
        </label>
        <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5 ps-8 text-dense text-ink2 lg:flex-nowrap lg:gap-x-4 lg:ps-0">
          {!completed && status === "inProgress" && <StatusChip status={status} className="max-lg:order-2" />}
          <Link
            projectId={project.id}
            taskId={task.id}
            title={project.title}
            className="relative flex min-h-6 min-w-0 max-w-full items-center gap-2 rounded-control before:absolute before:inset-x-0 before:-inset-y-2.5 hover:text-ink hover:underline pointer-fine:before:hidden max-lg:basis-full lg:w-68"
          >
            <span className="shrink-0 text-ink3 lg:w-18 lg:truncate">{`${project.key}-${task.number}`}</span>
            <span className="truncate">{project.title}</span>
          </Link>
          <span className="flex shrink-0 max-lg:order-3 lg:w-44">
            {dueDate && <DueLabel due={dueDate} finished={completed} />}
          </span>
        </div>
      </div>
      {/* Somebody else may have done it meanwhile: then nothing is left to retry. */}
      {refused !== undefined && refused !== completed && (
        <NotSaved title={title} onRetry={() => tick(refused)} boxId={id} className="ps-8" />
      )}
    </li>
  );
});
