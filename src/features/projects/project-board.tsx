import { PROJECT_MESSAGES } from "@server/contract/messages/projects";
import type { Project } from "@server/contract/views";
import { FolderOpen } from "lucide-react";
import { type ReactNode, useDeferredValue, useEffect, useEffectEvent, useMemo, useRef, useState } from "react";
import { afterPaint } from "@/lib/after-paint";
import { useRowFocus } from "@/lib/use-row-focus";
import { Button } from "@/ui/button";
import { Delayed } from "@/ui/delayed";
import { EmptyState } from "@/ui/empty-state";
import { ErrorState } from "@/ui/error-state";
import { Skeleton } from "@/ui/skeleton";
import { TabPanel, Tabs } from "@/ui/tabs";
import { countLabel, groupByTab } from "./board-filter";
import { BOARD_TABS, type BoardTab } from "./board-names";
import type { ProjectActions, ProjectLink } from "./project-card";
import { ProjectGrid, ProjectGridSkeleton } from "./project-grid";
import { statusMeta } from "./project-status";
import { useCardDrag } from "./use-card-drag";
import type { LoadFailure, ProjectSearch } from "./use-project-search";

type ProjectBoardProps = {
  /** The projects that match filter and search; undefined while loading. */
  projects: readonly Project[] | undefined;
  /** Set when the list could not be loaded. */
  failure: LoadFailure | null;
  /** What the server is asked for besides. */
  search: Pick<ProjectSearch, "isPending" | "failure">;
  tab: BoardTab;
  /** Resolves once the address has it, or another one. */
  onTabChange: (tab: BoardTab) => Promise<void>;
  selectedId: string | undefined;
  freshId: string | null;
  link: ProjectLink;
  actions: ProjectActions;
  /** A filter or a search is active: an empty tab links to tabs with matches. */
  isNarrowed: boolean;
  /** A further action in an empty tab. */
  emptyAction: ReactNode;
};

/** The board: three tabs, each a grid of cards. A tab's count is the number of its cards. */
export function ProjectBoard({
  projects,
  failure,
  search,
  tab,
  onTabChange,
  isNarrowed,
  emptyAction,
  ...grid
}: ProjectBoardProps) {
  const root = useRef<HTMLDivElement>(null);
  const groups = useMemo(() => projects && groupByTab(projects), [projects]);
  const drag = useCardDrag(root, { projects, onDrop: grid.actions.move });
  const tabs = BOARD_TABS.map((value, at) => {
    const { icon, label } = statusMeta(value);
    const count = groups?.[value].length;
    const mayDrop = drag !== null && drag.project.status !== value;
    return {
      value,
      label,
      icon,
      count,
      countLabel: count === undefined ? undefined : countLabel(count),
      shortcut: String(at + 1),
      drop: mayDrop ? { label: `Move to ${label}`, isOver: drag.over === value } : undefined,
    };
  });
  const { chosen, drawn, choose } = useChosenTab(tab, onTabChange);
  const cards = groups?.[drawn] ?? [];
  useRowFocus(root, {
    rows: cards,
    fallback: () => root.current?.querySelector<HTMLElement>('[role="tab"][aria-selected="true"]'),
  });
  const elsewhere = isNarrowed ? tabs.filter(({ value, count }) => value !== drawn && count) : [];
  function goTo(value: BoardTab): void {
    // The button disappears with its tab, and focusing a tab selects it.
    const at = BOARD_TABS.indexOf(value);
    root.current?.querySelectorAll<HTMLElement>('[role="tab"]')[at]?.focus();
  }
  return (
    <div ref={root}>
      <Tabs label="Projects by status" tabs={tabs} value={chosen} onValueChange={choose}>
        <TabPanel value={chosen}>
          <h2 className="sr-only">{statusMeta(chosen).label}</h2>
          {failure ? (
            <ErrorState message={failure.message} busy={failure.isRetrying} onRetry={failure.retry} />
          ) : (
            <Delayed pending={groups === undefined} label="Loading projects" skeleton={<ProjectGridSkeleton />}>
              {search.failure && (
                <ErrorState
                  message={`${PROJECT_MESSAGES.searchFailed} ${search.failure.message}`}
                  busy={search.failure.isRetrying}
                  onRetry={search.failure.retry}
                  className="mb-4"
                />
              )}
              {cards.length > 0 ? (
                <ProjectGrid key={drawn} {...grid} projects={cards} />
              ) : search.failure ? null : (
                <EmptyState
                  icon={FolderOpen}
                  message={search.isPending ? PROJECT_MESSAGES.searching : PROJECT_MESSAGES.emptyTab}
                  action={
                    <div className="flex flex-wrap items-center justify-center gap-2">
                      {elsewhere.map(({ value, label, count }) => (
                        <Button key={value} variant="quiet" onClick={() => goTo(value)}>
                          {count} in {label}
                        </Button>
                      ))}
                      {emptyAction}
                    </div>
                  }
                />
              )}
            </Delayed>
          )}
        </TabPanel>
      </Tabs>
    </div>
  );
}

/** Its tabs and a first row of cards. */
export function ProjectBoardSkeleton() {
  return (
    <>
      <Skeleton className="mb-5 h-[45px] w-full max-w-[420px]" />
      <ProjectGridSkeleton />
    </>
  );
}

/**
 * The tab that was just pressed is chosen within the event; the previous cards stay until the new ones are rendered (`drawn`),
 * and the address, on which the whole page depends, follows once those are painted. Until the last choice has its address,
 * those of earlier ones change nothing.
 */
function useChosenTab(tab: BoardTab, onTabChange: (tab: BoardTab) => Promise<void>) {
  // One object for each press: only the last one may end it.
  const [pressed, setPressed] = useState<{ tab: BoardTab } | null>(null);
  const chosen = pressed?.tab ?? tab;
  const drawn = useDeferredValue(chosen);
  const follow = useEffectEvent(async (next: { tab: BoardTab }) => {
    await onTabChange(next.tab);
    setPressed((last) => (last === next ? null : last));
  });
  useEffect(() => {
    if (pressed === null || drawn !== pressed.tab) return undefined;
    return afterPaint(() => void follow(pressed));
  }, [pressed, drawn]);
  return { chosen, drawn, choose: (next: BoardTab) => setPressed({ tab: next }) };
}
