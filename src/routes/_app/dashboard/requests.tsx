import { createFileRoute } from "@tanstack/react-router";
import { readRequestSearch } from "@/features/requests/request-search";
import { RequestsPage } from "@/features/requests/requests-page";
import { requireStaff } from "@/lib/guards";

export const Route = createFileRoute("/_app/dashboard/requests")({
  validateSearch: readRequestSearch,
  beforeLoad: requireStaff,
  component: RequestsRoute,
});

function RequestsRoute() {
  const { request, requests } = Route.useSearch();
  return <RequestsPage side="firm" openId={request} status={requests} />;
}
