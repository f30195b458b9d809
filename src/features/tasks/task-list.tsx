import type { Project } from "@server/contract/views";
import { messageOf } from "@/lib/user-message";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import { TaskRows } from "./task-rows";
import { useTasks } from "./use-tasks";

type TaskListProps = {
  project: Project;
  /** The message of an empty list, which differs between panel and dialog. Spec 2. */
  emptyMessage: string;
  /** Where the focus goes when the last row is gone. */
  afterLast: () => HTMLElement | null;
};

/** A project's tasks: loading, loaded or empty, or failed with Retry. */
export function TaskList({ project, emptyMessage, afterLast }: TaskListProps) {
  const tasks = useTasks(project.id);
  if (tasks.isLoadingError) {
    return <ErrorState message={messageOf(tasks.error)} busy={tasks.isFetching} onRetry={() => void tasks.refetch()} />;
  }
  return (
    <Delayed pending={tasks.data === undefined && tasks.isPending} label="Loading tasks" skeleton={<RowSkeletons />}>
      {() =>
        tasks.data && (
          <TaskRows
            key={project.id}
            tasks={tasks.data}
            project={project}
            emptyMessage={emptyMessage}
            afterLast={afterLast}
          />
        )
      }
    </Delayed>
  );
}

const SKELETON_KEYS = ["first", "second", "third", "fourth"];

function RowSkeletons() {
  return (
    <div>
      {SKELETON_KEYS.map((key) => (
        <div key={key} className="flex gap-3 border-line border-t px-(--row-inset,20px) py-3">
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
