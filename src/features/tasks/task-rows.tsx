import { TASK_MESSAGES } from "@server/contract/messages/tasks";
import type { Project, Task } from "@server/contract/views";
import { ListChecks } from "lucide-react";
import { useEffect, useId, useMemo, useRef } from "react";
import { useRowFocus } from "@/lib/use-row-focus";
import { useScrolledRows } from "@/lib/use-scrolled-rows";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { EmptyState } from "@/ui/empty-state";
import { TaskItem, type TaskItemActions } from "./task-item";
import { moveBeside, moveByOne } from "./task-order";
import { editButtonId } from "./task-row";
import { useDelayedOrder, useGlide } from "./use-delayed-order";
import { useEditedTasks } from "./use-edited-tasks";
import { useMoveTask } from "./use-move-task";
import { useTaskDrag } from "./use-task-drag";
import { useTaskQuestions } from "./use-task-questions";

type TaskRowsProps = {
  tasks: readonly Task[];
  project: Project;
  emptyMessage: string;
  /** Where the focus goes when the last row is gone. */
  afterLast: () => HTMLElement | null;
};

const GROWTH = { first: 8, step: 16, most: 40 };
/** The height of a row that was never in view, px: as `TaskItem` has it, with its border. */
const ROW = 82;
/** Above this, rows outside the viewport are neither laid out nor painted. */
const MANY = 60;

/** The rows: open tasks, then completed ones. Each can be ticked, edited in place, and moved within its group. */
export function TaskRows({ tasks, project, emptyMessage, afterLast }: TaskRowsProps) {
  const listId = useId();
  const list = useRef<HTMLUListElement>(null);
  const ordered = useDelayedOrder(tasks, () => measureRows());
  const rowId = (id: string) => `${listId}-${id}`;
  const edited = useEditedTasks({ tasks, project, focusAfter });
  function focusAfter(taskId: string): void {
    (document.getElementById(editButtonId(rowId(taskId))) ?? afterLast())?.focus();
  }
  // Someone else may have deleted a task that is edited here: its input stays until the writer decides.
  const all = [...ordered, ...edited.gone];
  const pinned = all.filter(({ id }) => edited.has(id)).map(({ id }) => id);
  const { count, shown, setEnd } = useScrolledRows(
    all.map(({ id }) => id),
    { ...GROWTH, pinned },
  );
  const rows = all.filter(({ id }, at) => at < count || shown.has(id));
  const missing = all.length - rows.length;
  const move = useMoveTask(project.id);
  const idsKey = rows.map(({ id }) => id).join();
  const drag = useTaskDrag({
    list,
    rowsKey: `${idsKey} ${edited.key}`,
    onDrop({ rowId: taskId, besideId, where }) {
      move((now) => moveBeside(now, { taskId, besideId, where }));
    },
  });
  const measureRows = useGlide(list, idsKey, all.length > MANY);
  const focusTarget = useRowFocus(list, { rows: idsKey, fallback: afterLast });
  const questions = useTaskQuestions({ project, rowId, afterLast, focusTarget });
  const actions = useItemActions({
    edit: edited.open,
    remove: questions.askToDelete,
    done: ({ id }, added) => (added ? edited.replace(id, added) : edited.close(id)),
    leave(task, discard) {
      if (!discard) return edited.close(task.id);
      questions.askToDiscard(task, () => {
        discard();
        edited.close(task.id);
      });
    },
    move(task, step) {
      move((now) => moveByOne(now, task.id, step));
    },
  });
  // biome-ignore lint/correctness/useExhaustiveDependencies: rows do not show the counts, which change with every tick.
  const steady = useMemo(() => project, [project.id, project.version, project.canEdit, project.people]);

  if (all.length === 0) return <EmptyState icon={ListChecks} message={emptyMessage} />;
  const open = ordered.filter(({ completed }) => !completed);
  const done = ordered.filter(({ completed }) => completed);
  const item = (task: Task, at: number) => {
    const group = task.completed ? done : open;
    return (
      <TaskItem
        key={task.id}
        task={task}
        project={steady}
        rowId={rowId(task.id)}
        actions={actions}
        isEdited={project.canEdit && edited.has(task.id)}
        isGone={edited.gone.includes(task)}
        takesFocus={edited.opened === task.id}
        isFirst={group[0] === task}
        isLast={group.at(-1) === task}
        isAlone={group.length < 2}
        hasHandle={drag.isReady && group.length > 1}
        isDragged={drag.draggedId === task.id}
        dropWhere={drag.target?.besideId === task.id ? drag.target.where : null}
        isSkippable={all.length > MANY}
        setSize={all.length > GROWTH.most ? all.length : undefined}
        position={missing > 0 && at >= count ? all.indexOf(task) + 1 : undefined}
      />
    );
  };
  const items = rows.map(item);
  if (missing > 0) {
    // Among the items, so that a row that moves to its other side stays the same.
    items.splice(
      count,
      0,
      <li key="missing" aria-hidden="true" className="invisible relative" style={{ height: missing * ROW }}>
        {/* Reaches above the room of the missing rows, so that they come before one sees it. */}
        <div ref={setEnd} className="absolute inset-x-0 -top-[100vh] bottom-0" />
      </li>,
    );
  }
  return (
    <>
      <ul ref={list} aria-label="Tasks" className="border-line border-b">
        {items}
      </ul>
      <ConfirmDialog
        {...questions.deletion}
        title="Delete task"
        question={TASK_MESSAGES.confirmDelete}
        confirmLabel="Delete"
      />
      <ConfirmDialog
        {...questions.discarding}
        title="Discard changes?"
        question="Your changes will be lost."
        cancelLabel="Keep editing"
        confirmLabel="Discard"
      />
    </>
  );
}

/** A stable object for the life of the list, so that a tick renders one row and not all of them. */
function useItemActions(actions: TaskItemActions): TaskItemActions {
  const latest = useRef(actions);
  useEffect(() => {
    latest.current = actions;
  });
  return useMemo(
    () => ({
      edit: (task) => latest.current.edit(task),
      remove: (task) => latest.current.remove(task),
      done: (task, added) => latest.current.done(task, added),
      leave: (task, discard) => latest.current.leave(task, discard),
      move: (task, step) => latest.current.move(task, step),
    }),
    [],
  );
}
