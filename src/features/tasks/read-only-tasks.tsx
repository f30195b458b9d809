import type { TaskStatus } from "@db/enums";
import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { Project, Task } from "@server/contract/views";
import { DueLabel } from "@/features/projects/due-label";
import { PanelLink } from "@/features/projects/project-link";
import { peopleOf } from "@/features/projects/project-people";
import { statusMeta } from "@/features/projects/project-status";
import { cn } from "@/lib/cn";
import { messageOf } from "@/lib/user-message";
import { Delayed } from "@/ui/delayed";
import { ErrorState } from "@/ui/error-state";
import { MarkdownText } from "@/ui/markdown-text";
import { Skeleton } from "@/ui/skeleton";
import type { Tone } from "@/ui/tone";
import { VisuallyHidden } from "@/ui/visually-hidden";
import { useTaskCommits } from "./use-task-commits";
import { useTasks } from "./use-tasks";

const INK: Record<Tone, string> = {
  grey: "text-grey",
  green: "text-green",
  blue: "text-blue",
  orange: "text-orange",
  red: "text-red",
};
/** The height of a task whose title and description each fit on one line, with its border. */
const LINE_PX = 86;
const SKELETON_LINES = ["a", "b", "c"];

type ReadOnlyTasksProps = {
  project: Pick<Project, "id" | "key" | "taskCounts" | "people">;
  /** The client whose portal an admin views. */
  asClientId?: string | undefined;
  /** True while what stands above has no height yet: it would push the tasks away from under a press. */
  wait?: boolean;
};

/** A project's tasks, read-only, with an icon and a label for each status. Their space is reserved while they load. */
export function ReadOnlyTasks({ project, asClientId, wait = false }: ReadOnlyTasksProps) {
  const query = useTasks(project.id, { asClientId });
  const pending = wait || (query.data === undefined && query.isPending);
  const minHeight = pending ? project.taskCounts.total * LINE_PX : undefined;
  return (
    <div style={{ minHeight }}>
      <Delayed pending={pending} label="Loading tasks" skeleton={<TasksSkeleton lines={project.taskCounts.total} />}>
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
                <TaskLine key={task.id} task={task} project={project} />
              ))}
            </ul>
          );
        }}
      </Delayed>
    </div>
  );
}

function TaskLine({ task, project }: { task: Task; project: ReadOnlyTasksProps["project"] }) {
  const { toggle, list } = useTaskCommits(task);
  const { title, description, status, completed, dueDate, number } = task;
  const names = peopleOf(project, task.assignedTo).map(({ name }) => name);
  return (
    <li className="flex items-start gap-2.5 border-line border-b py-2.5 last:border-b-transparent">
      <TaskStatusIcon status={status} className="mt-px" />
      <div className="min-w-0 flex-1">
        <p dir="auto" className="[overflow-wrap:anywhere]">
          <PanelLink
            projectId={project.id}
            taskKey={`${project.key}-${number}`}
            className={cn(
              "-my-1 inline-block min-h-6 py-1 underline decoration-transparent underline-offset-3 hover:decoration-current",
              completed && "text-ink3 line-through",
            )}
          >
            {title}
          </PanelLink>
        </p>
        <MarkdownText text={description} className="mt-0.5 max-w-[110ch] text-dense text-ink2" />
        <p className="mt-1 flex flex-wrap items-center gap-x-3 gap-y-1 text-dense text-ink2">
          <span>
            <span className="text-ink3">{`${project.key}-${number}`}</span>
            {" · "}
            {statusMeta(status).label}
          </span>
          {dueDate && <DueLabel due={dueDate} finished={completed} size={14} />}
          {names.length > 0 && (
            <span className="min-w-0 [overflow-wrap:anywhere]">
              <VisuallyHidden>Assigned to </VisuallyHidden>
              {names.join(", ")}
            </span>
          )}
          {toggle}
        </p>
        {list}
      </div>
    </li>
  );
}

/** The status icon of a task in place of its checkbox. Show the status label beside it. */
export function TaskStatusIcon({ status, className }: { status: TaskStatus; className?: string | undefined }) {
  const { icon: Icon, tone } = statusMeta(status);
  return <Icon size={18} className={cn("shrink-0", INK[tone], className)} />;
}

function TasksSkeleton({ lines }: { lines: number }) {
  // As high as the sentence that comes.
  if (lines === 0) return <p className="py-2">&nbsp;</p>;
  return SKELETON_LINES.slice(0, lines).map((line) => (
    <div key={line} className="flex h-[86px] items-start gap-2.5 border-line border-b py-2.5 last:border-b-transparent">
      <Skeleton className="size-[18px] shrink-0 rounded-pill" />
      <div className="min-w-0 flex-1">
        <Skeleton className="h-4 w-2/5" />
        <Skeleton className="mt-2.5 h-3.5 w-3/5" />
        <Skeleton className="mt-2.5 h-3.5 w-1/5" />
      </div>
    </div>
  ));
}
