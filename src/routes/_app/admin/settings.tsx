import { createFileRoute, useLocation } from "@tanstack/react-router";
import { type RefObject, useEffect, useRef, useState } from "react";
import { RepositoryToken } from "@/features/github/repository-token";
import { TOKEN_ANCHOR } from "@/features/github/use-token";
import { OrganisationSettings } from "@/features/organisation/organisation-settings";
import { LeaveGuard } from "@/features/settings/leave-guard";
import { SettingsPage } from "@/features/settings/settings-page";
import { SettingsSection } from "@/features/settings/settings-section";
import { useWebhooks } from "@/features/webhooks/use-webhooks";
import { WebhookList } from "@/features/webhooks/webhook-list";

export const Route = createFileRoute("/_app/admin/settings")({ component: AdminSettings });

/** One's own settings, then the organisation's. */
function AdminSettings() {
  return (
    <SettingsPage>
      <OrganisationSection />
      <TokenSection />
      <WebhookSection />
    </SettingsPage>
  );
}

function OrganisationSection() {
  const [isDirty, setDirty] = useState(false);
  return (
    <div className="max-w-[1000px] border-line border-t pt-2">
      <SettingsSection title="Organisation" lead="Applies to everyone. Any admin can change it.">
        <OrganisationSettings onDirtyChange={setDirty} />
      </SettingsSection>
      <LeaveGuard isDirty={isDirty} question="Your changes to the organisation will be lost." />
    </div>
  );
}

function TokenSection() {
  const [isDirty, setDirty] = useState(false);
  const box = useRef<HTMLDivElement>(null);
  useShownByAddress(box);
  return (
    <div ref={box} className="max-w-[1000px] border-line border-t pt-2">
      <SettingsSection
        title="Repository token"
        lead="Used to read private repositories on GitHub. It belongs to the organisation: any admin can replace or remove it."
      >
        <RepositoryToken onDirtyChange={setDirty} />
      </SettingsSection>
      <LeaveGuard isDirty={isDirty} question="Your changes to the repository token will be lost." />
    </div>
  );
}

function WebhookSection() {
  const webhooks = useWebhooks();
  const [isDirty, setDirty] = useState(false);
  return (
    <div className="max-w-[1000px] border-line border-t pt-2">
      <SettingsSection title="Webhooks" lead="Tell other programs what happens. Webhooks belong to the organisation.">
        <WebhookList query={webhooks} onDirtyChange={setDirty} />
      </SettingsSection>
      <LeaveGuard isDirty={isDirty} question="What you typed for the new webhook will be lost." />
    </div>
  );
}

/** The sections above may grow for this long. */
const LOADING_MS = 3_000;
const USER_EVENTS = ["wheel", "touchstart", "pointerdown", "keydown"];

/** With `#repository-token` the page scrolls to the section, and stays there while those above it load. */
function useShownByAddress(box: RefObject<HTMLElement | null>): void {
  const isWanted = useLocation({ select: ({ hash }) => hash === TOKEN_ANCHOR });
  useEffect(() => {
    const heading = isWanted && box.current?.querySelector("h2");
    if (!heading) return undefined;
    heading.focus({ preventScroll: true });
    const over = new AbortController();
    const growth = new ResizeObserver(() => heading.scrollIntoView({ block: "start" }));
    growth.observe(document.body);
    over.signal.addEventListener("abort", () => growth.disconnect());
    for (const move of USER_EVENTS) {
      window.addEventListener(move, () => over.abort(), { passive: true, signal: over.signal });
    }
    const timer = setTimeout(() => over.abort(), LOADING_MS);
    return () => {
      clearTimeout(timer);
      over.abort();
    };
  }, [isWanted, box]);
}
