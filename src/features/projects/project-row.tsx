import type { Project } from "@server/contract/views";
import { ChevronRight, Trash2 } from "lucide-react";
import { memo } from "react";
import { ClientLabel } from "@/features/projects/client-label";
import { DueLabel } from "@/features/projects/due-label";
import { isFinished } from "@/features/projects/project-status";
import { StatusChip } from "@/features/projects/status-chip";
import { cn } from "@/lib/cn";
import { rowAction, rowMark } from "@/lib/use-row-focus";
import { IconButton } from "@/ui/icon-button";
import { ProjectRowDetails } from "./project-row-details";
import { headerId } from "./use-open-in-view";

/** Rows outside the viewport are neither laid out nor painted. Not for open rows, whose height varies. */
const SKIPPED =
  "[content-visibility:auto] [contain-intrinsic-height:auto_98px] sm:[contain-intrinsic-height:auto_78px] lg:[contain-intrinsic-height:auto_52px]";

type ProjectRowProps = {
  project: Project;
  isOpen: boolean;
  /** Far down a list. On a first screen such rows would count as layout shift. */
  skippable: boolean;
  onToggle: (projectId: string) => void;
  onEdit: (project: Project) => void;
  onEditNear: () => void;
  onDelete: (project: Project) => void;
  onDeleteNear: () => void;
};

/**
 * A project in the list of all. The title's button covers the header and the delete button lies above it, so that no control is
 * nested in another. Memoized, since lists grow long.
 */
export const ProjectRow = memo(function ProjectRow(props: ProjectRowProps) {
  const { project, isOpen, skippable, onToggle, onEdit, onEditNear, onDelete, onDeleteNear } = props;
  const id = headerId(project.id);
  return (
    <li
      data-project={project.id}
      {...rowMark(project.id)}
      className={cn("border-line border-t first:border-t-0", skippable && !isOpen && SKIPPED)}
    >
      <article aria-labelledby={id}>
        <div
          className={cn(
            "relative grid grid-cols-[18px_minmax(0,1fr)_auto] gap-x-2.5 px-3 py-2.5 transition-colors duration-90 ease-out sm:px-4",
            "lg:min-h-[52px] lg:grid-cols-[18px_minmax(0,1fr)_118px_minmax(0,180px)_176px_28px] lg:items-center lg:gap-x-4 lg:py-1.5",
            "hover:bg-hover/60",
          )}
        >
          <ChevronRight size={18} className={cn("mt-[3px] text-ink3 lg:mt-0", isOpen && "rotate-90")} />
          <h2 className="flex min-w-0 items-baseline gap-2.5 font-medium font-sans text-reading tracking-normal lg:text-body">
            <button
              type="button"
              id={id}
              {...rowAction}
              aria-expanded={isOpen}
              aria-controls={isOpen ? `${id}-details` : undefined}
              aria-describedby={`${id}-about`}
              onClick={() => onToggle(project.id)}
              className={cn(
                "min-w-0 text-start outline-none [overflow-wrap:anywhere]",
                !isOpen && "lg:truncate",
                "after:absolute after:inset-0 focus-visible:after:outline-2 focus-visible:after:outline-ring focus-visible:after:-outline-offset-2",
              )}
            >
              {project.title}
            </button>
            <span className="shrink-0 font-normal text-ink3 text-meta max-sm:hidden">{project.key}</span>
          </h2>
          <div
            id={`${id}-about`}
            className="col-span-2 col-start-2 row-start-2 mt-1.5 flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1.5 text-dense text-ink2 lg:contents"
          >
            <StatusChip status={project.status} />
            <ClientLabel project={project} />
            <DueLabel due={project.dueDate} finished={isFinished(project.status)} />
          </div>
          <IconButton
            icon={Trash2}
            size="sm"
            label={`Delete project: ${project.title}`}
            onClick={() => onDelete(project)}
            onPointerEnter={onDeleteNear}
            onFocus={onDeleteNear}
            className="z-1 col-start-3 row-start-1 pointer-coarse:-my-2 pointer-coarse:-me-2 max-sm:pointer-coarse:-my-2.5 max-sm:pointer-fine:-my-0.5 lg:col-start-6"
          />
        </div>
        {isOpen && <ProjectRowDetails id={`${id}-details`} project={project} onEdit={onEdit} onEditNear={onEditNear} />}
      </article>
    </li>
  );
});
