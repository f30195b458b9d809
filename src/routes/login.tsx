import { createFileRoute } from "@tanstack/react-router";
import { LoginPage } from "@/features/auth/login-page";
import { requireSignedOut } from "@/lib/guards";
import { choice, defined, type RawSearch, text } from "@/lib/search";
import { NOTICE_NAMES } from "@/lib/user-message";

export const Route = createFileRoute("/login")({
  validateSearch: (search: RawSearch) =>
    defined({ redirect: text(search.redirect), notice: choice(search.notice, NOTICE_NAMES) }),
  beforeLoad: requireSignedOut,
  component: LoginPage,
});
