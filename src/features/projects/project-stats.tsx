import type { Project } from "@server/contract/views";
import { CircleCheck, CircleDot, CirclePause, Layers } from "lucide-react";
import { useDelayedPhase } from "@/ui/delayed";
import { Skeleton } from "@/ui/skeleton";

type ProjectStatsProps = {
  /** The projects could not be loaded: each number is a dash, and the list shows the error. */
  failed?: boolean | undefined;
  /** Undefined while loading: the cards are shown without numbers. */
  projects: readonly Project[] | undefined;
};

/** The four numbers above a client's projects. Design 3.9. */
export function ProjectStats({ projects, failed = false }: ProjectStatsProps) {
  const phase = useDelayedPhase(!projects && !failed);
  const countOf = (status: Project["status"]) => projects?.filter((project) => project.status === status).length;
  const stats = [
    { label: "Active Projects", icon: CircleDot, count: countOf("inProgress") },
    { label: "Completed Projects", icon: CircleCheck, count: countOf("completed") },
    { label: "On Hold", icon: CirclePause, count: countOf("on-hold") },
    { label: "Total Projects", icon: Layers, count: projects?.length },
  ];
  return (
    <dl className="mt-4 grid grid-cols-2 gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-4">
      {stats.map(({ label, icon: Icon, count }) => (
        <div key={label} className="flex flex-col justify-between bg-raised px-4 py-4 sm:px-5">
          <dt className="flex items-start gap-2 text-dense text-ink2">
            <Icon size={16} className="mt-px shrink-0" />
            {label}
          </dt>
          <dd className="mt-2 h-9 font-medium text-h2">
            {phase === "content" && (count ?? "–")}
            {phase === "skeleton" && <Skeleton className="h-8 w-10" />}
          </dd>
        </div>
      ))}
    </dl>
  );
}
