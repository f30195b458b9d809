import type { Project } from "@server/contract/views";
import { type CSSProperties, memo } from "react";
import { useProgressiveCount } from "@/lib/use-progressive-count";
import { Skeleton } from "@/ui/skeleton";
import { ProjectRow } from "./project-row";
import { useOpenInView } from "./use-open-in-view";

/** More than a first screen holds. Below them, rows outside the viewport are neither laid out nor painted. */
const FIRST_ROWS = 40;
/** Rows added at a time, so that a long list never blocks the page. */
const MORE_ROWS = 80;
const LIST = "overflow-hidden rounded-card border border-line bg-raised";
const SKELETON_KEYS = ["first", "second", "third", "fourth", "fifth", "sixth"];

type ProjectRowsProps = {
  projects: readonly Project[];
  /** Identifies the list: another filter starts at the top again. */
  filter: string;
  /** The projects whose details are open. */
  open: readonly string[];
  onToggle: (projectId: string) => void;
  onEdit: (project: Project) => void;
  onDelete: (project: Project) => void;
  /** The pointer or the focus is on a delete button. */
  onEditNear: () => void;
  onDeleteNear: () => void;
};

/** The rows of "All Projects". */
export const ProjectRows = memo(function ProjectRows({ projects, filter, open, ...row }: ProjectRowsProps) {
  const count = useProgressiveCount(filter, projects.length, { first: FIRST_ROWS, step: MORE_ROWS });
  const drawn = count < projects.length ? projects.slice(0, count) : projects;
  useOpenInView(open[0], drawn);
  return (
    <ul aria-label="All Projects" className={LIST}>
      {drawn.map((project, at) => (
        <ProjectRow
          key={project.id}
          {...row}
          project={project}
          isOpen={open.includes(project.id)}
          skippable={at >= FIRST_ROWS}
        />
      ))}
      {drawn.length < projects.length && <Rest count={projects.length - drawn.length} />}
    </ul>
  );
});

/** Reserves the space of rows not yet rendered, so that the scroll bar does not move under the pointer. */
function Rest({ count }: { count: number }) {
  const style: CSSProperties & { "--rest": number } = { "--rest": count };
  return (
    <li
      aria-hidden="true"
      style={style}
      className="h-[calc(var(--rest)*99px)] sm:h-[calc(var(--rest)*79px)] lg:h-[calc(var(--rest)*53px)]"
    />
  );
}

/** Enough placeholder rows for a first screen, each exactly as large as a row. */
export function ProjectRowsSkeleton() {
  return (
    <div className={LIST}>
      {SKELETON_KEYS.map((key) => (
        <div
          key={key}
          className="box-content flex h-[98px] items-center gap-4 border-line border-t px-4 first:border-t-0 sm:h-[78px] lg:h-[52px]"
        >
          <Skeleton className="size-[18px] shrink-0" />
          <Skeleton className="h-4 w-1/3" />
          <Skeleton className="ms-auto h-6 w-[104px] rounded-pill" />
          <Skeleton className="h-4 w-32 max-lg:hidden" />
          <Skeleton className="h-4 w-24 max-sm:hidden" />
        </div>
      ))}
    </div>
  );
}
