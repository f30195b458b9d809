import type { Me } from "@server/contract/views";
import { useRouter } from "@tanstack/react-router";
import {
  Calendar,
  FolderKanban,
  LayoutDashboard,
  Lightbulb,
  ListChecks,
  type LucideIcon,
  MessageCircle,
  Settings,
  Users,
} from "lucide-react";
import { useCallback } from "react";
import { type PagePath, useEnterPage } from "../../-page-link";

/** The pages of /dashboard, in the order of the sidebar and the specification. */
const PAGES = [
  { to: "/dashboard/tasks", label: "Tasks", icon: ListChecks },
  { to: "/dashboard/overview", label: "Dashboard", icon: LayoutDashboard },
  { to: "/dashboard/team", label: "Team", icon: Users },
  { to: "/dashboard", label: "Projects", icon: FolderKanban },
  { to: "/dashboard/calendar", label: "Calendar", icon: Calendar },
  { to: "/dashboard/requests", label: "Requests", icon: Lightbulb },
  { to: "/dashboard/messages/{-$conversationId}", label: "Messages", icon: MessageCircle },
  { to: "/dashboard/settings", label: "Settings", icon: Settings },
] as const satisfies { to: string; label: string; icon: LucideIcon }[];

export type DashboardPage = (typeof PAGES)[number];
export const REQUESTS: PagePath = "/dashboard/requests";
const TEAM: PagePath = "/dashboard/team";
export const MESSAGES: PagePath = "/dashboard/messages/{-$conversationId}";

/** Clients have a dashboard and messages of their own, and no Team (access.md). */
const FOR_CLIENTS = new Set<PagePath>(["/dashboard/tasks", "/dashboard", "/dashboard/calendar", "/dashboard/settings"]);
/** At most five places, of which "More" is the last. */
const MAX_IN_BAR = 4;
const FIRST_IN_BAR = new Set<PagePath>([
  "/dashboard/tasks",
  "/dashboard/overview",
  "/dashboard",
  "/dashboard/calendar",
]);

/** Who opens the dashboard; `manages`: a manager of some project, who decides about its requests. */
export interface DashboardReader extends Pick<Me, "accountType"> {
  manages: boolean;
}

/** The pages that this person may open. */
export function pagesFor({ accountType, manages }: DashboardReader): readonly DashboardPage[] {
  const pages = manages ? PAGES : PAGES.filter(({ to }) => to !== REQUESTS);
  return accountType === "client" ? pages.filter(({ to }) => FOR_CLIENTS.has(to)) : pages;
}

/** The pages of a phone's bottom bar, and those under "More". */
export function pagesOnPhone(me: DashboardReader): {
  bar: readonly DashboardPage[];
  more: readonly DashboardPage[];
} {
  const pages = pagesFor(me);
  if (pages.length <= MAX_IN_BAR) return { bar: pages, more: [] };
  return {
    bar: pages.filter(({ to }) => FIRST_IN_BAR.has(to)),
    more: pages.filter(({ to }) => !FIRST_IN_BAR.has(to)),
  };
}

/** Only Team's search box finds people: its text is not kept from or for other pages. */
export function searchChanges(to: PagePath, from: string | undefined): { q?: undefined } {
  return (to === TEAM) === (from === TEAM) ? {} : { q: undefined };
}

/** Opens a page, with changes to its address. */
export function useEnterDashboardPage() {
  const router = useRouter();
  const enter = useEnterPage();
  return useCallback(
    (to: PagePath, changes: { q?: string; tab?: string } = {}) =>
      enter(to, { ...searchChanges(to, router.latestLocation.pathname), ...changes }),
    [router, enter],
  );
}
