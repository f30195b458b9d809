import { createFileRoute } from "@tanstack/react-router";
import { AdminPage } from "@/features/admin/admin-page";
import { readAdminSearch } from "@/features/admin/admin-search";
import { requireAdmin } from "@/lib/guards";

export const Route = createFileRoute("/admin")({
  validateSearch: readAdminSearch,
  beforeLoad: requireAdmin,
  // Asked for beside the page's own code: the counts of every subtab, and the default subtab.
  loader: ({ context }) => {
    for (const status of ["pending", undefined] as const) void context.api.users.list.prefetchInfinite({ status });
  },
  staleTime: Number.POSITIVE_INFINITY,
  component: AdminPage,
});
