import { createFileRoute } from "@tanstack/react-router";
import { type ReactNode, use, useDeferredValue, useEffect, useMemo, useState } from "react";
import { useMe } from "@/features/auth/use-auth";
import { SinceLine } from "@/features/overview/since-line";
import { readSinceSearch } from "@/features/overview/since-search";
import { useSinceLastVisit } from "@/features/overview/use-since-last-visit";
import { useWaiting } from "@/features/overview/use-waiting";
import { WaitingForUs } from "@/features/overview/waiting-for-us";
import { filterProjects } from "@/features/projects/board-filter";
import { BoardTextContext, readBoardSearch } from "@/features/projects/board-search";
import { ExportMenu } from "@/features/projects/export-menu";
import { useFreshProject } from "@/features/projects/focus-card";
import { NewProjectButton } from "@/features/projects/new-project-button";
import { ProjectBoard, ProjectBoardSkeleton } from "@/features/projects/project-board";
import { cardLinkId } from "@/features/projects/project-card";
import { ActiveFilter, ProjectFilterSelect } from "@/features/projects/project-filter";
import { CardLink } from "@/features/projects/project-link";
import { useOverlays } from "@/features/projects/use-overlays";
import { useProjectActions } from "@/features/projects/use-project-actions";
import { useProjectSearch } from "@/features/projects/use-project-search";
import { useProjects } from "@/features/projects/use-projects";
import { cn } from "@/lib/cn";
import { pageHeading } from "@/lib/page-focus";
import { optional, type RawSearch } from "@/lib/search";
import { useFirstTry } from "@/lib/use-first-try";
import { usePageSearch } from "@/lib/use-page-search";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { Delayed } from "@/ui/delayed";
import { FirstStep } from "./-first-step";

export const Route = createFileRoute("/_app/dashboard/")({
  validateSearch: (search: RawSearch) => optional({ ...readBoardSearch(search), ...readSinceSearch(search) }),
  component: BoardPage,
});

/** The signed-in person's projects, by tab; read-only for clients. Design 3.3. */
function BoardPage() {
  const me = useMe();
  const [{ tab = "todo", filter = "all", panel }, change] = usePageSearch(Route);
  const [text, setText] = use(BoardTextContext);
  const { openModal } = useOverlays();
  const actions = useProjectActions();
  const freshId = useFreshProject();
  const list = useProjects({ scope: "mine" });
  const since = useSinceLastVisit();
  const waiting = useWaiting({ enabled: me.accountType === "user" });
  const isFirstTry = useFirstTry([list, since, waiting]);
  // A list that is there already is worth more than that nothing moves.
  const [wasThere] = useState(list.data !== undefined);
  const q = useDeferredValue(text);
  const search = useProjectSearch(text);
  const all = list.data?.items;
  const shown = useMemo(
    () => all && filterProjects(all, { filter, q, viewerId: me.id, foundIds: search.ids }),
    [all, filter, q, me.id, search.ids],
  );

  useCardInView(panel);
  const onCreate = me.accountType === "client" ? undefined : () => openModal("create");

  function clearFilters(): void {
    setText("");
    change.replace({ filter: undefined, q: undefined });
    document.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
  }
  function showAll(): void {
    change.replace({ filter: undefined });
    // The pressed button disappears.
    pageHeading()?.focus();
  }
  const isNarrowed = filter !== "all" || text.trim() !== "";
  function emptyAction(): ReactNode {
    if (isNarrowed) return <Button onClick={clearFilters}>Clear filters</Button>;
    if (all?.length === 0) return <FirstStep onCreate={onCreate} />;
    return onCreate && <Button onClick={onCreate}>+ New Project</Button>;
  }
  return (
    // Room for the panel's 440 px and a gap, less the page's own padding; in a narrower window the panel covers a part.
    <div className={cn(panel && "min-[72rem]:pe-[436px]")}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h1 tabIndex={-1} className="text-h1">
          Projects Board
        </h1>
        <div className="flex max-w-full items-center gap-2">
          <ProjectFilterSelect value={filter} onValueChange={(next) => change.replace({ filter: next })} />
          {me.accountType !== "client" && <ExportMenu scope="mine" />}
        </div>
      </div>
      <Delayed pending={!wasThere && isFirstTry} label="Loading projects" skeleton={<ProjectBoardSkeleton />}>
        {() => (
          <>
            <SinceLine query={since} className="-mt-2 mb-3" />
            {me.accountType === "user" && <WaitingForUs query={waiting} className="mb-5" />}
            <ActiveFilter value={filter} onClear={showAll} />
            <ProjectBoard
              projects={shown}
              failure={
                list.isLoadingError
                  ? { message: messageOf(list.error), isRetrying: list.isFetching, retry: () => void list.refetch() }
                  : null
              }
              search={search}
              tab={tab}
              onTabChange={(next) => change.push({ tab: next })}
              selectedId={panel}
              freshId={freshId}
              link={CardLink}
              actions={actions}
              isNarrowed={isNarrowed}
              emptyAction={emptyAction()}
            />
          </>
        )}
      </Delayed>
      {onCreate && (
        <div className="fixed end-4 bottom-[calc(76px+env(safe-area-inset-bottom))] z-20 md:hidden">
          <NewProjectButton onClick={onCreate} className="shadow-2" />
        </div>
      )}
    </div>
  );
}

/** Scrolls to the open panel's card: the board has fewer columns beside the panel, so the card may have moved out of view. */
function useCardInView(panel: string | undefined): void {
  useEffect(() => {
    if (!panel) return undefined;
    const frame = requestAnimationFrame(() => {
      document.getElementById(cardLinkId(panel))?.closest("article")?.scrollIntoView({ block: "nearest" });
    });
    return () => cancelAnimationFrame(frame);
  }, [panel]);
}
