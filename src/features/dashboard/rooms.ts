import type { Me } from "@server/contract/views";
import {
  Calendar,
  FolderKanban,
  LayoutDashboard,
  ListChecks,
  type LucideIcon,
  MessageCircle,
  Settings,
  Users,
} from "lucide-react";
import { type BoardSearch, type BoardView, CLIENTS_VIEWS, readBoardSearch } from "./board-search";

/** A room of /dashboard: its place in the sidebar. */
export interface Room {
  view: BoardView;
  label: string;
  icon: LucideIcon;
}

const ROOMS: readonly Room[] = [
  { view: "tasks", label: "Tasks", icon: ListChecks },
  { view: "overview", label: "Dashboard", icon: LayoutDashboard },
  { view: "team", label: "Team", icon: Users },
  { view: "board", label: "Projects", icon: FolderKanban },
  { view: "calendar", label: "Calendar", icon: Calendar },
  { view: "messages", label: "Messages", icon: MessageCircle },
  { view: "settings", label: "Settings", icon: Settings },
];
/** Five places at most: "More" is the last. */
const PLACES_ON_PHONE = 4;
const FIRST_ON_PHONE = new Set<BoardView>(["tasks", "overview", "board", "calendar"]);

/** In the sidebar's order, which is the specification's. Clients have a dashboard of their own, and fewer rooms here. */
export function roomsFor({ accountType }: Pick<Me, "accountType">): readonly Room[] {
  return accountType === "client" ? ROOMS.filter(({ view }) => CLIENTS_VIEWS.has(view)) : ROOMS;
}

/** The same rooms as a phone's bottom bar holds them, and those that stand under "More". */
export function roomsOnPhone(me: Pick<Me, "accountType">): { bar: readonly Room[]; more: readonly Room[] } {
  const rooms = roomsFor(me);
  if (rooms.length <= PLACES_ON_PHONE) return { bar: rooms, more: [] };
  return {
    bar: rooms.filter(({ view }) => FIRST_ON_PHONE.has(view)),
    more: rooms.filter(({ view }) => !FIRST_ON_PHONE.has(view)),
  };
}

/** The room that an address asks for, or the board where this person has no such room. */
export function roomFor(me: Pick<Me, "accountType">, view: BoardView): BoardView {
  return roomsFor(me).some((room) => room.view === view) ? view : "board";
}

/**
 * The address of a room from where one stands: without what is open over the present one, with everything else. Only the
 * search of the Team room looks for people: it neither comes from elsewhere nor goes there.
 */
export function roomSearch(search: BoardSearch, view: BoardView): BoardSearch {
  const before = search.view ?? "board";
  const isOtherSearch = before !== view && (before === "team" || view === "team");
  return readBoardSearch({
    ...search,
    view,
    panel: undefined,
    modal: undefined,
    project: undefined,
    ...(isOtherSearch && { q: undefined }),
  });
}
