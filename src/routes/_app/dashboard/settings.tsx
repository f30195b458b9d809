import { createFileRoute } from "@tanstack/react-router";
import { useMe } from "@/features/auth/use-auth";
import type { TOKEN_ANCHOR } from "@/features/github/use-token";
import { SettingsPage } from "@/features/settings/settings-page";
import { SettingsSection } from "@/features/settings/settings-section";
import { PageLink } from "../../-page-link";

/** As `TOKEN_ANCHOR` of the repository token, whose code these settings do without. */
const TOKEN_SECTION: typeof TOKEN_ANCHOR = "repository-token";

export const Route = createFileRoute("/_app/dashboard/settings")({ component: DashboardSettings });

/** Personal settings, and for admins a link to the organisation's. */
function DashboardSettings() {
  return <SettingsPage>{useMe().accountType === "admin" && <OrganisationSettings />}</SettingsPage>;
}

function OrganisationSettings() {
  return (
    <div className="max-w-[1000px] border-line border-t pt-2">
      <SettingsSection title="Organisation" lead="Settings that apply to everyone. Only admins see them.">
        <p className="text-ink2">
          The repository token and page speed are in the{" "}
          <PageLink to="/admin/settings" hash={TOKEN_SECTION} className="text-brand-text underline underline-offset-3">
            settings of the Admin Dashboard
          </PageLink>
          .
        </p>
      </SettingsSection>
    </div>
  );
}
