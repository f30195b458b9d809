import { type ComponentType, lazy, Suspense } from "react";
import { SettingsPage } from "@/features/settings/settings-page";
import type { BoardView } from "./board-search";

type LazyView = Exclude<BoardView, "board" | "settings">;

const LOADERS: Record<LazyView, () => Promise<{ default: ComponentType }>> = {
  tasks: () => import("./rooms/tasks-room").then(({ TasksRoom }) => ({ default: TasksRoom })),
  overview: () => import("./rooms/overview-room").then(({ OverviewRoom }) => ({ default: OverviewRoom })),
  team: () => import("./rooms/team-room").then(({ TeamRoom }) => ({ default: TeamRoom })),
  messages: () => import("./rooms/messages-room").then(({ MessagesRoom }) => ({ default: MessagesRoom })),
  calendar: () => import("./rooms/calendar-room").then(({ CalendarRoom }) => ({ default: CalendarRoom })),
};

const ROOMS: Record<Exclude<BoardView, "board">, ComponentType> = {
  tasks: lazy(LOADERS.tasks),
  overview: lazy(LOADERS.overview),
  team: lazy(LOADERS.team),
  calendar: lazy(LOADERS.calendar),
  messages: lazy(LOADERS.messages),
  settings: SettingsPage,
};

/** Fetches a room's code before anybody enters it. */
export function preloadRoom(view: BoardView): void {
  if (view === "board" || view === "settings") return;
  // A failure here is told when the room is entered.
  LOADERS[view]().catch(() => undefined);
}

/** Any room but the board, each in a file of its own. Until its code has come, nothing stands where its heading will. */
export function LazyRoom({ view }: { view: Exclude<BoardView, "board"> }) {
  const Room = ROOMS[view];
  return (
    // Another boundary for each: a room that is on its way must not keep the heading of the one before.
    <Suspense key={view} fallback={<div aria-busy="true" className="h-[30px]" />}>
      <Room />
    </Suspense>
  );
}
