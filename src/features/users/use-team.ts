import type { TeamMember } from "@server/contract/views";
import { getQueryKey } from "@trpc/react-query";
import { registerLiveSync } from "@/lib/live-sync";
import { patchQueries } from "@/lib/query-updates";
import { trpc } from "@/lib/trpc";

const queries = [{ queryKey: getQueryKey(trpc.users.team) }];
// People are listed with their projects' titles.
registerLiveSync("projects", {
  queries,
  receive({ projectId, project, ...change }, { queryClient }) {
    const steps = change.steps ?? [change];
    if (!project || steps.some(({ kind }) => kind === "resync" || kind === "people-changed")) return queries;
    const isSame = ({ id, title }: { id: string; title: string }) => id !== projectId || title === project.title;
    return queries.flatMap((filters) =>
      patchQueries<TeamMember[]>(queryClient, filters, (team) =>
        team.every(({ projects }) => projects.every(isSame)) ? team : null,
      ),
    );
  },
});

/** All active people by name, with those of their projects that the signed-in person may see. Not for clients. */
export function useTeam() {
  return trpc.users.team.useQuery();
}
