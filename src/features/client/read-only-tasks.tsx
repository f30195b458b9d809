import { MESSAGES } from "@server/contract/messages";
import type { Task } from "@server/contract/views";
import { statusLook } from "@/features/projects/project-status";
import { useTasks } from "@/features/tasks/use-tasks";
import { cn } from "@/lib/cn";
import { formatDay } from "@/lib/format";
import { messageOf } from "@/lib/user-message";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import type { Tone } from "@/ui/tone";

const INK: Record<Tone, string> = {
  grey: "text-grey",
  green: "text-green",
  blue: "text-blue",
  orange: "text-orange",
  red: "text-red",
};

/** A project's tasks as a client sees them: a shape and a word for each status, nothing to press. */
export function ReadOnlyTasks({ projectId }: { projectId: string }) {
  const query = useTasks(projectId);
  return (
    <Delayed pending={query.isPending} label="Loading tasks" skeleton={<TasksSkeleton />}>
      {() => {
        if (!query.data) {
          return (
            <ErrorState
              className="py-6"
              message={messageOf(query.error)}
              busy={query.isFetching}
              onRetry={() => void query.refetch()}
            />
          );
        }
        if (query.data.length === 0) return <p className="py-2 text-ink2">{MESSAGES.projects.noTasks}</p>;
        return (
          <ul>
            {query.data.map((task) => (
              <TaskLine key={task.id} task={task} />
            ))}
          </ul>
        );
      }}
    </Delayed>
  );
}

function TaskLine({ task }: { task: Task }) {
  const { icon: Icon, tone, label } = statusLook(task.status);
  return (
    <li className="flex items-start gap-2.5 border-line border-b py-2.5 last:border-b-0 last:pb-0">
      <Icon aria-hidden="true" size={18} strokeWidth={1.75} className={cn("mt-px shrink-0", INK[tone])} />
      <div className="min-w-0 flex-1">
        <p className={cn("[overflow-wrap:anywhere]", task.completed && "text-ink3 line-through")}>{task.title}</p>
        <p className="text-dense text-ink2">
          {label}
          {task.dueDate && (
            <>
              {" · "}
              <time dateTime={task.dueDate}>Due {formatDay(task.dueDate)}</time>
            </>
          )}
        </p>
      </div>
    </li>
  );
}

function TasksSkeleton() {
  return (
    <div className="flex flex-col gap-2">
      {["a", "b", "c"].map((row) => (
        <Skeleton key={row} className="h-12" />
      ))}
    </div>
  );
}
