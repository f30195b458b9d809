import { getQueryKey } from "@trpc/react-query";
import { registerLiveSync } from "@/lib/live-sync";
import { trpc } from "@/lib/trpc";

const queries = [{ queryKey: getQueryKey(trpc.users.team) }];
// People are listed with their projects.
registerLiveSync("projects", { queries, receive: ({ change }) => (change === "tasks" ? [] : queries) });

/** All active people by name, with those of their projects that the signed-in person may see. Not for clients. */
export function useTeam() {
  return trpc.users.team.useQuery();
}
