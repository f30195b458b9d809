import type { Me } from "@server/contract/views";
import { BOARD_TABS, FILTERS } from "@/features/projects/board-names";
import { choice, id, optional, type RawSearch, text } from "@/lib/search";

/** The rooms of /dashboard, as its address calls them. */
export const VIEWS = ["board", "tasks", "overview", "team", "calendar", "messages", "settings"] as const;
export type BoardView = (typeof VIEWS)[number];

/** The rooms that clients have: a dashboard of their own takes the place of the others. */
export const CLIENTS_VIEWS: ReadonlySet<BoardView> = new Set<BoardView>(["board", "calendar", "settings"]);

const MODALS = ["create", "view", "edit"] as const;
const CALENDARS = ["month", "agenda"] as const;
/** Characters of the search that an address carries; the server takes no longer one either. */
export const LONGEST_SEARCH = 200;
const MONTH = /^[1-9]\d{3}-(?:0[1-9]|1[0-2])$/;

/** The state of the board that its address carries; a missing key is the default. Design 3.0. */
export type BoardSearch = ReturnType<typeof readBoardSearch>;
export type BoardModal = (typeof MODALS)[number];

/**
 * Junk and defaults are dropped, a modal without its project, and a task without its panel. `calendar` has no default here:
 * how the room starts depends on the window.
 */
export function readBoardSearch(search: RawSearch) {
  const modal = choice(search.modal, MODALS);
  const project = id(search.project);
  const panel = id(search.panel);
  const isOpen = modal === "create" || project !== undefined;
  return optional({
    view: choice(search.view, VIEWS, "board"),
    tab: choice(search.tab, BOARD_TABS, "todo"),
    filter: choice(search.filter, FILTERS, "all"),
    q: text(search.q, LONGEST_SEARCH),
    month: month(search.month),
    calendar: choice(search.calendar, CALENDARS),
    panel,
    task: panel ? id(search.task) : undefined,
    modal: isOpen ? modal : undefined,
    c: id(search.c),
    to: id(search.to),
    project: isOpen && modal !== "create" && modal ? project : undefined,
  });
}

/** What of an address is there for this person: clients have fewer rooms, and create nothing. */
export function searchFor({ accountType }: Pick<Me, "accountType">, search: BoardSearch): BoardSearch {
  if (accountType !== "client") return search;
  const { view = "board", modal } = search;
  return readBoardSearch({
    ...search,
    ...(!CLIENTS_VIEWS.has(view) && { view: undefined }),
    ...(modal === "create" && { modal: undefined }),
  });
}

function month(value: unknown): string | undefined {
  return typeof value === "string" && MONTH.test(value) ? value : undefined;
}
