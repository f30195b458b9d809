import { createFileRoute } from "@tanstack/react-router";
import { AdminPage } from "@/features/admin/admin-page";
import { readAdminSearch } from "@/features/admin/admin-search";
import { requireAdmin } from "@/lib/guards";

export const Route = createFileRoute("/admin")({
  validateSearch: readAdminSearch,
  beforeLoad: requireAdmin,
  component: AdminPage,
});
