import { type HistoryState, type RegisteredRouter, useRouter } from "@tanstack/react-router";
import { useMemo } from "react";
import { type Layer, onTop, pushed, without } from "@/lib/layers";
import { stringifySearch } from "@/lib/search";
import { type OverlaySearch, type ProjectModal, readOverlays } from "./overlay-search";

const CLOSED: Record<Layer, OverlaySearch> = {
  panel: { panel: undefined, task: undefined },
  modal: { modal: undefined, project: undefined },
};

interface Goal {
  to?: string;
  search?: Record<string, string | undefined>;
}

/** Opens and closes what lies over any page; the same object for as long as the page is open. */
export function useOverlays() {
  const router = useRouter();
  return useMemo(() => overlayNavigation(router), [router]);
}

/**
 * Each way changes its own part of the address and leaves the rest: a panel or a modal makes an entry in the history, another
 * project in the open panel replaces the present one. Opening never asks about unsaved forms; leaving does. Design 3.0.
 */
function overlayNavigation(router: RegisteredRouter) {
  function go(changes: OverlaySearch, state: (before: HistoryState) => HistoryState, { replace = false } = {}): void {
    void router.navigate({
      to: router.latestLocation.pathname,
      search: { ...router.latestLocation.search, ...changes },
      state,
      replace,
      resetScroll: false,
      ignoreBlocker: true,
    });
  }

  /**
   * Back to where the layer was not open yet, when that lies in our own history: Back then never opens it again. What
   * else has changed since comes along; `goal` is where to go instead.
   */
  function close(layer: Layer, goal: Goal = {}): void {
    const { pathname, search, state } = router.latestLocation;
    const wanted = { to: goal.to ?? pathname, search: { ...search, ...CLOSED[layer], ...goal.search } };
    const steps = state.layers?.[layer];
    if (steps === undefined) {
      const layers = without(state.layers ?? {}, layer);
      void router.navigate({ ...wanted, state: { layers }, replace: true, resetScroll: false, ignoreBlocker: true });
      return;
    }
    const stop = router.subscribe("onBeforeLoad", () => {
      stop();
      settle(wanted);
    });
    router.history.go(-steps, { ignoreBlocker: true });
  }

  /** After going back: the page, tab, filter and search of before, if the way back has undone them. */
  function settle({ to, search }: { to: string; search: Record<string, unknown> }): void {
    const { pathname, search: now } = router.latestLocation;
    const isSamePage = pathname === to && new URLSearchParams(stringifySearch(now)).get("tab") === (search.tab ?? null);
    if (isSamePage && stringifySearch(now) === stringifySearch(search)) return;
    void router.navigate({
      to,
      search,
      state: isSamePage ? keepLayers : onTop,
      replace: isSamePage,
      resetScroll: false,
      ignoreBlocker: isSamePage,
    });
  }

  return {
    close,
    openPanel(panel: string, task?: string): void {
      const isOpen = readOverlays(router.latestLocation.search).panel !== undefined;
      if (isOpen) go({ panel, task }, keepLayers, { replace: true });
      else go({ panel, task }, ({ layers = {} }) => ({ layers: pushed(layers, "panel") }));
    },
    openModal: (modal: ProjectModal, project?: string) =>
      go({ modal, project }, ({ layers = {} }) => ({ layers: pushed(layers, "modal") })),
    viewToEdit: () =>
      go({ modal: "edit" }, (state) => ({ ...keepLayers(state), editFromView: true }), { replace: true }),
    editToView: () => go({ modal: "view" }, keepLayers, { replace: true }),
  };
}

function keepLayers({ layers = {} }: HistoryState): HistoryState {
  return { layers };
}
