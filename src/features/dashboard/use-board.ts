import type { ProjectFilter } from "@server/contract/projects";
import { getRouteApi, useLocation, useRouter } from "@tanstack/react-router";
import { useMemo } from "react";
import type { BoardTab } from "@/features/projects/project-status";
import { type BoardModal, type BoardSearch, readBoardSearch } from "./board-search";
import { type Layer, pushed, without } from "./layers";

const route = getRouteApi("/dashboard");

type Changes = { [Key in keyof BoardSearch]: BoardSearch[Key] | undefined };

/** What the address says about the board, with its defaults. */
export function useBoardSearch() {
  const { view = "board", tab = "todo", filter = "all", q = "", panel, modal, project } = route.useSearch();
  return { view, tab, filter, q, panel, modal, project };
}

/** Whether the edit form was reached from the view, so that leaving it goes back there. */
export function useEditFromView(): boolean {
  return useLocation({ select: ({ state }) => state.editFromView === true });
}

/**
 * Ways through the board. Each changes its own part of the address and leaves the rest: tab, panel and modal make an entry
 * in the history, filter, search and another project in the open panel replace the present one. A search that begins in
 * another view leads to the board. Design 3.0.
 */
export function useBoardNavigation() {
  const router = useRouter();
  return useMemo(() => {
    /** The last entry that was asked for, also when it is still on its way to the screen. */
    const here = () => ({
      search: readBoardSearch(router.latestLocation.search),
      layers: router.latestLocation.state.layers ?? {},
    });

    /** Another entry on top. Leaving what is open, or the view, asks its own questions; opening never does. */
    function push(changes: Changes, opened?: Layer): void {
      const { search, layers } = here();
      const next = merge(search, changes);
      void router.navigate({
        to: "/dashboard",
        search: next,
        state: { layers: pushed(layers, opened) },
        resetScroll: false,
        ignoreBlocker: next.view === search.view,
      });
    }

    function replace(changes: Changes, state: { editFromView?: boolean } = {}, layers = here().layers): void {
      void router.navigate({
        to: "/dashboard",
        search: merge(here().search, changes),
        state: { layers, ...state },
        replace: true,
        resetScroll: false,
        ignoreBlocker: true,
      });
    }

    /**
     * Back to where the layer was not open yet, when that lies in our own history: Back then never opens it again. What
     * else has changed since comes along.
     */
    function close(layer: Layer, changes: Changes = {}): void {
      const { search, layers } = here();
      const wanted = { ...CLOSED[layer], ...changes };
      const steps = layers[layer];
      if (steps === undefined) {
        replace(wanted, {}, without(layers, layer));
        return;
      }
      const goal = merge(search, wanted);
      const stop = router.subscribe("onBeforeLoad", () => {
        stop();
        settle(goal);
      });
      router.history.go(-steps, { ignoreBlocker: true });
    }

    /** After going back: the view, tab, filter and search of before, if the way back has undone them. */
    function settle(goal: BoardSearch): void {
      const { search } = here();
      const changes: Changes = {};
      if (search.filter !== goal.filter) changes.filter = goal.filter;
      if (search.q !== goal.q) changes.q = goal.q;
      if (search.panel !== goal.panel) changes.panel = goal.panel;
      if (search.view !== goal.view) push({ ...changes, tab: goal.tab, view: goal.view });
      else if (search.tab !== goal.tab) push({ ...changes, tab: goal.tab });
      else if (Object.keys(changes).length > 0) replace(changes);
    }

    return {
      close,
      showTab: (tab: BoardTab) => push({ tab }),
      showFilter: (filter: ProjectFilter) => replace({ filter }),
      search: (q: string) => (here().search.view && q ? push({ q, view: undefined }) : replace({ q })),
      clearFilters: () => replace({ filter: undefined, q: undefined }),
      openPanel: (panel: string) => (here().search.panel ? replace({ panel }) : push({ panel }, "panel")),
      openModal: (modal: BoardModal, project?: string) => push({ modal, project }, "modal"),
      viewToEdit: () => replace({ modal: "edit" }, { editFromView: true }),
      editToView: () => replace({ modal: "view" }),
    };
  }, [router]);
}

const CLOSED: Record<Layer, Changes> = {
  panel: { panel: undefined },
  modal: { modal: undefined, project: undefined },
};

/** Through the reader, so that a default never stands in the address. */
function merge(search: BoardSearch, changes: Changes): BoardSearch {
  return readBoardSearch({ ...search, ...changes });
}
