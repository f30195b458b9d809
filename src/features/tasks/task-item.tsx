import type { Project, Task } from "@server/contract/views";
import { memo } from "react";
import { cn } from "@/lib/cn";
import { TaskEditForm } from "./task-edit-form";
import { TaskRow } from "./task-row";

/** The actions of a row. Keep the object stable between renders. */
export interface TaskItemActions {
  edit: (task: Task) => void;
  remove: (task: Task) => void;
  /** Its form was saved. `added` takes its place, as a form too. */
  done: (task: Task, added?: Task) => void;
  /** Its form is left. `discard` is set when input would be lost. */
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
  /** In a long list: outside the viewport it is neither laid out nor painted. */
  isSkippable: boolean;
  /** Of a list whose last rows may not be in the document. */
  setSize: number | undefined;
  /** From 1, where rows before it are missing. */
  position: number | undefined;
};

/** An item of the list: a task, or its form. */
export const TaskItem = memo(function TaskItem(props: TaskItemProps) {
  const { task, project, rowId, actions, isEdited, isGone, takesFocus, isAlone, isDragged, dropWhere } = props;
  const { isFirst, isLast, hasHandle, isSkippable, setSize, position } = props;
  return (
    <li
      data-row={task.id}
      aria-setsize={setSize}
      aria-posinset={position}
      data-group={task.completed ? "completed" : "open"}
      className={cn("relative border-line border-t", isDragged && "opacity-50", isEdited && "bg-raised")}
    >
      {/* Apart from the item, which glides: the browser counts a move of what it may skip as a layout shift, however gentle. */}
      <div
        className={cn(
          "px-(--row-inset,20px) py-3",
          isSkippable && !isEdited && "[contain-intrinsic-height:auto_81px] [content-visibility:auto]",
        )}
      >
        {isEdited ? (
          <TaskEditForm
            task={task}
            project={project}
            isGone={isGone}
            takesFocus={takesFocus}
            onDone={(added) => actions.done(task, added)}
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
      </div>
      {dropWhere && <DropLine where={dropWhere} />}
    </li>
  );
});

/** Shows where a dragged row would be dropped. */
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
