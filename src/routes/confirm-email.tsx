import { createFileRoute } from "@tanstack/react-router";
import { ConfirmEmailPage } from "@/features/auth/confirm-email-page";
import { optional, type RawSearch, text } from "@/lib/search";

export const Route = createFileRoute("/confirm-email")({
  validateSearch: (search: RawSearch) => optional({ token: text(search.token) }),
  component: ConfirmEmailPage,
});
