import { createContext } from "react";
import { choice, optional, type RawSearch, text } from "@/lib/search";
import { BOARD_TABS, FILTERS } from "./board-names";

/** Characters of a search that an address carries; the server takes no longer one either. */
export const MAX_SEARCH_LENGTH = 200;

/** The search box of /dashboard; a missing key is the default. */
export function readSearchText(search: RawSearch) {
  return optional({ q: text(search.q, MAX_SEARCH_LENGTH) });
}

/** What an address says about the board; a missing key is the default. Design 3.0. */
export function readBoardSearch(search: RawSearch) {
  return optional({
    ...readSearchText(search),
    tab: choice(search.tab, BOARD_TABS, "todo"),
    filter: choice(search.filter, FILTERS, "all"),
  });
}

/** The words in the search box as they are typed; the address follows 200 ms after the last key. */
export const BoardTextContext = createContext<[text: string, setText: (text: string) => void]>(["", () => undefined]);
