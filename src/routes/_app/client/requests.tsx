import { createFileRoute } from "@tanstack/react-router";
import { readRequestSearch } from "@/features/requests/request-search";
import { RequestsPage } from "@/features/requests/requests-page";
import { choice, optional, type RawSearch } from "@/lib/search";

export const Route = createFileRoute("/_app/client/requests")({
  validateSearch: (search: RawSearch) =>
    optional({ ...readRequestSearch(search), writing: choice(search.writing, ["request"]) }),
  component: RequestsRoute,
});

function RequestsRoute() {
  const { request, requests, writing } = Route.useSearch();
  return <RequestsPage side="client" openId={request} status={requests} isWriting={writing !== undefined} />;
}
