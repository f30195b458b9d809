import { Link } from "@tanstack/react-router";
import { CalendarX, CircleDot, ListChecks, type LucideIcon, MessageCircle } from "lucide-react";
import { cn } from "@/lib/cn";
import { useDelayedPhase } from "@/ui/delayed";
import { Skeleton } from "@/ui/skeleton";
import type { BoardSearch } from "../board-search";

type OverviewNumbersProps = {
  /** Undefined until known, null when it could not be read. */
  openTasks: number | null | undefined;
  overdueTasks: number | null | undefined;
  activeProjects: number | null | undefined;
  /** Absent for those who have their messages elsewhere. */
  unread?: number | null | undefined;
  hasMessages: boolean;
};

/** Three or four numbers, each a link to the list that it counts. */
export function OverviewNumbers(props: OverviewNumbersProps) {
  const { openTasks, overdueTasks, activeProjects, unread, hasMessages } = props;
  return (
    <ul
      className={cn(
        "grid gap-px overflow-hidden rounded-card border border-line bg-line",
        hasMessages ? "grid-cols-2 sm:grid-cols-4" : "grid-cols-3",
      )}
    >
      <CountLink label="Open tasks" icon={ListChecks} count={openTasks} search={{ view: "tasks" }} />
      <CountLink label="Overdue tasks" icon={CalendarX} count={overdueTasks} search={{ view: "tasks" }} />
      <CountLink label="Active projects" icon={CircleDot} count={activeProjects} search={{ tab: "inProgress" }} />
      {hasMessages && (
        <CountLink label="Unread messages" icon={MessageCircle} count={unread} search={{ view: "messages" }} />
      )}
    </ul>
  );
}

type CountLinkProps = {
  label: string;
  icon: LucideIcon;
  count: number | null | undefined;
  search: BoardSearch;
};

function CountLink({ label, icon: Icon, count, search }: CountLinkProps) {
  const phase = useDelayedPhase(count === undefined);
  return (
    <li className="flex">
      <Link
        to="/dashboard"
        search={search}
        preload={false}
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
