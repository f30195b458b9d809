import type { Project } from "@server/contract/views";
import { type ReactNode, useDeferredValue, useMemo, useRef } from "react";
import { useMe } from "@/features/auth/use-auth";
import { filterProjects } from "@/features/projects/board-filter";
import { ProjectBoard } from "@/features/projects/project-board";
import { ProjectFilterSelect } from "@/features/projects/project-filter";
import { tabOf } from "@/features/projects/project-status";
import { useProjectChanges, useProjects } from "@/features/projects/use-projects";
import { SettingsPage } from "@/features/settings/settings-page";
import { messageOf } from "@/lib/user-message";
import { Button } from "@/ui/button";
import { BoardHeader } from "./board-header";
import { BoardBrand, BoardShell } from "./board-shell";
import { LazyLayers, preloadLayers } from "./lazy-layers";
import { PanelLink } from "./panel-link";
import { useBoardNavigation, useBoardSearch } from "./use-board";
import { useBoardActions } from "./use-board-actions";
import { useFreshProject } from "./use-fresh-project";
import { useSearchText } from "./use-search-text";

/** /dashboard: the projects board of whoever is signed in, read-only for clients, and their settings. Design 3.3. */
export function DashboardPage() {
  const me = useMe();
  const { view, tab, filter, panel } = useBoardSearch();
  const navigation = useBoardNavigation();
  const actions = useBoardActions();
  const list = useProjects({ scope: "mine" });
  useProjectChanges();
  const [text, setText] = useSearchText();
  const q = useDeferredValue(text);
  const [freshId, showFresh] = useFreshProject();
  const header = useRef<{ focusSearch: () => void }>(null);

  const all = list.data?.items;
  const shown = useMemo(() => all && filterProjects(all, { filter, q, viewerId: me.id }), [all, filter, q, me.id]);
  const create = () => navigation.openModal("create");
  const mayCreate = me.accountType !== "client";

  function onCreated(project: Project): void {
    const isHidden = filterProjects([project], { filter, q: text, viewerId: me.id }).length === 0;
    navigation.close("modal", {
      view: undefined,
      tab: tabOf(project.status),
      ...(isHidden && { filter: undefined, q: undefined }),
    });
    showFresh(project.id);
  }
  return (
    <BoardShell
      me={me}
      refreshing={list.isRefetching}
      onSearchKey={() => header.current?.focusSearch()}
      header={
        <BoardHeader
          ref={header}
          me={me}
          brand={<BoardBrand me={me} />}
          text={text}
          onTextChange={setText}
          newProject={mayCreate && view === "board" && <NewProjectButton onClick={create} />}
        />
      }
    >
      {view === "settings" ? <SettingsPage /> : board()}
      <LazyLayers mayCreate={mayCreate} actions={actions} onCreated={onCreated} />
    </BoardShell>
  );

  function board(): ReactNode {
    return (
      <>
        <div className="mb-4 flex items-center justify-between gap-4">
          <h1 tabIndex={-1} className="text-h1">
            Projects Board
          </h1>
          <ProjectFilterSelect value={filter} onValueChange={navigation.showFilter} />
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
          emptyAction={
            filter !== "all" || text.trim() !== "" ? (
              <Button onClick={clearFilters}>Clear filters</Button>
            ) : (
              mayCreate && <FirstStep isFirst={all?.length === 0} onCreate={create} />
            )
          }
        />
        {mayCreate && (
          <div className="fixed end-4 bottom-[calc(76px+env(safe-area-inset-bottom))] z-20 md:hidden">
            <NewProjectButton onClick={create} className="shadow-2" />
          </div>
        )}
      </>
    );
  }

  function clearFilters(): void {
    setText("");
    navigation.clearFilters();
    document.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]')?.focus();
  }
}

type NewProjectButtonProps = { onClick: () => void; className?: string | undefined };

function NewProjectButton(props: NewProjectButtonProps) {
  return (
    <Button variant="primary" onPointerEnter={preloadLayers} onFocus={preloadLayers} {...props}>
      + New Project
    </Button>
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
