import { MESSAGES } from "@server/contract/messages";
import type { Person, Project } from "@server/contract/views";
import { Building2, ExternalLink } from "lucide-react";
import type { ReactNode, Ref } from "react";
import { formatDay } from "@/lib/format";
import { Avatar } from "@/ui/avatar";
import { GitHubMark } from "@/ui/github-mark";
import { DueWords } from "./due-words";
import { clientName, peopleOf } from "./project-people";
import { isFinished } from "./project-status";
import { StatusChip } from "./status-chip";

type ProjectDetailsProps = {
  project: Project;
  /** Takes the focus when the dialog opens, so that reading starts here. */
  ref?: Ref<HTMLDivElement> | undefined;
};

/** All there is to know of a project, to read. Spec 2. */
export function ProjectDetails({ project, ref }: ProjectDetailsProps) {
  const finished = isFinished(project.status);
  return (
    <div ref={ref} tabIndex={-1} className="grid gap-5 outline-none">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-2">
        <StatusChip status={project.status} />
        <span className="flex min-w-0 items-center gap-1.5 text-ink2">
          <Building2 aria-hidden="true" size={16} strokeWidth={1.75} className="shrink-0" />
          <span className="truncate">{clientName(project)}</span>
        </span>
      </div>
      <p className="whitespace-pre-line text-reading [overflow-wrap:anywhere]">{project.description}</p>
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        <Entry term="Start date">
          <time dateTime={project.startDate}>{formatDay(project.startDate)}</time>
        </Entry>
        <Entry term="Due date">
          <DueWords due={project.dueDate} finished={finished} />
        </Entry>
        {project.githubRepo && (
          <Entry term="GitHub link">
            <OutLink href={project.githubRepo} icon={<GitHubMark />} />
          </Entry>
        )}
        {project.liveLink && (
          <Entry term="Live link">
            <OutLink
              href={project.liveLink}
              icon={<ExternalLink aria-hidden="true" size={16} strokeWidth={1.75} className="shrink-0" />}
            />
          </Entry>
        )}
        {project.projectType && <Entry term="Type">{project.projectType}</Entry>}
      </dl>
      <dl className="grid gap-x-6 gap-y-4 sm:grid-cols-2">
        <Entry term="Assigned users">
          <People people={peopleOf(project, project.assignedTo)} none={MESSAGES.projects.noAssigned} />
        </Entry>
        <Entry term="Managers">
          <People people={peopleOf(project, project.managers)} none={MESSAGES.projects.noManagers} />
        </Entry>
      </dl>
    </div>
  );
}

function Entry({ term, children }: { term: string; children: ReactNode }) {
  return (
    <div className="min-w-0">
      <dt className="mb-1 text-dense text-ink2">{term}</dt>
      <dd className="min-w-0 [overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

/** The address without what every address begins with. */
function OutLink({ href, icon }: { href: string; icon: ReactNode }) {
  return (
    <a
      href={href}
      target="_blank"
      rel="noopener noreferrer"
      className="inline-flex max-w-full items-center gap-1.5 text-brand-text underline decoration-transparent underline-offset-3 hover:decoration-current"
    >
      {icon}
      <span className="truncate">{href.replace(/^https?:\/\/(?:www\.)?/, "").replace(/\/$/, "")}</span>
    </a>
  );
}

function People({ people, none }: { people: readonly Person[]; none: string }) {
  if (people.length === 0) return <span className="text-ink2">{none}</span>;
  return (
    <ul className="grid gap-2">
      {people.map(({ id, name, profileImgLink }) => (
        <li key={id} className="flex min-w-0 items-center gap-2">
          <Avatar name={name} src={profileImgLink} size={24} />
          <span className="truncate">{name}</span>
        </li>
      ))}
    </ul>
  );
}
