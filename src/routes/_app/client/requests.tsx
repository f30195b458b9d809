import { createFileRoute } from "@tanstack/react-router";
import { readRequestSearch } from "@/features/requests/request-search";
import { RequestsPage } from "@/features/requests/requests-page";

export const Route = createFileRoute("/_app/client/requests")({
  validateSearch: readRequestSearch,
  component: RequestsRoute,
});

function RequestsRoute() {
  const { request, requests } = Route.useSearch();
  return <RequestsPage side="client" openId={request} status={requests} />;
}
