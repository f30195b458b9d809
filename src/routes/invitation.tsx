import { createFileRoute, redirect } from "@tanstack/react-router";
import { InvitationPage } from "@/features/auth/invitation-page";
import { holdLinkToken } from "@/features/auth/use-auth";
import { optional, type RawSearch, text } from "@/lib/search";

export const Route = createFileRoute("/invitation")({
  validateSearch: (search: RawSearch) => optional({ token: text(search.token) }),
  // As on /reset-password: the token sets a password, so that it does not stay in the address.
  beforeLoad: ({ search: { token } }) => {
    if (token === undefined) return;
    holdLinkToken("invitation", token);
    throw redirect({ to: "/invitation", search: {}, replace: true });
  },
  component: InvitationPage,
});
