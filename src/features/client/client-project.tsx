import { MESSAGES } from "@server/contract/messages";
import type { Person, Project } from "@server/contract/views";
import { ChevronDown } from "lucide-react";
import { type ReactNode, useId } from "react";
import { peopleOf } from "@/features/projects/project-people";
import { StatusChip } from "@/features/projects/status-chip";
import { cn } from "@/lib/cn";
import { formatDay, formatInstant } from "@/lib/format";
import { Avatar } from "@/ui/avatar";
import { Button } from "@/ui/button";
import { cardStyle } from "@/ui/card-style";
import { ReadOnlyTasks } from "./read-only-tasks";

type ClientProjectProps = { project: Project; isOpen: boolean; onToggle: () => void };

/** One project of a client; its details come and go at once, without movement. */
export function ClientProject({ project, isOpen, onToggle }: ClientProjectProps) {
  const detailsId = useId();
  return (
    <li className={cardStyle()}>
      <article aria-label={project.title}>
        <div className="flex flex-wrap items-center justify-between gap-x-3 gap-y-2">
          <h3 className="min-w-0 text-[17px] leading-6 [overflow-wrap:anywhere]">{project.title}</h3>
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
      <dl className="grid grid-cols-2 gap-x-6 gap-y-4 sm:grid-cols-4">
        <Fact label="Start Date">
          <time dateTime={project.startDate}>{formatDay(project.startDate)}</time>
        </Fact>
        <Fact label="Due Date">
          {project.dueDate ? <time dateTime={project.dueDate}>{formatDay(project.dueDate)}</time> : "No due date"}
        </Fact>
        <Fact label="Created">
          <time dateTime={project.createdAt}>{formatInstant(new Date(project.createdAt))}</time>
        </Fact>
        <Fact label="Type">{project.projectType ?? (project.clientId ? "Client project" : "Internal project")}</Fact>
        <Fact label="Assigned Team" wide>
          <People people={peopleOf(project, project.assignedTo)} empty={MESSAGES.projects.noAssigned} />
        </Fact>
        <Fact label="Managers" wide>
          <People people={peopleOf(project, project.managers)} empty={MESSAGES.projects.noManagers} />
        </Fact>
      </dl>
      <h4 className="mt-5 mb-1 font-medium font-sans text-dense text-ink2 tracking-normal">Tasks</h4>
      <ReadOnlyTasks projectId={project.id} />
    </div>
  );
}

function Fact({ label, wide = false, children }: { label: string; wide?: boolean; children: ReactNode }) {
  return (
    <div className={cn("min-w-0", wide && "col-span-2")}>
      <dt className="text-ink3 text-meta">{label}</dt>
      <dd className="mt-1 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

function People({ people, empty }: { people: readonly Person[]; empty: string }) {
  if (people.length === 0) return <span className="text-ink2">{empty}</span>;
  return (
    <ul className="flex flex-wrap gap-x-4 gap-y-2">
      {people.map(({ id, name, profileImgLink }) => (
        <li key={id} className="flex min-w-0 items-center gap-2">
          <Avatar name={name} src={profileImgLink} size={24} />
          <span className="min-w-0">{name}</span>
        </li>
      ))}
    </ul>
  );
}
