import { Suspense } from "react";
import { preloadSettings } from "@/features/settings/lazy-sections";
import { SettingsPage } from "@/features/settings/settings-page";
import { lazyPart } from "@/lib/lazy-part";
import type { BoardView } from "./board-search";

type LazyView = Exclude<BoardView, "board" | "settings">;

const PARTS: Record<LazyView, ReturnType<typeof lazyPart>> = {
  tasks: lazyPart(() => import("./rooms/tasks-room").then((module) => module.TasksRoom)),
  overview: lazyPart(() => import("./rooms/overview-room").then((module) => module.OverviewRoom)),
  team: lazyPart(() => import("./rooms/team-room").then((module) => module.TeamRoom)),
  messages: lazyPart(() => import("./rooms/messages-room").then((module) => module.MessagesRoom)),
  calendar: lazyPart(() => import("./rooms/calendar-room").then((module) => module.CalendarRoom)),
};

/** Fetches a room's code before anybody enters it. */
export function preloadRoom(view: BoardView): void {
  if (view === "settings") preloadSettings();
  else if (view !== "board") PARTS[view].preload();
}

/** Any room but the board, each in a file of its own. Until its code has come, nothing stands where its heading will. */
export function LazyRoom({ view }: { view: Exclude<BoardView, "board"> }) {
  const Room = view === "settings" ? SettingsPage : PARTS[view].Part;
  return (
    // Another boundary for each: a room that is on its way must not keep the heading of the one before.
    <Suspense key={view} fallback={<div aria-busy="true" className="h-[30px]" />}>
      <Room />
    </Suspense>
  );
}
