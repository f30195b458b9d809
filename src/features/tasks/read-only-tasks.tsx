import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { Project, Task } from "@server/contract/views";
import { statusMeta } from "@/features/projects/project-status";
import { cn } from "@/lib/cn";
import { formatDay } from "@/lib/format";
import { messageOf } from "@/lib/user-message";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import type { Tone } from "@/ui/tone";
import { useTaskCommits } from "./use-task-commits";
import { useTasks } from "./use-tasks";

const INK: Record<Tone, string> = {
  grey: "text-grey",
  green: "text-green",
  blue: "text-blue",
  orange: "text-orange",
  red: "text-red",
};
/** A line of a task whose title fits, with its rule. */
const LINE_PX = 60;
const SKELETON_LINES = ["a", "b", "c"];

type ReadOnlyTasksProps = {
  project: Pick<Project, "id" | "key" | "taskCounts">;
  /** Whose answer is shown; the reader's own unless told. */
  asClientId?: string | undefined;
};

/** A project's tasks to read: a shape and a word for each status, nothing that writes. Their room is kept while they load. */
export function ReadOnlyTasks({ project, asClientId }: ReadOnlyTasksProps) {
  const query = useTasks(project.id, { asClientId });
  const minHeight = query.isPending ? project.taskCounts.total * LINE_PX : undefined;
  return (
    <div style={{ minHeight }}>
      <Delayed
        pending={query.data === undefined && query.isPending}
        label="Loading tasks"
        skeleton={<TasksSkeleton lines={project.taskCounts.total} />}
      >
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
          if (query.data.length === 0) return <p className="py-2 text-ink2">{PROJECT_MESSAGES.noTasks}</p>;
          return (
            <ul>
              {query.data.map((task) => (
                <TaskLine key={task.id} task={task} projectKey={project.key} />
              ))}
            </ul>
          );
        }}
      </Delayed>
    </div>
  );
}

function TaskLine({ task, projectKey }: { task: Task; projectKey: string }) {
  const { toggle, list } = useTaskCommits(task);
  const { icon: Icon, tone, label } = statusMeta(task.status);
  return (
    <li className="flex items-start gap-2.5 border-line border-b py-2.5 last:border-b-transparent">
      <Icon size={18} className={cn("mt-px shrink-0", INK[tone])} />
      <div className="min-w-0 flex-1">
        <p dir="auto" className={cn("[overflow-wrap:anywhere]", task.completed && "text-ink3 line-through")}>
          {task.title}
        </p>
        <p className="flex flex-wrap items-center gap-x-3 text-dense text-ink2">
          <span>
            <span className="text-ink3">{`${projectKey}-${task.number}`}</span>
            {" · "}
            {label}
            {task.dueDate && (
              <>
                {" · "}
                <time dateTime={task.dueDate}>Due {formatDay(task.dueDate)}</time>
              </>
            )}
          </span>
          {toggle}
        </p>
        {list}
      </div>
    </li>
  );
}

function TasksSkeleton({ lines }: { lines: number }) {
  return SKELETON_LINES.slice(0, Math.max(1, lines)).map((line) => (
    <div key={line} className="flex h-[60px] items-start gap-2.5 border-line border-b py-2.5 last:border-b-transparent">
      <Skeleton className="size-[18px] shrink-0 rounded-pill" />
      <div className="min-w-0 flex-1">
        <Skeleton className="h-4 w-2/5" />
        <Skeleton className="mt-2 h-3.5 w-1/5" />
      </div>
    </div>
  ));
}
