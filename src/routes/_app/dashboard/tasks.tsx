import type { MyTask, MyTasks, ProjectName } from "@server/contract/views";
import { createFileRoute, Link } from "@tanstack/react-router";
import { FolderKanban, ListChecks } from "lucide-react";
import { useMe } from "@/features/auth/use-auth";
import { PanelLink } from "@/features/projects/project-link";
import { MyTaskList, MyTasksSkeleton } from "@/features/tasks/my-task-list";
import { useMyTasks } from "@/features/tasks/use-my-tasks";
import { id, optional, type RawSearch } from "@/lib/search";
import { usePageSearch } from "@/lib/use-page-search";
import { messageOf } from "@/lib/user-message";
import { buttonStyle } from "@/ui/button-style";
import { Delayed } from "@/ui/delayed";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Select } from "@/ui/select";

export const Route = createFileRoute("/_app/dashboard/tasks")({
  validateSearch: ({ tasks }: RawSearch) => optional({ tasks: id(tasks) }),
  loader: ({ context }) => void context.api.tasks.mine.prefetch(),
  component: TasksPage,
});

/** The signed-in person's tasks across projects, grouped by due date; a client's are all tasks of their projects. */
function TasksPage() {
  const mine = useMyTasks();
  const [{ tasks: chosen }, change] = usePageSearch(Route);
  const projects = projectsOf(mine.data?.items ?? []);
  // The chosen project may have no tasks left.
  const projectId = projects.find((project) => project.id === chosen)?.id ?? "";
  return (
    <>
      <div className="mb-4 flex min-h-11 items-center justify-between gap-4 pointer-fine:min-h-9">
        <h1 tabIndex={-1} className="text-h1">
          Tasks
        </h1>
        {projects.length > 1 && (
          <Select
            variant="button"
            icon={FolderKanban}
            aria-label="Filter by project"
            value={projectId}
            onChange={({ target }) => change.replace({ tasks: target.value })}
            className="max-w-[60%] [&>select]:max-w-full"
          >
            <option value="">All projects</option>
            {projects.map(({ id, title }) => (
              <option key={id} value={id}>
                {title}
              </option>
            ))}
          </Select>
        )}
      </div>
      <Delayed pending={mine.data === undefined && mine.isPending} label="Loading tasks" skeleton={<MyTasksSkeleton />}>
        {() =>
          mine.data ? (
            <Groups mine={mine.data} projectId={projectId} />
          ) : (
            <ErrorState message={messageOf(mine.error)} busy={mine.isFetching} onRetry={() => void mine.refetch()} />
          )
        }
      </Delayed>
    </>
  );
}

function Groups({ mine, projectId }: { mine: MyTasks; projectId: string }) {
  const { items, open } = mine;
  const canEdit = useMe().accountType !== "client";
  if (items.length === 0) {
    return (
      <EmptyState
        icon={ListChecks}
        message={canEdit ? "Nothing to do right now" : "No open tasks right now"}
        action={
          <>
            <p className="max-w-[44ch] text-balance text-dense">
              {canEdit
                ? "Tasks assigned to you appear here. A new task goes to whoever adds it."
                : "The tasks of your projects appear here."}
            </p>
            <Link to="/dashboard" className={buttonStyle()}>
              Go to Projects
            </Link>
          </>
        }
      />
    );
  }
  const shown = items.filter(({ completed }) => !completed).length;
  return (
    <>
      <MyTaskList
        tasks={projectId ? items.filter((task) => task.projectId === projectId) : items}
        link={PanelLink}
        canEdit={canEdit}
      />
      {open > shown && <p className="mt-4 text-center text-dense text-ink2">{`Showing ${shown} of ${open}`}</p>}
    </>
  );
}

function projectsOf(tasks: readonly MyTask[]): ProjectName[] {
  const found = new Map(tasks.map(({ project }) => [project.id, project]));
  return [...found.values()].toSorted((one, other) => one.title.localeCompare(other.title, "en-GB"));
}
