import { createFileRoute, Link } from "@tanstack/react-router";
import {
  CalendarX,
  CircleCheck,
  CircleDot,
  FolderOpen,
  ListChecks,
  type LucideIcon,
  MessageCircle,
} from "lucide-react";
import { useMe } from "@/features/auth/use-auth";
import { dueLines } from "@/features/calendar/due-lines";
import { DueSection } from "@/features/calendar/due-section";
import { useUnread } from "@/features/chat/use-inbox";
import { useFindings } from "@/features/findings/use-findings";
import { WorthALook } from "@/features/findings/worth-a-look";
import { RecentActivity } from "@/features/projects/recent-activity";
import { RecentProjects } from "@/features/projects/recent-projects";
import { useOverlays } from "@/features/projects/use-overlays";
import { useProjects } from "@/features/projects/use-projects";
import { groupOf } from "@/features/tasks/my-tasks";
import { useMyTasks } from "@/features/tasks/use-my-tasks";
import { cn } from "@/lib/cn";
import { requireStaff } from "@/lib/guards";
import { useFirstTry } from "@/lib/use-first-try";
import { useToday } from "@/lib/use-today";
import { messageOf } from "@/lib/user-message";
import { Delayed, useDelayedPhase } from "@/ui/delayed";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import type { PagePath } from "../../-page-link";
import { FirstStep } from "./-first-step";
import { MESSAGES } from "./-pages";

export const Route = createFileRoute("/_app/dashboard/overview")({
  beforeLoad: requireStaff,
  loader({ context: { api } }) {
    void api.tasks.mine.prefetch();
    void api.projects.history.prefetchInfinite({});
  },
  component: OverviewPage,
});

/** Numbers, what is due, and what happened; for somebody without projects and tasks the first step. */
function OverviewPage() {
  const { openModal } = useOverlays();
  const hasMessages = useMe().accountType !== "client";
  const unread = useUnread({ enabled: hasMessages });
  const mine = useMyTasks();
  const projects = useProjects({ scope: "mine" });
  const today = useToday();
  const overdueTasks = mine.data?.items.filter((task) => groupOf(task, today) === "Overdue").length;
  const failedTasks = mine.isLoadingError ? null : undefined;
  const failedProjects = projects.isLoadingError ? null : undefined;
  const isNew = mine.data?.items.length === 0 && projects.data?.items.length === 0;
  return (
    <>
      <h1 tabIndex={-1} className="mb-4 flex min-h-11 items-center text-h1 pointer-fine:min-h-9">
        Dashboard
      </h1>
      {isNew ? (
        <EmptyState
          icon={FolderOpen}
          message="No projects yet"
          action={<FirstStep onCreate={() => openModal("create")} />}
        />
      ) : (
        <>
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
      )}
    </>
  );
}

type OverviewNumbersProps = {
  /** Undefined while loading, null when it failed. */
  openTasks: number | null | undefined;
  overdueTasks: number | null | undefined;
  activeProjects: number | null | undefined;
  /** Absent for people whose messages are on another dashboard. */
  unread?: number | null | undefined;
  hasMessages: boolean;
};

/** Three or four numbers, each linking to the list it counts. */
function OverviewNumbers(props: OverviewNumbersProps) {
  const { openTasks, overdueTasks, activeProjects, unread, hasMessages } = props;
  return (
    <ul
      className={cn(
        "grid gap-px overflow-hidden rounded-card border border-line bg-line",
        hasMessages ? "grid-cols-2 sm:grid-cols-4" : "grid-cols-3",
      )}
    >
      <CountLink label="Open tasks" icon={ListChecks} count={openTasks} to="/dashboard/tasks" />
      <CountLink label="Overdue tasks" icon={CalendarX} count={overdueTasks} to="/dashboard/tasks" />
      <CountLink
        label="Active projects"
        icon={CircleDot}
        count={activeProjects}
        to="/dashboard"
        search={{ tab: "inProgress" }}
      />
      {hasMessages && <CountLink label="Unread messages" icon={MessageCircle} count={unread} to={MESSAGES} />}
    </ul>
  );
}

type CountLinkProps = {
  label: string;
  icon: LucideIcon;
  count: number | null | undefined;
  to: PagePath;
  search?: { tab?: "inProgress" };
};

function CountLink({ label, icon: Icon, count, to, search = {} }: CountLinkProps) {
  const phase = useDelayedPhase(count === undefined);
  return (
    <li className="flex">
      <Link
        to={to}
        params={{ conversationId: undefined }}
        search={search}
        className="flex flex-1 flex-col justify-between bg-raised px-3 py-3.5 transition-colors duration-90 ease-out hover:bg-hover focus-visible:-outline-offset-2 sm:px-5 sm:py-4"
      >
        <span className="flex items-start gap-2 text-dense text-ink2">
          <Icon size={16} className="mt-px shrink-0 max-sm:hidden" />
          {label}
        </span>
        <span className="mt-2 h-9 font-medium text-h2">
          {phase === "content" && (count ?? "–")}
          {phase === "skeleton" && <Skeleton className="h-8 w-10" />}
        </span>
      </Link>
    </li>
  );
}

type DueProps = { mine: ReturnType<typeof useMyTasks>; projects: ReturnType<typeof useProjects> };

function Due({ mine, projects }: DueProps) {
  const { id } = useMe();
  const today = useToday();
  const failed = [mine, projects].filter(({ isLoadingError }) => isLoadingError);
  const [failure] = failed;
  // Of the projects that one manages oneself; an admin has those of all on the page of activity.
  const managed = new Set(
    projects.data?.items.filter(({ managers }) => managers.includes(id)).map((project) => project.id),
  );
  const findings = useFindings({ enabled: managed.size > 0 });
  const isFirstTry = useFirstTry([mine, projects, findings]);
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
              <EmptyState icon={CircleCheck} message="Nothing is due in the next 7 days." />
            )}
            {overdue.length > 0 && <DueSection title="Overdue" lines={overdue} />}
            {soon.length > 0 && <DueSection title="Due soon" lines={soon} />}
            {managed.size > 0 && <WorthALook query={findings} isShown={({ projectId }) => managed.has(projectId)} />}
            {projects.data.items.length > 0 &&
              (isFirstTry ? <Skeleton className="h-60" /> : <RecentProjects projects={projects.data.items} />)}
          </div>
        );
      }}
    </Delayed>
  );
}

const ROWS = ["first", "second", "third", "fourth"];

function DueSkeleton() {
  return (
    <div>
      <Skeleton className="mb-2 h-6 w-28" />
      <div className="overflow-clip rounded-card bg-raised shadow-1">
        {ROWS.map((row) => (
          <div key={row} className="flex h-[60px] items-center gap-3 border-line border-t px-4 first:border-t-0">
            <Skeleton className="size-[18px] shrink-0" />
            <Skeleton className="h-4 w-1/2" />
            <Skeleton className="ms-auto h-3.5 w-20" />
          </div>
        ))}
      </div>
    </div>
  );
}
