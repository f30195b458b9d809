import { createFileRoute } from "@tanstack/react-router";
import { type ComponentProps, useMemo } from "react";
import { ProjectActivity, type ToToken } from "@/features/github/project-activity";
import { TOKEN_ANCHOR } from "@/features/github/use-token";
import { useOverlays } from "@/features/projects/use-overlays";
import { useProjects } from "@/features/projects/use-projects";
import { PageLink } from "../../-page-link";

export const Route = createFileRoute("/_app/admin/activity")({
  loader: ({ context }) => void context.api.github.commits.prefetch(),
  component: ActivityPage,
});

/** What was committed, and the way to projects whose links must be mended. Spec 2, Activity tab. */
function ActivityPage() {
  const { openModal } = useOverlays();
  const projects = useProjects({ scope: "all" }).data?.items;
  const mending = useMemo(
    () => ({
      titleOf: (projectId: string) => projects?.find(({ id }) => id === projectId)?.title,
      edit: (projectId: string) => openModal("edit", projectId),
    }),
    [projects, openModal],
  );
  return <ProjectActivity mending={mending} toToken={ToRepositoryToken} />;
}

function ToRepositoryToken(props: ComponentProps<ToToken>) {
  return <PageLink {...props} to="/admin/settings" hash={TOKEN_ANCHOR} />;
}
