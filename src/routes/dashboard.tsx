import { createFileRoute, redirect } from "@tanstack/react-router";
import { readBoardSearch, searchFor } from "@/features/dashboard/board-search";
import { DashboardPage } from "@/features/dashboard/dashboard-page";
import { requireSession } from "@/lib/guards";
import { projectListQuery } from "@/lib/project-list";
import { stringifySearch } from "@/lib/search";

export const Route = createFileRoute("/dashboard")({
  validateSearch: readBoardSearch,
  beforeLoad(visit) {
    const session = requireSession(visit);
    const search = searchFor(session.me, visit.search);
    if (stringifySearch(search) !== stringifySearch(visit.search))
      throw redirect({ to: "/dashboard", search, replace: true });
    return session;
  },
  // Asked for beside the page's own code; the page draws its own loading and failed faces, and keeps the list true.
  loader: ({ context }) => void context.queryClient.prefetchQuery(projectListQuery(context.client, "mine")),
  staleTime: Number.POSITIVE_INFINITY,
  component: DashboardPage,
});
