import { trpc } from "@/lib/trpc";

/** All active people by name, with their projects as far as the signed-in person may see those. Not for clients. */
export function useTeam() {
  return trpc.users.team.useQuery();
}
