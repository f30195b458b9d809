import { createFileRoute } from "@tanstack/react-router";
import { readBoardSearch } from "@/features/dashboard/board-search";
import { DashboardPage } from "@/features/dashboard/dashboard-page";
import { requireSession } from "@/lib/guards";
import { projectListQuery } from "@/lib/project-list";

export const Route = createFileRoute("/dashboard")({
  validateSearch: readBoardSearch,
  beforeLoad: requireSession,
  // Asked for beside the page's own code; the page draws its own loading and failed faces, and keeps the list true.
  loader: ({ context }) => void context.queryClient.prefetchQuery(projectListQuery(context.client, "mine")),
  staleTime: Number.POSITIVE_INFINITY,
  component: DashboardPage,
});
