import { getRouteApi, useLocation, useRouter } from "@tanstack/react-router";
import { useDeferredValue, useMemo } from "react";
import { stringifySearch } from "@/lib/search";
import { boardNavigation } from "../projects/use-overlays";
import type { BoardView } from "./board-search";
import { roomSearch } from "./rooms";

const route = getRouteApi("/dashboard");

/** What the address says about /dashboard, with its defaults. */
export function useBoardSearch() {
  const { view = "board", tab = "todo", filter = "all", q = "", ...rest } = route.useSearch();
  const { month, calendar, panel, task, modal, project, c, to } = rest;
  return { view, tab, filter, q, month, calendar, panel, task, modal, project, c, to };
}

/** Which room the address asks for; whoever asks this way is not drawn anew when a tab or a panel changes. */
export function useBoardView(): BoardView {
  return route.useSearch({ select: ({ view = "board" }) => view });
}

/** The words that the address looks for. */
export function useBoardWords(): string {
  return route.useSearch({ select: ({ q = "" }) => q });
}

/** Which conversation the address names. */
export function useChatPlace() {
  return route.useSearch({ select: ({ c, to }) => ({ c, to }), structuralSharing: true });
}

/** Where a room's link leads from here. It follows the address a moment later: no press of a key waits for a dozen links. */
export function useRoomAddress(view: BoardView): string {
  const search = useDeferredValue(route.useSearch());
  return useMemo(() => `/dashboard${stringifySearch(roomSearch(search, view))}`, [search, view]);
}

/** Whether the edit form was reached from the view, so that leaving it goes back there. */
export function useEditFromView(): boolean {
  return useLocation({ select: ({ state }) => state.editFromView === true });
}

/** Ways through /dashboard; the same object for as long as the page is open. */
export function useBoardNavigation() {
  const router = useRouter();
  return useMemo(() => boardNavigation(router), [router]);
}
