import { createFileRoute } from "@tanstack/react-router";
import { RequestsPage } from "@/features/requests/requests-page";
import { id, optional, type RawSearch } from "@/lib/search";

export const Route = createFileRoute("/_app/client/requests")({
  validateSearch: ({ request }: RawSearch) => optional({ request: id(request) }),
  component: RequestsRoute,
});

function RequestsRoute() {
  return <RequestsPage side="client" openId={Route.useSearch().request} />;
}
