import { FolderKanban, ListChecks } from "lucide-react";
import { useId } from "react";
import { DueLabel } from "@/features/projects/due-label";
import { PanelLink } from "@/features/projects/project-link";
import { CountBadge } from "@/ui/count-badge";
import type { DueLine } from "./due-lines";

/** What is due, each a link to its panel or its page. */
export function DueSection({ title, lines }: { title: string; lines: readonly DueLine[] }) {
  const headingId = useId();
  return (
    <section aria-labelledby={headingId}>
      <h2 id={headingId} aria-label={`${title}, ${lines.length}`} className="mb-2 flex items-center gap-2 text-reading">
        {title}
        <CountBadge count={lines.length} />
      </h2>
      <ul className="overflow-clip rounded-card bg-raised shadow-1">
        {lines.map((line) => (
          <Line key={`${line.kind} ${line.id}`} line={line} />
        ))}
      </ul>
    </section>
  );
}

function Line({ line: { kind, projectId, taskKey, title, subtitle, due } }: { line: DueLine }) {
  const Icon = kind === "task" ? ListChecks : FolderKanban;
  return (
    <li className="relative grid grid-cols-[18px_minmax(0,1fr)] items-center gap-x-3 gap-y-1 border-line border-t px-4 py-2.5 transition-colors duration-90 ease-out first:border-t-0 hover:bg-hover sm:grid-cols-[18px_minmax(0,1fr)_auto]">
      <Icon size={18} className="text-ink3" />
      <div className="min-w-0">
        <PanelLink
          projectId={projectId}
          taskKey={taskKey}
          className="block truncate font-medium outline-none after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-ring focus-visible:after:-outline-offset-2"
        >
          <bdi>{title}</bdi>
        </PanelLink>
        <p className="truncate text-dense text-ink2">{kind === "task" ? subtitle : `Project ${subtitle}`}</p>
      </div>
      <DueLabel due={due} finished={false} className="text-dense max-sm:col-start-2" />
    </li>
  );
}
