import type { Project, Task } from "@server/contract/views";
import { memo } from "react";
import { cn } from "@/lib/cn";
import { TaskEditForm } from "./task-edit-form";
import { TaskRow } from "./task-row";

/** What a row asks of its list. Keep the object the same between renders. */
export interface TaskItemActions {
  edit: (task: Task) => void;
  remove: (task: Task) => void;
  /** Its form has saved. */
  done: (task: Task) => void;
  /** Its form is left; `discard` where words would be lost. */
  leave: (task: Task, discard: (() => void) | null) => void;
  move: (task: Task, step: -1 | 1) => void;
}

type TaskItemProps = {
  task: Task;
  project: Project;
  rowId: string;
  actions: TaskItemActions;
  isEdited: boolean;
  isGone: boolean;
  takesFocus: boolean;
  isFirst: boolean;
  isLast: boolean;
  /** In its group. */
  isAlone: boolean;
  hasHandle: boolean;
  isDragged: boolean;
  dropWhere: "before" | "after" | null;
  /** Of a long list: out of sight it is neither laid out nor painted. */
  isSkippable: boolean;
};

/** One place in the list: a task to read, or its form. */
export const TaskItem = memo(function TaskItem(props: TaskItemProps) {
  const { task, project, rowId, actions, isEdited, isGone, takesFocus, isAlone, isDragged, dropWhere } = props;
  const { isFirst, isLast, hasHandle, isSkippable } = props;
  return (
    <li
      data-row={task.id}
      data-group={task.completed ? "completed" : "open"}
      className={cn(
        "relative border-line border-t px-(--row-inset,20px) py-3",
        isDragged && "opacity-50",
        isEdited && "bg-raised",
        isSkippable && !isEdited && "[contain-intrinsic-height:auto_81px] [content-visibility:auto]",
      )}
    >
      {isEdited ? (
        <TaskEditForm
          task={task}
          project={project}
          isGone={isGone}
          takesFocus={takesFocus}
          onDone={() => actions.done(task)}
          onLeave={(discard) => actions.leave(task, discard)}
        />
      ) : (
        <TaskRow
          task={task}
          project={project}
          rowId={rowId}
          onEdit={() => actions.edit(task)}
          onDelete={() => actions.remove(task)}
          onMove={isAlone ? undefined : (step) => actions.move(task, step)}
          isFirst={isFirst}
          isLast={isLast}
          hasHandle={hasHandle}
        />
      )}
      {dropWhere && <DropLine where={dropWhere} />}
    </li>
  );
});

/** Where a dragged row would come to stand. */
function DropLine({ where }: { where: "before" | "after" }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        "pointer-events-none absolute inset-x-0 z-1 h-0.5 bg-ring",
        where === "before" ? "top-0" : "bottom-0",
      )}
    />
  );
}
