import { createFileRoute } from "@tanstack/react-router";
import { TwoFactorPage } from "@/features/settings/two-factor-page";
import { requireMissingTwoFactor } from "@/lib/guards";
import { optional, type RawSearch, text } from "@/lib/search";

export const Route = createFileRoute("/two-factor")({
  validateSearch: (search: RawSearch) => optional({ redirect: text(search.redirect) }),
  beforeLoad: requireMissingTwoFactor,
  component: TwoFactorPage,
});
