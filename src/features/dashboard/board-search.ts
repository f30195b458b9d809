import { FILTERS } from "@/features/projects/board-filter";
import { BOARD_TABS } from "@/features/projects/project-status";
import { choice, optional, type RawSearch, text } from "@/lib/search";

const VIEWS = ["board", "settings"] as const;
const MODALS = ["create", "view", "edit"] as const;
/** Characters of the search that an address carries. */
export const LONGEST_SEARCH = 200;
const UUID = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** The state of the board that its address carries; a missing key is the default. Design 3.0. */
export type BoardSearch = ReturnType<typeof readBoardSearch>;
export type BoardModal = (typeof MODALS)[number];

/** `?view=&tab=&filter=&q=&panel=&modal=&project=`; junk and defaults are dropped, and a modal without its project. */
export function readBoardSearch(search: RawSearch) {
  const modal = choice(search.modal, MODALS);
  const project = id(search.project);
  const isOpen = modal === "create" || project !== undefined;
  return optional({
    view: choice(search.view, VIEWS, "board"),
    tab: choice(search.tab, BOARD_TABS, "todo"),
    filter: choice(search.filter, FILTERS, "all"),
    q: text(search.q, LONGEST_SEARCH),
    panel: id(search.panel),
    modal: isOpen ? modal : undefined,
    project: isOpen && modal !== "create" && modal ? project : undefined,
  });
}

function id(value: unknown): string | undefined {
  return typeof value === "string" && UUID.test(value) ? value.toLowerCase() : undefined;
}
