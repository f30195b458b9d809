import { createFileRoute } from "@tanstack/react-router";
import { ClientPortal } from "@/features/projects/client-portal";
import { openIds, toggleOpen } from "@/features/projects/open-projects";
import { optional, type RawSearch, text } from "@/lib/search";

export const Route = createFileRoute("/_app/client/")({
  /** `?open=<id>,<id>` are the projects whose details are shown. */
  validateSearch: ({ open }: RawSearch) => optional({ open: text(open) }),
  component: ClientProjectsPage,
});

/** What a client reads. Spec 2, Client dashboard. */
function ClientProjectsPage() {
  const { open } = Route.useSearch();
  const navigate = Route.useNavigate();
  function toggle(projectId: string): void {
    void navigate({
      search: (kept) => ({ ...kept, open: toggleOpen(kept.open, projectId) }),
      replace: true,
      resetScroll: false,
    });
  }
  return (
    <>
      <h1 tabIndex={-1} className="text-h1">
        Projects
      </h1>
      <ClientPortal open={openIds(open)} onToggle={toggle} />
    </>
  );
}
