import { CircleCheck } from "lucide-react";
import { useMe } from "@/features/auth/use-auth";
import { useUnread } from "@/features/chat/use-inbox";
import { useProjects } from "@/features/projects/use-projects";
import { groupOf } from "@/features/tasks/my-tasks";
import { useMyTasks } from "@/features/tasks/use-my-tasks";
import { useToday } from "@/lib/use-today";
import { messageOf } from "@/lib/user-message";
import { Delayed } from "@/ui/delayed";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import { dueLines } from "../../calendar/due-lines";
import { DueSection } from "../../calendar/due-section";
import { RecentActivity } from "../../projects/recent-activity";
import { RecentProjects } from "../../projects/recent-projects";
import { OverviewNumbers } from "./overview-numbers";

/** ?view=overview: what is due, what has happened, and how much there is. */
export function OverviewRoom() {
  const hasMessages = useMe().accountType !== "client";
  const unread = useUnread({ enabled: hasMessages });
  const mine = useMyTasks();
  const projects = useProjects({ scope: "mine" });
  const today = useToday();
  const overdueTasks = mine.data?.items.filter((task) => groupOf(task, today) === "Overdue").length;
  const failedTasks = mine.isLoadingError ? null : undefined;
  const failedProjects = projects.isLoadingError ? null : undefined;
  return (
    <>
      <h1 tabIndex={-1} className="mb-4 flex min-h-11 items-center text-h1 pointer-fine:min-h-9">
        Dashboard
      </h1>
      <OverviewNumbers
        openTasks={mine.data?.open ?? failedTasks}
        overdueTasks={overdueTasks ?? failedTasks}
        activeProjects={projects.data?.counts.inProgress ?? failedProjects}
        unread={unread}
        hasMessages={hasMessages}
      />
      <div className="mt-8 grid grid-cols-[minmax(0,1fr)] items-start gap-8 lg:grid-cols-[minmax(0,5fr)_minmax(0,4fr)]">
        <Due mine={mine} projects={projects} />
        <RecentActivity />
      </div>
    </>
  );
}

type DueProps = { mine: ReturnType<typeof useMyTasks>; projects: ReturnType<typeof useProjects> };

function Due({ mine, projects }: DueProps) {
  const today = useToday();
  const failed = [mine, projects].filter(({ isLoadingError }) => isLoadingError);
  const [failure] = failed;
  return (
    <Delayed
      pending={!failure && (!mine.data || !projects.data)}
      label="Loading what is due"
      skeleton={<DueSkeleton />}
    >
      {() => {
        if (!mine.data || !projects.data) {
          return (
            <ErrorState
              message={messageOf(failure?.error)}
              busy={failed.some(({ isFetching }) => isFetching)}
              onRetry={() => failed.forEach(({ refetch }) => void refetch())}
            />
          );
        }
        const { overdue, soon } = dueLines({ tasks: mine.data.items, projects: projects.data.items, today });
        return (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-6">
            {overdue.length + soon.length === 0 && (
              <EmptyState icon={CircleCheck} message="Nothing is due within a week." />
            )}
            {overdue.length > 0 && <DueSection title="Overdue" lines={overdue} />}
            {soon.length > 0 && <DueSection title="Due soon" lines={soon} />}
            {projects.data.items.length > 0 && <RecentProjects projects={projects.data.items} />}
          </div>
        );
      }}
    </Delayed>
  );
}

const PLACES = ["first", "second", "third", "fourth"];

function DueSkeleton() {
  return (
    <div>
      <Skeleton className="mb-2 h-6 w-28" />
      <div className="overflow-clip rounded-card bg-raised shadow-1">
        {PLACES.map((place) => (
          <div key={place} className="flex h-[60px] items-center gap-3 border-line border-t px-4 first:border-t-0">
            <Skeleton className="size-[18px] shrink-0" />
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className="ms-auto h-3.5 w-20" />
          </div>
        ))}
      </div>
    </div>
  );
}
