import { createFileRoute, redirect } from "@tanstack/react-router";
import { ResetPasswordPage } from "@/features/auth/reset-password-page";
import { holdLinkToken } from "@/features/auth/use-auth";
import { optional, type RawSearch, text } from "@/lib/search";

export const Route = createFileRoute("/reset-password")({
  validateSearch: (search: RawSearch) => optional({ token: text(search.token) }),
  // Out of the address before anything is drawn: no history, screenshot or Referer shows it afterwards.
  beforeLoad: ({ search: { token } }) => {
    if (token === undefined) return;
    holdLinkToken("reset", token);
    throw redirect({ to: "/reset-password", search: {}, replace: true });
  },
  component: ResetPasswordPage,
});
