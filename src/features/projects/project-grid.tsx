import type { Project } from "@server/contract/views";
import { lazy, memo, Suspense, useSyncExternalStore } from "react";
import { useMe } from "@/features/auth/use-auth";
import { useMedia } from "@/lib/use-media";
import { useScrolledRows } from "@/lib/use-scrolled-rows";
import { cardStyle } from "@/ui/card-style";
import { Skeleton } from "@/ui/skeleton";
import { type ProjectActions, ProjectCard, type ProjectLink } from "./project-card";

/** Above this, cards come a few at a time, and far ones as one scrolls near them; outside the viewport none is laid out or painted. */
const MANY = 60;
/** Above this, cards outside the viewport are not in the document. */
const VERY_MANY = 300;
/** What the server draws, which does not know the size of the screen. */
const FIRST_CARDS = 24;
/** Added at a time after a first screen: few, so that a click between them is answered soon. */
const MORE_CARDS = 8;
/** The least that a card takes with the gap after it, px. */
const CARD = { width: 304, height: 214 };
const GRID = "relative grid grid-cols-[repeat(auto-fill,minmax(min(288px,100%),1fr))] gap-4";
const SKELETON_KEYS = ["first", "second", "third", "fourth", "fifth", "sixth"];

const VirtualGrid = lazy(() => import("./project-grid-virtual").then((module) => ({ default: module.VirtualGrid })));

type ProjectGridProps = {
  projects: readonly Project[];
  selectedId: string | undefined;
  freshId: string | null;
  link: ProjectLink;
  actions: ProjectActions;
};

/** The cards of one tab. When one project changes, only its card renders again. */
export const ProjectGrid = memo(function ProjectGrid({
  projects,
  selectedId,
  freshId,
  link,
  actions,
}: ProjectGridProps) {
  const me = useMe();
  const isPrinted = useMedia("print");
  const isVirtual = projects.length > VERY_MANY && !isPrinted;
  const first = useFirstScreen();
  const isLong = projects.length > MANY && !isVirtual;
  const { count, shown, setEnd } = useScrolledRows(isLong ? projects.map(({ id }) => id) : [], {
    first,
    step: MORE_CARDS,
    most: first * 2,
    pinned: [selectedId, freshId],
  });
  const card = (project: Project) => (
    <ProjectCard
      project={project}
      me={me}
      selected={project.id === selectedId}
      fresh={project.id === freshId}
      link={link}
      actions={actions}
    />
  );
  if (isVirtual) {
    return (
      <Suspense fallback={<ProjectGridSkeleton />}>
        <VirtualGrid projects={projects} selectedId={selectedId} freshId={freshId} card={card} />
      </Suspense>
    );
  }
  const rowStyle = isLong ? "min-h-[198px] [contain-intrinsic-height:auto_198px] [content-visibility:auto]" : undefined;
  return (
    <ul className={GRID}>
      {projects.map((project, at) => {
        const isNear = !isLong || at < count || shown.has(project.id);
        // Those that are missing keep their places in the list, also for who hears it.
        return (
          <li key={project.id} className={isNear ? rowStyle : "min-h-[198px]"}>
            {isNear && card(project)}
          </li>
        );
      })}
      {isLong && count < projects.length && (
        <li
          ref={setEnd}
          aria-hidden="true"
          className="invisible absolute inset-x-0 bottom-0"
          style={{ top: `calc(${(100 * count) / projects.length}% - 100vh)` }}
        />
      )}
    </ul>
  );
});

/** As many cards as this screen shows: each one more would make a change of the tab slower. */
function useFirstScreen(): number {
  return useSyncExternalStore(notChanging, countCardsOnScreen, () => FIRST_CARDS);
}

const notChanging = () => () => {};

function countCardsOnScreen(): number {
  const width = document.getElementById("main")?.clientWidth ?? window.innerWidth;
  return Math.max(1, Math.floor(width / CARD.width)) * Math.ceil(window.innerHeight / CARD.height);
}

/** Enough placeholder cards for a first screen, each exactly as large as a card. */
export function ProjectGridSkeleton() {
  return (
    <div className={GRID}>
      {SKELETON_KEYS.map((key) => (
        <div key={key} className={`${cardStyle()} flex h-[198px] flex-col`}>
          <Skeleton className="h-4 w-1/2" />
          <Skeleton className="mt-4 h-3 w-full" />
          <Skeleton className="mt-2 h-3 w-3/4" />
          <Skeleton className="mt-4 h-3.5 w-2/3" />
          <Skeleton className="mt-5 h-3.5 w-1/3" />
          <Skeleton className="mt-auto h-[3px] w-full" />
        </div>
      ))}
    </div>
  );
}
