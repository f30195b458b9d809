import { getQueryKey } from "@trpc/react-query";
import { registerLiveSync, useLiveSync } from "@/lib/live-sync";
import { usePagedItems } from "@/lib/paged-list";
import { patchQueries } from "@/lib/query-updates";
import { trpc } from "@/lib/trpc";

const LISTS = { queryKey: getQueryKey(trpc.notifications.list) };
const UNREAD = { queryKey: getQueryKey(trpc.notifications.unread) };

registerLiveSync("notifications", {
  queries: [LISTS, UNREAD],
  receive({ unread }, { queryClient }) {
    return [LISTS, ...patchQueries<{ unread: number }>(queryClient, UNREAD, () => ({ unread }))];
  },
});

/** How many are unread, kept up to date while the calling page is open; 0 until known. */
export function useUnreadNotifications(): number {
  useLiveSync("notifications");
  return trpc.notifications.unread.useQuery().data?.unread ?? 0;
}

/** One's own, newest first. Kept up to date by `useUnreadNotifications`. */
export function useNotifications({ enabled = true }: { enabled?: boolean } = {}) {
  const pages = trpc.notifications.list.useInfiniteQuery(
    {},
    { enabled, getNextPageParam: ({ nextCursor }) => nextCursor },
  );
  return usePagedItems(pages);
}
