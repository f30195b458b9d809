import type { ProjectFilter } from "@server/contract/projects";
import type { RegisteredRouter } from "@tanstack/react-router";
import type { BoardTab } from "@/features/projects/board-names";
import { stringifySearch } from "@/lib/search";
import { type BoardModal, type BoardSearch, type BoardView, readBoardSearch } from "../dashboard/board-search";
import { roomSearch } from "../dashboard/rooms";
import { type Layer, pushed, without } from "./overlays";

type Changes = { [Key in keyof BoardSearch]: BoardSearch[Key] | undefined };

/**
 * Ways through /dashboard. Each changes its own part of the address and leaves the rest: room, tab, panel and modal make an
 * entry in the history, filter, search and another project in the open panel replace the present one. Tabs and searches
 * that begin in another room lead to the board; only Team has a search of its own. Design 3.0.
 */
export function boardNavigation(router: RegisteredRouter) {
  /** The last entry that was asked for, also when it is still on its way to the screen. */
  const here = () => ({
    search: readBoardSearch(router.latestLocation.search),
    layers: router.latestLocation.state.layers ?? {},
  });

  /** Another entry on top. Leaving what is open, or the room, asks its own questions; opening never does. */
  function push(
    changes: Changes,
    { opened, resetScroll = false }: { opened?: Layer; resetScroll?: boolean } = {},
  ): void {
    const { search, layers } = here();
    const next = merge(search, changes);
    void router.navigate({
      to: "/dashboard",
      search: next,
      state: { layers: pushed(layers, opened) },
      resetScroll,
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

  /** Out of the present room into that one, and there to what the changes say. */
  function enter(view: BoardView, changes: Changes = {}): void {
    const { search } = here();
    const isThere = (search.view ?? "board") === view;
    push({ ...(isThere ? {} : roomSearch(search, view)), ...changes }, { resetScroll: !isThere });
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

  /** After going back: the room, tab, filter and search of before, if the way back has undone them. */
  function settle(goal: BoardSearch): void {
    const { search } = here();
    if (stringifySearch(search) === stringifySearch(goal)) return;
    if (search.view !== goal.view || search.tab !== goal.tab) push(goal);
    else replace(goal);
  }

  return {
    /** What the address says now. */
    here: () => here().search,
    close,
    enter,
    showTab: (tab: BoardTab) => enter("board", { tab }),
    showFilter: (filter: ProjectFilter) => replace({ filter }),
    search(q: string): void {
      const { view } = here().search;
      if (q && view && view !== "team") enter("board", { q });
      else replace({ q });
    },
    clearFilters: () => replace({ filter: undefined, q: undefined }),
    showMonth: (month: string) => push({ month }),
    showCalendar: (calendar: BoardSearch["calendar"]) => replace({ calendar }),
    /** To a conversation of the Messages room, or to a new one with a person. */
    talk: ({ c, to }: Pick<BoardSearch, "c" | "to">, how?: { replace: boolean }) =>
      how?.replace ? replace({ c, to }) : push({ c, to }),
    openPanel: (panel: string, task?: string) =>
      here().search.panel ? replace({ panel, task }) : push({ panel, task }, { opened: "panel" }),
    openModal: (modal: BoardModal, project?: string) => push({ modal, project }, { opened: "modal" }),
    viewToEdit: () => replace({ modal: "edit" }, { editFromView: true }),
    editToView: () => replace({ modal: "view" }),
  };
}

const CLOSED: Record<Layer, Changes> = {
  panel: { panel: undefined, task: undefined },
  modal: { modal: undefined, project: undefined },
};

/** Through the reader, so that a default never stands in the address. */
function merge(search: BoardSearch, changes: Changes): BoardSearch {
  return readBoardSearch({ ...search, ...changes });
}
