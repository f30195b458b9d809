import { createFileRoute } from "@tanstack/react-router";
import { LoginPage } from "@/features/auth/login-page";
import { requireSignedOut } from "@/lib/guards";
import { choice, optional, type RawSearch, text } from "@/lib/search";
import { NOTICE_NAMES } from "@/lib/user-message";

export const Route = createFileRoute("/login")({
  validateSearch: (search: RawSearch) =>
    optional({ redirect: text(search.redirect), notice: choice(search.notice, NOTICE_NAMES) }),
  beforeLoad: requireSignedOut,
  component: LoginPage,
});
