import { createFileRoute } from "@tanstack/react-router";
import { ClientPage } from "@/features/client/client-page";
import { readClientSearch } from "@/features/client/client-search";
import { requireClient } from "@/lib/guards";

export const Route = createFileRoute("/client")({
  validateSearch: readClientSearch,
  beforeLoad: requireClient,
  component: ClientPage,
});
