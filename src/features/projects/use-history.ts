import { getQueryKey } from "@trpc/react-query";
import { registerLiveSync } from "@/lib/live-sync";
import { usePagedItems } from "@/lib/paged-list";
import { trpc } from "@/lib/trpc";

const queries = [{ queryKey: getQueryKey(trpc.projects.history) }];
// Who did what is in no event: a history that is on screen is read again, once for a burst.
registerLiveSync("projects", {
  queries,
  receive: (change) => ((change.steps ?? [change]).every(({ kind }) => kind === "task-moved") ? [] : queries),
});

interface HistoryOptions {
  projectId?: string | undefined;
  /** One task of it. */
  taskId?: string | undefined;
  /** The client whose portal an admin views. */
  asClientId?: string | undefined;
}

/**
 * The events, newest first, of one task, of one project or of all that the signed-in person takes part in. The page's
 * `useProjectChanges` keeps them up to date.
 */
export function useHistory(of: HistoryOptions = {}) {
  const query = trpc.projects.history.useInfiniteQuery(of, { getNextPageParam: ({ nextCursor }) => nextCursor });
  return {
    ...usePagedItems(query),
    /** Everyone mentioned in the events. */
    people: query.data?.pages.flatMap(({ people }) => people) ?? [],
  };
}
