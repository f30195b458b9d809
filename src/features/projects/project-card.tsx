import { PROJECT_STATUSES, type ProjectStatus } from "@db/enums";
import type { Me, Person, Project } from "@server/contract/views";
import { Copy, Ellipsis, ExternalLink, Eye, LayoutTemplate, Link2, ListChecks, Pencil } from "lucide-react";
import { type ComponentType, memo, type ReactNode } from "react";
import { cn } from "@/lib/cn";
import { rowMark } from "@/lib/use-row-focus";
import { ActionMenu } from "@/ui/action-menu";
import { AvatarStack } from "@/ui/avatar-stack";
import { cardStyle } from "@/ui/card-style";
import { GitHubMark } from "@/ui/github-mark";
import { IconButton } from "@/ui/icon-button";
import type { MenuEntry } from "@/ui/menu-entry";
import { ProgressThread } from "@/ui/progress-thread";
import { ClientLabel } from "./client-label";
import { DueLabel } from "./due-label";
import { mayManage, peopleOf } from "./project-people";
import { isFinished, statusMeta } from "./project-status";
import { StatusChip } from "./status-chip";

/** The actions of a card's menu. Keep the object stable between renders. */
export interface ProjectActions {
  openTasks: (project: Project) => void;
  view: (project: Project) => void;
  edit: (project: Project) => void;
  move: (project: Project, status: ProjectStatus) => void;
  duplicate: (project: Project) => void;
  saveAsTemplate: (project: Project) => void;
  copyLink: (project: Project) => void;
}

/** The link that opens a project's panel. The page provides it, because it knows the address. */
export type ProjectLink = ComponentType<ProjectLinkProps>;
export interface ProjectLinkProps {
  project: Project;
  id: string;
  className: string;
  "aria-current": "true" | undefined;
  children: ReactNode;
}

type ProjectCardProps = {
  project: Project;
  /** Who looks at it: asked for once for all cards, as a board may have hundreds. */
  me: Me;
  /** Its panel is open. */
  selected: boolean;
  /** Just created. */
  fresh: boolean;
  link: ProjectLink;
  actions: ProjectActions;
};

/** The id of a card's link, which is focused when the panel or dialog it opened is closed. */
export function cardLinkId(projectId: string): string {
  return `project-${projectId}`;
}

/**
 * A project on the board, always 198 px high. The title's link covers the card and the other controls lie above it, so that no
 * control is nested in another and a middle click opens the panel's address.
 */
export const ProjectCard = memo(function ProjectCard({
  project,
  me,
  selected,
  fresh,
  link: Link,
  actions,
}: ProjectCardProps) {
  const { title, description, taskCounts, githubRepo, liveLink } = project;
  const finished = isFinished(project.status);
  const isManager = mayManage(me, project);
  return (
    <article
      data-project={project.id}
      {...rowMark(project.id)}
      className={cn(
        cardStyle({ selected, pad: false }),
        "group/card relative flex h-[198px] flex-col p-4 data-dragged:opacity-50",
        !selected && "hover:outline hover:outline-line-strong/60",
        fresh && "outline-2! outline-brand! -outline-offset-1!",
      )}
    >
      <div className="-mt-1 flex items-center gap-2 pe-8">
        <h3 dir="auto" className="min-w-0 flex-1 truncate text-reading leading-7">
          {/* Not by `group-*`: the browser would restyle everything in each row of any list that becomes draggable. */}
          <Link
            project={project}
            aria-current={selected ? "true" : undefined}
            id={cardLinkId(project.id)}
            className="outline-none after:absolute after:inset-0 after:rounded-card data-pressed:after:outline-2 data-pressed:after:outline-ring data-pressed:after:-outline-offset-1 [[draggable=true]_&]:after:cursor-grab focus-visible:after:outline-2 focus-visible:after:outline-ring focus-visible:after:outline-offset-2"
          >
            {title}
          </Link>
        </h3>
        {(project.status === "on-hold" || project.status === "cancelled") && <StatusChip status={project.status} />}
      </div>
      <p dir="auto" className="mt-1 line-clamp-2 h-10 text-dense leading-5 text-ink2 [overflow-wrap:anywhere]">
        {description}
      </p>
      <div className="mt-2.5 flex h-5 items-center gap-3.5 text-dense text-ink2">
        <ClientLabel project={project} />
        <DueLabel due={project.dueDate} finished={finished} className="shrink-0" />
      </div>
      <div className="mt-2 flex h-7 items-center justify-between gap-3 text-dense text-ink2">
        <span className="flex items-center gap-1.5">
          {githubRepo && (
            <CardLink href={githubRepo} name={`GitHub, ${title}`}>
              <GitHubMark />
              GitHub
            </CardLink>
          )}
          {liveLink && (
            <CardLink href={liveLink} name={`Live, ${title}`}>
              <ExternalLink size={16} className="shrink-0" />
              Live
            </CardLink>
          )}
        </span>
        <Team project={project} />
      </div>
      <ProgressThread
        done={taskCounts.completed}
        total={taskCounts.total}
        emptyLabel="No tasks yet"
        className="mt-auto"
      />
      {/* Last in the focus order, though shown at the top. */}
      <div className="absolute end-2.5 top-3 z-1 pointer-coarse:end-1 pointer-coarse:top-1">
        <ActionMenu
          label={`Actions for ${title}`}
          trigger={<IconButton icon={Ellipsis} label={`More actions for ${title}`} size="sm" />}
          entries={menuOf(project, { actions, isManager })}
        />
      </div>
    </article>
  );
});

function menuOf(
  project: Project,
  { actions, isManager }: { actions: ProjectActions; isManager: boolean },
): MenuEntry[] {
  const { canEdit } = project;
  const moves: MenuEntry = {
    kind: "group",
    label: "Move to",
    entries: PROJECT_STATUSES.map((status) => {
      const { icon, label } = statusMeta(status);
      return { label, icon, checked: project.status === status, onSelect: () => actions.move(project, status) };
    }),
  };
  return [
    { label: "Open tasks", icon: ListChecks, onSelect: () => actions.openTasks(project) },
    { label: "View details", icon: Eye, onSelect: () => actions.view(project) },
    ...(canEdit ? [{ label: "Edit Project", icon: Pencil, onSelect: () => actions.edit(project) }, moves] : []),
    { kind: "separator" },
    ...(canEdit ? [{ label: "Duplicate", icon: Copy, onSelect: () => actions.duplicate(project) }] : []),
    ...(isManager
      ? [{ label: "Save as template", icon: LayoutTemplate, onSelect: () => actions.saveAsTemplate(project) }]
      : []),
    { label: "Copy link", icon: Link2, onSelect: () => actions.copyLink(project) },
  ];
}

type CardLinkProps = { href: string; name: string; children: ReactNode };

function CardLink({ href, name, children }: CardLinkProps) {
  return (
    <a
      href={href}
      draggable={false}
      target="_blank"
      rel="noopener noreferrer"
      aria-label={name}
      className="no-url relative z-1 -ms-1 inline-flex h-7 items-center gap-1.5 rounded-control px-1 pe-2 hover:text-ink hover:underline pointer-coarse:h-11"
    >
      {children}
    </a>
  );
}

/** Assigned people and managers, each once. */
function Team({ project }: { project: Project }) {
  const people = peopleOf(project, [...new Set([...project.assignedTo, ...project.managers])]);
  if (people.length === 0) return null;
  return <AvatarStack label="People" people={people.map(asStackPerson)} max={4} />;
}

function asStackPerson({ id, name, profileImgLink }: Person) {
  return { id, name, src: profileImgLink };
}
