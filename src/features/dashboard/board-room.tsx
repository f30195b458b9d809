import type { Me } from "@server/contract/views";
import { type ReactNode, useDeferredValue, useMemo } from "react";
import { filterProjects } from "@/features/projects/board-filter";
import { ExportMenu } from "@/features/projects/export-menu";
import { ProjectBoard } from "@/features/projects/project-board";
import type { ProjectActions } from "@/features/projects/project-card";
import { ProjectFilterSelect } from "@/features/projects/project-filter";
import { useProjectSearch, useProjects } from "@/features/projects/use-projects";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { NewProjectButton } from "../projects/new-project-button";
import { PanelLink } from "../projects/project-link";
import { useBoardNavigation, useBoardSearch } from "./use-board";

type BoardRoomProps = {
  me: Me;
  /** What is looked for, as one types. */
  text: string;
  onTextChange: (text: string) => void;
  actions: ProjectActions;
  freshId: string | null;
  /** Absent for those who only read. */
  onCreate: (() => void) | undefined;
};

/** ?view=board: the projects of whoever is signed in, by tab. Design 3.3. */
export function BoardRoom({ me, text, onTextChange, actions, freshId, onCreate }: BoardRoomProps) {
  const { tab, filter, panel } = useBoardSearch();
  const navigation = useBoardNavigation();
  const list = useProjects({ scope: "mine" });
  const q = useDeferredValue(text);
  const foundIds = useProjectSearch(text);
  const all = list.data?.items;
  const shown = useMemo(
    () => all && filterProjects(all, { filter, q, viewerId: me.id, foundIds }),
    [all, filter, q, me.id, foundIds],
  );

  function clearFilters(): void {
    onTextChange("");
    navigation.clearFilters();
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
          <ProjectFilterSelect value={filter} onValueChange={navigation.showFilter} />
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
        onTabChange={navigation.showTab}
        selectedId={panel}
        freshId={freshId}
        link={PanelLink}
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
