import { createFileRoute } from "@tanstack/react-router";
import { ClientPage } from "@/features/client/client-page";
import { readClientSearch } from "@/features/client/client-search";
import { requireClient } from "@/lib/guards";
import { projectListQuery } from "@/lib/project-list";

export const Route = createFileRoute("/_app/client")({
  validateSearch: readClientSearch,
  beforeLoad: requireClient,
  // Asked for beside the page's own code; the page draws its own loading and failed faces, and keeps the list true.
  loader: ({ context }) => void context.queryClient.prefetchQuery(projectListQuery(context.client, "mine")),
  staleTime: Number.POSITIVE_INFINITY,
  component: ClientPage,
});
