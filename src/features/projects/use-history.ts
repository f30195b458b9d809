import { nextPageOf } from "@/lib/next-page";
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
  const pages = query.data?.pages;
  return {
    /** Undefined until the first answer. */
    events: pages && uniqueById(pages.flatMap(({ items }) => items)),
    /** Whoever the events name. */
    people: pages?.flatMap(({ people }) => people) ?? [],
    error: query.isLoadingError ? query.error : null,
    retry: query.refetch,
    isRetrying: query.isFetching,
    more: nextPageOf(query),
    isLoadingMore: query.isFetchingNextPage,
    hasFailedMore: query.isFetchNextPageError,
  };
}

/** Pages that were read at different times may overlap. */
function uniqueById<Event extends { id: number }>(events: readonly Event[]): Event[] {
  return [...new Map(events.map((event) => [event.id, event])).values()];
}
