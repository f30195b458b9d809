import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { Project } from "@server/contract/views";
import type { Ref } from "react";
import { ClientLabel } from "./client-label";
import { DueLabel } from "./due-label";
import { ClientPeopleFact, DayFact, Fact, Facts, LinkFacts, PeopleFact } from "./project-facts";
import { peopleOf } from "./project-people";
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
        <ClientLabel project={project} className="text-ink2" />
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
        <ClientPeopleFact project={project} />
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
