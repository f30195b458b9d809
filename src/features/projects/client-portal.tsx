import { RepositoryActivity } from "@/features/github/repository-activity";
import { useProjects } from "@/features/projects/use-projects";
import { ClientProjects } from "./client-projects";
import { ProjectStats } from "./project-stats";

type ClientPortalProps = {
  /** Whose portal an admin sees; the signed-in client's own by default. */
  asClientId?: string | undefined;
  /** The projects whose details are shown. */
  open: readonly string[];
  onToggle: (projectId: string) => void;
};

/** What a client reads: how many projects there are, the projects themselves, and what was committed. Nothing in it writes. */
export function ClientPortal({ asClientId, open, onToggle }: ClientPortalProps) {
  const query = useProjects({ scope: "mine", asClientId });
  return (
    <>
      <ProjectStats projects={query.data?.items} failed={query.isLoadingError} />
      <h2 className="mt-8 mb-3 text-h3">Your Projects</h2>
      <ClientProjects query={query} asClientId={asClientId} open={open} onToggle={onToggle} />
      <h2 className="mt-8 mb-3 text-h3">Repository Activity</h2>
      <RepositoryActivity asClientId={asClientId} />
    </>
  );
}
