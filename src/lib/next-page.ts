/** What reading on needs of an infinite query. */
interface PagedList {
  hasNextPage: boolean;
  fetchNextPage(options: { cancelRefetch: boolean }): Promise<{
    data: { pages: readonly unknown[] } | undefined;
    hasNextPage: boolean;
    isFetchNextPageError: boolean;
  }>;
  data: { pages: readonly unknown[] } | undefined;
}

/**
 * Reads the next page; null when there is none. Such lists are also read again when something changes, and of two readings
 * the later one breaks the earlier one off: a press on "Show more" in that moment would do nothing. So it lets a reading
 * that is under way end, and asks again until the page has come, has failed, or is no longer there.
 */
export function nextPageOf(list: PagedList): (() => Promise<void>) | null {
  if (!list.hasNextPage) return null;
  const count = list.data?.pages.length ?? 0;
  return async () => {
    for (;;) {
      const { data, hasNextPage, isFetchNextPageError } = await list.fetchNextPage({ cancelRefetch: false });
      if (!data || data.pages.length > count || !hasNextPage || isFetchNextPageError) return;
    }
  };
}
