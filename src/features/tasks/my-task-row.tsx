import type { MyTask } from "@server/contract/views";
import { memo, type ReactNode, useId } from "react";
import { DueLabel } from "@/features/projects/due-label";
import { StatusChip } from "@/features/projects/status-chip";
import type { ToProject } from "@/features/projects/to-project";
import { cn } from "@/lib/cn";
import { CheckboxInput } from "@/ui/checkbox";
import { Steady } from "@/ui/steady";
import { TaskStatusIcon } from "./read-only-tasks";
import { NotSaved } from "./task-details";
import { useTick } from "./use-tasks";

type TaskRowProps = { task: MyTask; link: ToProject; className?: string | undefined };

type MyTaskRowProps = TaskRowProps & {
  /** The last tick that the server refused. */
  refused: boolean | undefined;
};

/** A task with its checkbox. Memoised, because there may be 500. */
export const MyTaskRow = memo(function MyTaskRow({ refused, ...row }: MyTaskRowProps) {
  const id = useId();
  const { task } = row;
  const { completed, tick } = useTick(task);
  return (
    <Row
      {...row}
      completed={completed}
      head={
        // The label covers the whole line: a target of 44 px.
        <label htmlFor={id} className={HEAD}>
          <CheckboxInput id={id} tone="done" checked={completed} onChange={({ target }) => tick(target.checked)} />
          <Title completed={completed}>{task.title}</Title>
        </label>
      }
    >
      {/* Someone else may have completed it meanwhile: then there is nothing to retry. */}
      <Steady>
        {refused !== undefined && refused !== completed && (
          <NotSaved title={task.title} onRetry={() => tick(refused)} boxId={id} className="ps-8" />
        )}
      </Steady>
    </Row>
  );
});

/** The same row without a checkbox, for clients. */
export const ReadOnlyTaskRow = memo(function ReadOnlyTaskRow(row: TaskRowProps) {
  const { title, status, completed } = row.task;
  return (
    <Row
      {...row}
      completed={completed}
      head={
        <p className={HEAD}>
          <TaskStatusIcon status={status} className="mx-px mt-px" />
          <Title completed={completed}>{title}</Title>
        </p>
      }
    />
  );
});

const HEAD = "-my-2.5 flex min-w-0 flex-1 items-start gap-3 py-3";

function Title({ completed, children }: { completed: boolean; children: string }) {
  const style = completed ? "text-ink3 line-through" : "font-medium";
  return <span className={cn("min-w-0 text-body [overflow-wrap:anywhere]", style)}>{children}</span>;
}

type RowProps = TaskRowProps & { completed: boolean; head: ReactNode; children?: ReactNode };

function Row({ task, completed, head, link: Link, className, children }: RowProps) {
  const { project, dueDate, status } = task;
  return (
    <li data-row={task.id} className="border-line border-t first:border-t-0">
      {/* Apart from the item, which glides: see TaskItem. */}
      <div className={cn("px-4 py-2.5", className)}>
        <div className="lg:flex lg:items-center lg:gap-4">
          {head}
          <div className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1.5 ps-8 text-dense text-ink2 lg:flex-nowrap lg:gap-x-4 lg:ps-0">
            {!completed && status === "inProgress" && <StatusChip status={status} className="max-lg:order-2" />}
            <Link
              projectId={project.id}
              taskKey={`${project.key}-${task.number}`}
              title={project.title}
              className="relative flex min-h-6 min-w-0 max-w-full items-center gap-2 rounded-control before:absolute before:inset-x-0 before:-inset-y-2.5 hover:text-ink hover:underline pointer-fine:before:hidden max-sm:basis-full lg:w-68"
            >
              <span className="shrink-0 text-ink3 lg:w-18 lg:truncate">{`${project.key}-${task.number}`}</span>
              <span className="truncate">{project.title}</span>
            </Link>
            <span className="flex shrink-0 max-lg:order-3 lg:w-44">
              {dueDate && <DueLabel due={dueDate} finished={completed} />}
            </span>
          </div>
        </div>
        {children}
      </div>
    </li>
  );
}
