import { BOARD_TABS } from "@/features/projects/board-names";
import { PALETTE_SHORTCUT } from "@/features/search/palette-label";
import { usePage } from "@/lib/use-page";
import { useShortcuts } from "@/lib/use-shortcuts";
import { useSidebarOpen } from "@/ui/sidebar-toggle";
import { useEnterPage } from "./-pages";

type Keys = {
  focusSearch: () => void;
  /** Absent for clients, who only read. */
  create: (() => void) | undefined;
  onPalette: () => void;
  onHelp: () => void;
};

/** The keys of /dashboard; those of the board lead there from the other pages. Design 3.0. */
export function useDashboardKeys({ focusSearch, create, onPalette, onHelp }: Keys): void {
  const page = usePage();
  const enter = useEnterPage();
  const [, toggleSidebar] = useSidebarOpen();

  function chooseTab(at: number): void {
    const tab = BOARD_TABS[at];
    const shown = document.querySelectorAll<HTMLElement>('main [role="tab"]')[at];
    // On the board a tab is chosen by focusing it, as with the arrow keys.
    if (page === "/dashboard/" && shown) shown.focus();
    else if (tab) enter("/dashboard", { tab });
  }
  useShortcuts({
    [PALETTE_SHORTCUT]: onPalette,
    "/": focusSearch,
    "[": toggleSidebar,
    "?": onHelp,
    ...(create && { n: create }),
    ...Object.fromEntries(BOARD_TABS.map((_, at) => [String(at + 1), () => chooseTab(at)])),
  });
}
