import { createFileRoute } from "@tanstack/react-router";
import { type ComponentProps, useMemo } from "react";
import { useFindings } from "@/features/findings/use-findings";
import { WorthALook } from "@/features/findings/worth-a-look";
import { ProjectActivity, type ToToken } from "@/features/github/project-activity";
import { TOKEN_ANCHOR } from "@/features/github/use-token";
import { PanelLink } from "@/features/projects/project-link";
import { useOverlays } from "@/features/projects/use-overlays";
import { useProjects } from "@/features/projects/use-projects";
import { id, optional, type RawSearch } from "@/lib/search";
import { useFirstTry } from "@/lib/use-first-try";
import { usePageSearch } from "@/lib/use-page-search";
import { PageLink } from "../../-page-link";

export const Route = createFileRoute("/_app/admin/activity")({
  /** `?activity=<project>` shows the commits of one project. */
  validateSearch: ({ activity }: RawSearch) => optional({ activity: id(activity) }),
  loaderDeps: ({ search: { activity } }) => ({ activity }),
  loader: ({ context, deps: { activity: projectId } }) =>
    void context.api.github.commits.prefetch(projectId === undefined ? undefined : { projectId }),
  component: ActivityPage,
});

/** Commits of all projects or of one, and the way to projects whose links need fixing. Spec 2, Activity tab. */
function ActivityPage() {
  const [{ activity }, change] = usePageSearch(Route);
  const { openModal } = useOverlays();
  const projects = useProjects({ scope: "all" }).data?.items;
  const mending = useMemo(
    () => ({
      titleOf: (projectId: string) => projects?.find(({ id }) => id === projectId)?.title,
      edit: (projectId: string) => openModal("edit", projectId),
    }),
    [projects, openModal],
  );
  const linked = useMemo(
    () =>
      (projects ?? [])
        .filter(({ githubRepo }) => githubRepo !== null)
        .sort((one, other) => one.title.localeCompare(other.title)),
    [projects],
  );
  const filter = {
    // A project may be deleted, or unlinked, while the address still names it.
    projectId: projects && !linked.some(({ id }) => id === activity) ? undefined : activity,
    projects: linked,
    onChange: (projectId: string | undefined) => change.replace({ activity: projectId }),
  };
  const findings = useFindings({ projectId: filter.projectId });
  return (
    <ProjectActivity
      filter={filter}
      wait={useFirstTry([findings])}
      mending={mending}
      toProject={PanelLink}
      toToken={ToRepositoryToken}
      aside={<WorthALook query={findings} />}
    />
  );
}

function ToRepositoryToken(props: ComponentProps<ToToken>) {
  return <PageLink {...props} to="/admin/settings" hash={TOKEN_ANCHOR} />;
}
