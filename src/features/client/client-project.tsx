import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { Project } from "@server/contract/views";
import { ChevronDown } from "lucide-react";
import { useId } from "react";
import { DayFact, Fact, Facts, PeopleFact } from "@/features/projects/project-facts";
import { peopleOf } from "@/features/projects/project-people";
import { StatusChip } from "@/features/projects/status-chip";
import { ReadOnlyTasks } from "@/features/tasks/read-only-tasks";
import { cn } from "@/lib/cn";
import { formatInstant } from "@/lib/format";
import { Button } from "@/ui/button";
import { cardStyle } from "@/ui/card-style";

type ClientProjectProps = { project: Project; isOpen: boolean; onToggle: () => void };

/** One project of a client; its details come and go at once, without movement. */
export function ClientProject({ project, isOpen, onToggle }: ClientProjectProps) {
  const detailsId = useId();
  return (
    <li className={cardStyle()}>
      <article aria-label={project.title}>
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
          <h3 dir="auto" className="min-w-0 text-[17px] leading-6 [overflow-wrap:anywhere]">
            {project.title}
          </h3>
          <div className="flex items-center gap-2 max-sm:w-full max-sm:justify-between">
            <StatusChip status={project.status} />
            <Button
              size="sm"
              aria-expanded={isOpen}
              aria-controls={isOpen ? detailsId : undefined}
              aria-label={`${isOpen ? "Hide" : "Show"} Details, ${project.title}`}
              onClick={onToggle}
            >
              {isOpen ? "Hide Details" : "Show Details"}
              <ChevronDown aria-hidden="true" size={16} strokeWidth={1.75} className={cn(isOpen && "rotate-180")} />
            </Button>
          </div>
        </div>
        <p
          dir="auto"
          className={cn(
            "mt-2 max-w-[110ch] text-ink2 [overflow-wrap:anywhere]",
            isOpen ? "whitespace-pre-line" : "line-clamp-2",
          )}
        >
          {project.description}
        </p>
        {isOpen && <Details id={detailsId} project={project} />}
      </article>
    </li>
  );
}

function Details({ id, project }: { id: string; project: Project }) {
  return (
    <div id={id} className="mt-4 border-line border-t pt-4">
      <Facts>
        <DayFact label="Start date" day={project.startDate} />
        <DayFact label="Due date" day={project.dueDate} />
        <Fact label="Created">
          <time dateTime={project.createdAt}>{formatInstant(new Date(project.createdAt))}</time>
        </Fact>
        <Fact label="Type">{typeName(project)}</Fact>
        <PeopleFact
          label="Assigned Team"
          people={peopleOf(project, project.assignedTo)}
          empty={PROJECT_MESSAGES.noAssigned}
        />
        <PeopleFact label="Managers" people={peopleOf(project, project.managers)} empty={PROJECT_MESSAGES.noManagers} />
      </Facts>
      <h4 className="mt-5 mb-1 font-medium font-sans text-dense text-ink2 tracking-normal">Tasks</h4>
      <ReadOnlyTasks project={project} />
    </div>
  );
}

function typeName({ projectType, clientId }: Project): string {
  return projectType ?? (clientId ? "Client project" : "Internal project");
}
