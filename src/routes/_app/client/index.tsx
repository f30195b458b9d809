import { createFileRoute } from "@tanstack/react-router";
import { lazy, Suspense } from "react";
import { SinceLine } from "@/features/overview/since-line";
import { readSinceSearch } from "@/features/overview/since-search";
import { useSinceLastVisit } from "@/features/overview/use-since-last-visit";
import { ClientPortal } from "@/features/projects/client-portal";
import { openIds, toggleOpen } from "@/features/projects/open-projects";
import { optional, type RawSearch, text } from "@/lib/search";
import { useFirstTry } from "@/lib/use-first-try";
import { usePageSearch } from "@/lib/use-page-search";
import { Button } from "@/ui/button";

export const Route = createFileRoute("/_app/client/")({
  /** `?open=<id>,<id>` are the projects whose details are shown. */
  validateSearch: ({ open, since }: RawSearch) => optional({ ...readSinceSearch({ since }), open: text(open) }),
  component: ClientProjectsPage,
});

const NewMessage = lazy(() =>
  import("@/features/chat/messages-page").then((module) => ({ default: module.NewMessage })),
);
const WRITE = "Write to an admin";

/** A client's projects and commits. Spec 2, Client dashboard. */
function ClientProjectsPage() {
  const [{ open }, change] = usePageSearch(Route);
  const since = useSinceLastVisit();
  const isFirstTry = useFirstTry([since]);
  const navigate = Route.useNavigate();
  function write(to: string): void {
    void navigate({ to: "/client/messages/{-$conversationId}", params: { conversationId: undefined }, search: { to } });
  }
  return (
    <>
      <h1 tabIndex={-1} className="text-h1">
        Projects
      </h1>
      <SinceLine query={since} className="mt-1.5" />
      <ClientPortal
        wait={isFirstTry}
        open={openIds(open)}
        onToggle={(projectId) => change.replace(({ open }: RawSearch) => ({ open: toggleOpen(text(open), projectId) }))}
        firstStep={
          <>
            <p className="text-balance text-dense">They appear here as soon as the team adds you to one.</p>
            <Suspense fallback={<Button disabled>{WRITE}</Button>}>
              <NewMessage label={WRITE} variant="primary" onChoose={write} />
            </Suspense>
          </>
        }
      />
    </>
  );
}
