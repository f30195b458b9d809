import { MESSAGES } from "@server/contract/messages";
import type { Project, Task } from "@server/contract/views";
import { ListChecks } from "lucide-react";
import { useId, useRef, useState } from "react";
import { messageOf } from "@/lib/user-message";
import { ConfirmDialog } from "@/ui/confirm-dialog";
import { Delayed } from "@/ui/delayed";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import { deleteButtonId, TaskRow } from "./task-row";
import { useGlide, useSettledOrder } from "./use-settled-order";
import { useDeleteTask, useTasks } from "./use-tasks";

type TaskListProps = {
  project: Project;
  /** What no tasks are called here: the panel and the dialog have sentences of their own. Spec 2. */
  emptyMessage: string;
  /** Where the focus goes when the last row has left. */
  afterLast: () => HTMLElement | null;
};

/** A project's tasks with their three faces: loading, empty or there, and failed with Retry. */
export function TaskList({ project, emptyMessage, afterLast }: TaskListProps) {
  const tasks = useTasks(project.id);
  if (tasks.isLoadingError) {
    return <ErrorState message={messageOf(tasks.error)} busy={tasks.isFetching} onRetry={() => void tasks.refetch()} />;
  }
  return (
    <Delayed pending={tasks.isPending} label="Loading tasks" skeleton={<RowSkeletons />}>
      {() =>
        tasks.data && tasks.data.length > 0 ? (
          <Rows tasks={tasks.data} project={project} afterLast={afterLast} />
        ) : (
          <EmptyState icon={ListChecks} message={emptyMessage} />
        )
      }
    </Delayed>
  );
}

function Rows({ tasks, project, afterLast }: { tasks: readonly Task[] } & Omit<TaskListProps, "emptyMessage">) {
  const listId = useId();
  const list = useRef<HTMLUListElement>(null);
  const ordered = useSettledOrder(tasks);
  const remove = useDeleteTask(project.id);
  const [asked, setAsked] = useState<Task | null>(null);
  const focusNext = useRef<string | null>(null);
  useGlide(list, ordered.map(({ id }) => id).join());

  const rowId = (id: string) => `${listId}-${id}`;

  function ask(task: Task): void {
    focusNext.current = task.id;
    setAsked(task);
  }
  function confirm(): void {
    if (!asked) return;
    const at = ordered.findIndex(({ id }) => id === asked.id);
    focusNext.current = (ordered[at + 1] ?? ordered[at - 1])?.id ?? null;
    setAsked(null);
    void remove(asked);
  }
  return (
    <>
      <ul ref={list} aria-label="Tasks" className="border-line border-b">
        {ordered.map((task) => (
          <TaskRow key={task.id} task={task} project={project} rowId={rowId(task.id)} onDelete={() => ask(task)} />
        ))}
      </ul>
      <ConfirmDialog
        open={asked !== null}
        onOpenChange={(open) => !open && setAsked(null)}
        title="Delete task"
        question={MESSAGES.tasks.confirmDelete}
        confirmLabel="Delete"
        onConfirm={confirm}
        finalFocus={() =>
          (focusNext.current && document.getElementById(deleteButtonId(rowId(focusNext.current)))) || afterLast()
        }
      >
        <p className="font-semibold">{asked?.title}</p>
      </ConfirmDialog>
    </>
  );
}

const PLACES = ["first", "second", "third", "fourth"];

function RowSkeletons() {
  return (
    <div>
      {PLACES.map((place) => (
        <div key={place} className="flex gap-3 border-line border-t px-(--row-inset,20px) py-3">
          <Skeleton className="size-5" />
          <div className="flex-1">
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className="mt-2 h-3.5 w-5/6" />
          </div>
        </div>
      ))}
    </div>
  );
}
