import { getQueryKey } from "@trpc/react-query";
import { registerLiveSync } from "@/lib/live-sync";
import { usePagedItems } from "@/lib/paged-list";
import { trpc } from "@/lib/trpc";

const queries = [{ queryKey: getQueryKey(trpc.projects.history) }];
registerLiveSync("projects", { queries, receive: ({ kind }) => (kind === "task-moved" ? [] : queries) });

/**
 * What was done, newest first: in one project, or in all that the signed-in person takes part in. `useProjectChanges` of the
 * page keeps it true.
 */
export function useHistory({ projectId }: { projectId?: string | undefined } = {}) {
  const query = trpc.projects.history.useInfiniteQuery(
    { projectId },
    { getNextPageParam: ({ nextCursor }) => nextCursor },
  );
  return {
    ...usePagedItems(query),
    /** Everyone the events mention. */
    people: query.data?.pages.flatMap(({ people }) => people) ?? [],
  };
}
