import { MESSAGES } from "@server/contract/messages";
import type { Project, Task } from "@server/contract/views";
import { ListChecks } from "lucide-react";
import { useId, useRef } from "react";
import { cn } from "@/lib/cn";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { EmptyState } from "@/ui/empty-state";
import { TaskEditForm } from "./task-edit-form";
import { moveBeside, moveByOne } from "./task-order";
import { editButtonId, TaskRow } from "./task-row";
import { useEditedTasks } from "./use-edited-tasks";
import { useMoveTask } from "./use-move-task";
import { useGlide, useSettledOrder } from "./use-settled-order";
import { useTaskDrag } from "./use-task-drag";
import { useTaskQuestions } from "./use-task-questions";

type TaskRowsProps = {
  tasks: readonly Task[];
  project: Project;
  emptyMessage: string;
  /** Where the focus goes when the last row has left. */
  afterLast: () => HTMLElement | null;
};

/** The rows: open tasks, then completed ones, each to read, to tick, to edit in its place and to move within its group. */
export function TaskRows({ tasks, project, emptyMessage, afterLast }: TaskRowsProps) {
  const listId = useId();
  const list = useRef<HTMLUListElement>(null);
  const ordered = useSettledOrder(tasks);
  const rowId = (id: string) => `${listId}-${id}`;
  const edited = useEditedTasks({ tasks, project, focusAfter });
  function focusAfter(taskId: string): void {
    (document.getElementById(editButtonId(rowId(taskId))) ?? afterLast())?.focus();
  }
  // Somebody may have deleted what is open in a form here: what was typed stays until its writer decides.
  const rows = [...ordered, ...edited.gone];
  const move = useMoveTask(project.id);
  const idsKey = rows.map(({ id }) => id).join();
  const drag = useTaskDrag({
    list,
    rowsKey: `${idsKey} ${edited.key}`,
    onDrop({ rowId: taskId, besideId, where }) {
      const wish = moveBeside(tasks, { taskId, besideId, where });
      if (wish) move(wish);
    },
  });
  useGlide(list, idsKey);
  const questions = useTaskQuestions({ project, ordered, rowId, afterLast });

  if (rows.length === 0) return <EmptyState icon={ListChecks} message={emptyMessage} />;
  return (
    <>
      <ul ref={list} aria-label="Tasks" className="border-line border-b">
        {rows.map((task) => {
          const isEdited = project.canEdit && edited.has(task.id);
          const group = ordered.filter(({ completed }) => completed === task.completed);
          return (
            <li
              key={task.id}
              data-row={task.id}
              data-group={task.completed ? "completed" : "open"}
              className={cn(
                "relative border-line border-t px-(--row-inset,20px) py-3",
                drag.draggedId === task.id && "opacity-50",
                isEdited && "bg-raised",
              )}
            >
              {isEdited ? (
                <TaskEditForm
                  task={task}
                  project={project}
                  isGone={edited.gone.includes(task)}
                  takesFocus={edited.opened === task.id}
                  onDone={() => edited.close(task.id)}
                  onLeave={(discard) => {
                    if (!discard) return edited.close(task.id);
                    questions.askToDiscard(task, () => {
                      discard();
                      edited.close(task.id);
                    });
                  }}
                />
              ) : (
                <TaskRow
                  task={task}
                  project={project}
                  rowId={rowId(task.id)}
                  onEdit={() => edited.open(task)}
                  onDelete={() => questions.askToDelete(task)}
                  onMove={
                    group.length < 2
                      ? undefined
                      : (step) => {
                          const wish = moveByOne(tasks, task.id, step);
                          if (wish) move(wish);
                        }
                  }
                  isFirst={group[0] === task}
                  isLast={group.at(-1) === task}
                  hasHandle={drag.isReady && group.length > 1}
                />
              )}
              {drag.place?.besideId === task.id && <DropLine where={drag.place.where} />}
            </li>
          );
        })}
      </ul>
      <ConfirmDialog
        {...questions.deletion}
        title="Delete task"
        question={MESSAGES.tasks.confirmDelete}
        confirmLabel="Delete"
      />
      <ConfirmDialog
        {...questions.discarding}
        title="Discard changes?"
        question="What you have typed here will be lost."
        cancelLabel="Keep editing"
        confirmLabel="Discard"
      />
    </>
  );
}

/** Where a dragged row would come to stand. */
function DropLine({ where }: { where: "before" | "after" }) {
  return (
    <span
      aria-hidden="true"
      className={cn(
        "pointer-events-none absolute inset-x-0 z-1 h-0.5 bg-ring",
        where === "before" ? "-top-[1.5px]" : "-bottom-[1.5px]",
      )}
    />
  );
}
