import { createFileRoute } from "@tanstack/react-router";
import { AdminPage } from "@/features/admin/admin-page";
import { readAdminSearch } from "@/features/admin/admin-search";
import { preloadSection } from "@/features/admin/lazy-section";
import { requireAdmin } from "@/lib/guards";
import { projectListQuery } from "@/lib/project-list";

export const Route = createFileRoute("/_app/admin")({
  validateSearch: readAdminSearch,
  beforeLoad: (visit) => {
    const admitted = requireAdmin(visit);
    preloadSection(visit.search.section ?? "projects");
    return admitted;
  },
  // Asked for beside the page's own code: all projects, the counts of every subtab, and the default subtab.
  loader: ({ context }) => {
    void context.queryClient.prefetchQuery(projectListQuery(context.client, "all"));
    for (const status of ["pending", undefined] as const) void context.api.users.list.prefetchInfinite({ status });
  },
  staleTime: Number.POSITIVE_INFINITY,
  component: AdminPage,
});
