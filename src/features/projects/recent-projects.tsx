import type { Project } from "@server/contract/views";
import { useId } from "react";
import { StatusChip } from "@/features/projects/status-chip";
import { Moment } from "@/ui/moment";
import { PanelLink } from "./project-link";

const MAX_SHOWN = 5;

/** The projects changed last, newest first. */
export function RecentProjects({ projects }: { projects: readonly Project[] }) {
  const headingId = useId();
  const latest = projects.toSorted((one, other) => other.updatedAt.localeCompare(one.updatedAt)).slice(0, MAX_SHOWN);
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} className="mb-2 text-reading">
        Recently changed
      </h2>
      <ul className="overflow-clip rounded-card bg-raised shadow-1">
        {latest.map((project) => (
          <Line key={project.id} project={project} />
        ))}
      </ul>
    </section>
  );
}

function Line({ project: { id, title, status, taskCounts, updatedAt } }: { project: Project }) {
  const { total, completed } = taskCounts;
  return (
    <li className="relative flex items-center gap-3 border-line border-t px-4 py-2.5 transition-colors duration-90 ease-out first:border-t-0 hover:bg-hover">
      <div className="min-w-0 flex-1">
        <PanelLink
          projectId={id}
          className="block truncate font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-ring focus-visible:after:-outline-offset-2"
        >
          <bdi>{title}</bdi>
        </PanelLink>
        <p className="truncate text-dense text-ink2">
          {total > 0 ? `${completed} of ${total} tasks done` : "No tasks yet"}
          {" · "}
          <Moment at={updatedAt} />
        </p>
      </div>
      <StatusChip status={status} />
    </li>
  );
}
