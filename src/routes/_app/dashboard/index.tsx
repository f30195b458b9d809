import { createFileRoute } from "@tanstack/react-router";
import { type ReactNode, use, useDeferredValue, useMemo } from "react";
import { useMe } from "@/features/auth/use-auth";
import { filterProjects } from "@/features/projects/board-filter";
import { BoardTextContext, readBoardSearch } from "@/features/projects/board-search";
import { ExportMenu } from "@/features/projects/export-menu";
import { useFreshProject } from "@/features/projects/focus-card";
import { NewProjectButton } from "@/features/projects/new-project-button";
import { ProjectBoard } from "@/features/projects/project-board";
import { ProjectFilterSelect } from "@/features/projects/project-filter";
import { CardLink } from "@/features/projects/project-link";
import { useOverlays } from "@/features/projects/use-overlays";
import { useProjectActions } from "@/features/projects/use-project-actions";
import { useProjectSearch, useProjects } from "@/features/projects/use-projects";
import { onTop } from "@/lib/layers";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";

export const Route = createFileRoute("/_app/dashboard/")({
  validateSearch: readBoardSearch,
  component: BoardPage,
});

/** The projects of whoever is signed in, by tab; clients only read. Design 3.3. */
function BoardPage() {
  const me = useMe();
  const { tab = "todo", filter = "all", panel } = Route.useSearch();
  const navigate = Route.useNavigate();
  const [text, setText] = use(BoardTextContext);
  const { openModal } = useOverlays();
  const actions = useProjectActions();
  const freshId = useFreshProject();
  const list = useProjects({ scope: "mine" });
  const q = useDeferredValue(text);
  const foundIds = useProjectSearch(text);
  const all = list.data?.items;
  const shown = useMemo(
    () => all && filterProjects(all, { filter, q, viewerId: me.id, foundIds }),
    [all, filter, q, me.id, foundIds],
  );

  const onCreate = me.accountType === "client" ? undefined : () => openModal("create");

  function narrow(changes: ReturnType<typeof readBoardSearch>): void {
    const search = (kept: object) => ({ ...kept, ...changes });
    void navigate({ search, state: true, replace: true, resetScroll: false, ignoreBlocker: true });
  }
  function clearFilters(): void {
    setText("");
    narrow({ filter: undefined, q: undefined });
    document.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
  }
  const isNarrowed = filter !== "all" || text.trim() !== "";
  function emptyAction(): ReactNode {
    if (isNarrowed) return <Button onClick={clearFilters}>Clear filters</Button>;
    return onCreate && <FirstStep isFirst={all?.length === 0} onCreate={onCreate} />;
  }
  return (
    <>
      <div className="mb-4 flex items-center justify-between gap-4">
        <h1 tabIndex={-1} className="text-h1">
          Projects Board
        </h1>
        <div className="flex shrink-0 items-center gap-2">
          <ProjectFilterSelect value={filter} onValueChange={(next) => narrow({ filter: next })} />
          {me.accountType !== "client" && <ExportMenu scope="mine" />}
        </div>
      </div>
      <ProjectBoard
        projects={shown}
        failure={
          list.isLoadingError
            ? { message: messageOf(list.error), isRetrying: list.isFetching, retry: () => void list.refetch() }
            : null
        }
        tab={tab}
        onTabChange={(next) =>
          void navigate({
            search: (kept) => ({ ...kept, tab: next }),
            state: onTop,
            resetScroll: false,
            ignoreBlocker: true,
          })
        }
        selectedId={panel}
        freshId={freshId}
        link={CardLink}
        actions={actions}
        isNarrowed={isNarrowed}
        emptyAction={emptyAction()}
      />
      {onCreate && (
        <div className="fixed end-4 bottom-[calc(76px+env(safe-area-inset-bottom))] z-20 md:hidden">
          <NewProjectButton onClick={onCreate} className="shadow-2" />
        </div>
      )}
    </>
  );
}

/** What an empty tab offers; on a board without any project it also says what comes of it. */
function FirstStep({ isFirst, onCreate }: { isFirst: boolean; onCreate: () => void }): ReactNode {
  return (
    <>
      {isFirst && (
        <p className="max-w-[44ch] text-dense">
          Start with a project: give it a title, the people who work on it and, if there is one, its client. Then add
          the first tasks.
        </p>
      )}
      <Button onClick={onCreate}>+ New Project</Button>
    </>
  );
}
