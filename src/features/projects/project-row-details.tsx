import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { Project } from "@server/contract/views";
import { Link } from "@tanstack/react-router";
import { Eye, ListChecks, Pencil } from "lucide-react";
import { lazy, Suspense } from "react";
import {
  ClientPeopleFact,
  CreatedFact,
  DayFact,
  Fact,
  Facts,
  LinkFacts,
  PeopleFact,
} from "@/features/projects/project-facts";
import { clientName, peopleOf } from "@/features/projects/project-people";
import { tabOf } from "@/features/projects/project-status";
import { ReadOnlyTasks } from "@/features/tasks/read-only-tasks";
import { Button } from "@/ui/button";
import { buttonStyle } from "@/ui/button-style";

/** With its dialog, which the first load does without. */
const ProjectCopies = lazy(() =>
  import("@/features/templates/project-copies").then((module) => ({ default: module.ProjectCopies })),
);

type ProjectRowDetailsProps = {
  id: string;
  project: Project;
  onEdit: (project: Project) => void;
  onEditNear: () => void;
};

/** The details of an opened row, with links to the board. Spec 2, Projects tab. */
export function ProjectRowDetails({ id, project, onEdit, onEditNear }: ProjectRowDetailsProps) {
  const { completed, total } = project.taskCounts;
  const tab = tabOf(project.status);
  const onBoard = { tab: tab === "todo" ? undefined : tab };
  return (
    <div id={id} className="px-3 pt-1 pb-5 sm:ps-[44px] sm:pe-4 lg:ps-[50px]">
      <p className="max-w-[110ch] whitespace-pre-line text-ink2 [overflow-wrap:anywhere]">{project.description}</p>
      <Facts className="mt-4">
        <Fact label="Client">{clientName(project)}</Fact>
        <DayFact label="Start date" day={project.startDate} />
        <DayFact label="Due date" day={project.dueDate} />
        <CreatedFact at={project.createdAt} />
        <ClientPeopleFact project={project} />
        <PeopleFact
          label="Assigned users"
          people={peopleOf(project, project.assignedTo)}
          empty={PROJECT_MESSAGES.noAssigned}
        />
        <PeopleFact label="Managers" people={peopleOf(project, project.managers)} empty={PROJECT_MESSAGES.noManagers} />
        <LinkFacts project={project} />
        {project.projectType && <Fact label="Type">{project.projectType}</Fact>}
      </Facts>
      <h3 className="mt-5 mb-1 font-medium font-sans text-dense text-ink2 tracking-normal">
        Tasks{total > 0 && `, ${completed} of ${total} done`}
      </h3>
      <ReadOnlyTasks project={project} />
      <div className="mt-4 flex flex-wrap gap-2">
        <Link to="/dashboard" search={{ ...onBoard, panel: project.id }} className={buttonStyle({ size: "sm" })}>
          <ListChecks size={16} />
          Open tasks
        </Link>
        <Button
          size="sm"
          icon={<Pencil size={16} />}
          onPointerEnter={onEditNear}
          onFocus={onEditNear}
          onClick={() => onEdit(project)}
        >
          Edit Project
        </Button>
        {project.client?.accountType === "client" && (
          <Link
            to="/admin/clients/$clientId"
            params={{ clientId: project.client.id }}
            aria-label={`See as this client, ${project.client.name}`}
            className={buttonStyle({ size: "sm" })}
          >
            <Eye size={16} />
            See as this client
          </Link>
        )}
        {/* Last: it comes later, and would push the others on. */}
        <Suspense>
          <ProjectCopies project={project} size="sm" />
        </Suspense>
      </div>
    </div>
  );
}
