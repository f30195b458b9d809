import { createContext } from "react";
import { choice, optional, type RawSearch, text } from "@/lib/search";
import { BOARD_TABS, FILTERS } from "./board-names";

/** Characters of a search text; also the server's limit. */
export const MAX_SEARCH_LENGTH = 200;

/** The search text in an address of /dashboard. */
export function readSearchText(search: RawSearch) {
  return optional({ q: text(search.q, MAX_SEARCH_LENGTH) });
}

/** The board's state in its address; defaults are left out. Design 3.0. */
export function readBoardSearch(search: RawSearch) {
  return optional({
    ...readSearchText(search),
    tab: choice(search.tab, BOARD_TABS, "todo"),
    filter: choice(search.filter, FILTERS, "all"),
  });
}

/** The text of the search box as typed; the address follows 200 ms after the last key. */
export const BoardTextContext = createContext<[text: string, setText: (text: string) => void]>(["", () => undefined]);
