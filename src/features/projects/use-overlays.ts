import { type HistoryState, type RegisteredRouter, useRouter } from "@tanstack/react-router";
import { useMemo } from "react";
import { inPlaceOfTask, type Layer, onTop, pushed, without } from "@/lib/layers";
import { stringifySearch } from "@/lib/search";
import { type OverlaySearch, type ProjectModal, readOverlays } from "./overlay-search";

const CLOSED: Record<Layer, OverlaySearch> = {
  panel: { panel: undefined },
  modal: { modal: undefined, project: undefined },
  task: { task: undefined },
};

interface Goal {
  to?: string;
  search?: Record<string, string | undefined>;
}

/** Opens and closes the panel, tasks and dialogs over any page. The object stays the same while the page is open. */
export function useOverlays() {
  const router = useRouter();
  return useMemo(() => overlayNavigation(router), [router]);
}

/**
 * Each method changes only its own search parameters. Opening a panel, a task or a modal pushes a history entry; another project in
 * the open panel, or another task in the open one, replaces the current entry. Opening never asks about unsaved forms, leaving does. Design 3.0.
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

  const isOpen = (layer: Layer) => readOverlays(router.latestLocation.search)[layer] !== undefined;

  function open(layer: Layer, changes: OverlaySearch): void {
    if (isOpen(layer)) go(changes, keepLayers, { replace: true });
    else go(changes, ({ layers = {} }) => ({ layers: pushed(layers, layer) }));
  }

  /**
   * Goes back to the entry before the layer was opened, when the app pushed it, so that Back never reopens the layer. Other
   * changes made since are kept; `goal` overrides the destination.
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

  /** After going back: restores page, tab, filter and search where going back has undone them. */
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

  /** A task would cover it. */
  function openInPlaceOfTask(layer: "panel" | "modal", changes: OverlaySearch): void {
    const state = ({ layers = {} }: HistoryState) => ({ layers: inPlaceOfTask(layers, layer) });
    go({ ...CLOSED.modal, ...changes, ...CLOSED.task }, state, { replace: true });
  }

  return {
    close,
    /** The panel of that project, in place of an open task. */
    openPanel(panel: string): void {
      if (!isOpen("task")) open("panel", { panel });
      else if (!isOpen("modal") && readOverlays(router.latestLocation.search).panel === panel) close("task");
      else openInPlaceOfTask("panel", { panel });
    },
    /** By its key. The panel and a dialog stay open below it. */
    openTask: (task: string) => open("task", { task }),
    /** An id in the address becomes the task's key; undefined closes what does not exist. */
    renameTask: (task: string | undefined) => go({ task }, keepLayers, { replace: true }),
    /** Forms over an open task, details in its place. */
    openModal(modal: ProjectModal, project?: string): void {
      if (modal === "view" && isOpen("task")) openInPlaceOfTask("modal", { modal, project });
      else go({ modal, project }, ({ layers = {} }) => ({ layers: pushed(layers, "modal") }));
    },
    viewToEdit: () =>
      go({ modal: "edit" }, (state) => ({ ...keepLayers(state), editFromView: true }), { replace: true }),
    editToView: () => go({ modal: "view" }, keepLayers, { replace: true }),
  };
}

function keepLayers({ layers = {} }: HistoryState): HistoryState {
  return { layers };
}
