import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { Project } from "@server/contract/views";
import { Building2 } from "lucide-react";
import type { Ref } from "react";
import { DueLabel } from "./due-label";
import { DayFact, Fact, Facts, LinkFacts, PeopleFact } from "./project-facts";
import { clientName, peopleOf } from "./project-people";
import { isFinished } from "./project-status";
import { StatusChip } from "./status-chip";

type ProjectDetailsProps = {
  project: Project;
  /** Focused when the dialog opens, so that screen readers start here. */
  ref?: Ref<HTMLDivElement> | undefined;
};

/** All fields of a project, read-only. Spec 2. */
export function ProjectDetails({ project, ref }: ProjectDetailsProps) {
  return (
    <div ref={ref} tabIndex={-1} className="grid gap-5 outline-none">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <StatusChip status={project.status} />
        <span className="flex min-w-0 items-center gap-1.5 text-ink2">
          <Building2 size={16} className="shrink-0" />
          <bdi className="truncate">{clientName(project)}</bdi>
        </span>
      </div>
      <p dir="auto" className="whitespace-pre-line text-reading [overflow-wrap:anywhere]">
        {project.description}
      </p>
      <Facts>
        <DayFact label="Start date" day={project.startDate} />
        <Fact label="Due date">
          <DueLabel due={project.dueDate} finished={isFinished(project.status)} prefix="none" />
        </Fact>
        <LinkFacts project={project} />
        <PeopleFact
          label="Assigned users"
          people={peopleOf(project, project.assignedTo)}
          empty={PROJECT_MESSAGES.noAssigned}
        />
        <PeopleFact label="Managers" people={peopleOf(project, project.managers)} empty={PROJECT_MESSAGES.noManagers} />
        {project.projectType && (
          <Fact label="Type" wide>
            <bdi>{project.projectType}</bdi>
          </Fact>
        )}
      </Facts>
    </div>
  );
}
