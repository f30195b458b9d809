import { BOARD_TABS } from "@/features/projects/board-names";
import { usePage } from "@/lib/use-page";
import { useShortcuts } from "@/lib/use-shortcuts";
import { useEnterDashboardPage } from "./-pages";

/** The keyboard shortcuts of the board, which open it from other pages. Design 3.0. */
export function useBoardKeys({ focusSearch }: { focusSearch: () => void }): void {
  const page = usePage();
  const enter = useEnterDashboardPage();

  function chooseTab(at: number): void {
    const tab = BOARD_TABS[at];
    const shown = document.querySelectorAll<HTMLElement>('main [role="tab"]')[at];
    // Focusing a tab chooses it, as with the arrow keys; after Back it may have the focus and not be chosen.
    if (page === "/dashboard/" && shown) shown === document.activeElement ? shown.click() : shown.focus();
    else if (tab) enter("/dashboard", { tab });
  }
  useShortcuts({
    "/": focusSearch,
    ...Object.fromEntries(BOARD_TABS.map((_, at) => [String(at + 1), () => chooseTab(at)])),
  });
}
