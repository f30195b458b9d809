import { trpc } from "@/lib/trpc";

/** What others have done since the signed-in person was here. Apart from the rest, as each start page begins with it. */
export function useSinceLastVisit() {
  return trpc.overview.sinceLastVisit.useQuery();
}
