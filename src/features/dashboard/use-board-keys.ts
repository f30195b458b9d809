import { flushSync } from "react-dom";
import { BOARD_TABS } from "@/features/projects/board-names";
import { useShortcuts } from "@/lib/use-shortcuts";
import { useSidebarOpen } from "@/ui/sidebar-toggle";
import { PALETTE_SHORTCUT } from "../search/palette-button";
import type { BoardView } from "./board-search";
import type { Overlay } from "./lazy-overlays";
import { useBoardNavigation } from "./use-board";

type BoardKeys = {
  /** The room that is shown. */
  view: BoardView;
  focusSearch: () => void;
  /** Absent for those who only read. */
  create: (() => void) | undefined;
  onOverlay: (overlay: Overlay) => void;
};

/** The keys of /dashboard; those of the board lead there from the other rooms. Design 3.0. */
export function useBoardKeys({ view, focusSearch, create, onOverlay }: BoardKeys): void {
  const { enter, showTab } = useBoardNavigation();
  const [, toggleSidebar] = useSidebarOpen();

  function search(): void {
    if (view !== "board" && view !== "team") flushSync(() => enter("board"));
    focusSearch();
  }
  function chooseTab(at: number): void {
    const tab = BOARD_TABS[at];
    const shown = document.querySelectorAll<HTMLElement>('main [role="tab"]')[at];
    // On the board the focus chooses, as with the arrows.
    if (view === "board" && shown) shown.focus();
    else if (tab) showTab(tab);
  }
  useShortcuts({
    [PALETTE_SHORTCUT]: () => onOverlay("palette"),
    "/": search,
    "[": toggleSidebar,
    "?": () => onOverlay("help"),
    ...(create && { n: create }),
    ...Object.fromEntries(BOARD_TABS.map((_, at) => [String(at + 1), () => chooseTab(at)])),
  });
}
