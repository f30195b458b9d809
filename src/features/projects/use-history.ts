import { usePagedItems } from "@/lib/paged-list";
import { trpc } from "@/lib/trpc";

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
