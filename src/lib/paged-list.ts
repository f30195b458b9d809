import { useMemo } from "react";
import { uniqueById } from "./unique-by-id";

/** What reading on needs of an infinite query. */
interface Pages<Page> {
  data: { pages: readonly Page[] } | undefined;
  hasNextPage: boolean;
  fetchNextPage(options: { cancelRefetch: boolean }): Promise<{
    data: { pages: readonly unknown[] } | undefined;
    hasNextPage: boolean;
    isFetchNextPageError: boolean;
  }>;
}

interface PagedQuery<Item> extends Pages<{ items: readonly Item[] }> {
  error: unknown;
  isLoadingError: boolean;
  isFetching: boolean;
  isPlaceholderData: boolean;
  isFetchingNextPage: boolean;
  isFetchNextPageError: boolean;
  refetch(): Promise<unknown>;
}

/** A list that is read in pages, for `PagedList` in ui. */
export interface PagedItems<Item> {
  /** Undefined until the first response. */
  items: readonly Item[] | undefined;
  /** Why the first page could not be read; null otherwise. */
  error: unknown;
  retry: () => void;
  isRetrying: boolean;
  /** Reads the next page; null when there is none. */
  more: (() => void) | null;
  isLoadingMore: boolean;
  hasFailedMore: boolean;
  /** The items still belong to the previous filter. */
  isStale: boolean;
}

/** The items of an infinite query as one list. */
export function usePagedItems<Item extends { id: string | number }>(query: PagedQuery<Item>): PagedItems<Item> {
  const { data, isPlaceholderData, refetch } = query;
  const nextPage = isPlaceholderData ? null : nextPageOf(query);
  return {
    items: useMemo(() => data && uniqueById(data.pages.flatMap(({ items }) => items)), [data]),
    error: query.isLoadingError ? query.error : null,
    retry: () => void refetch(),
    isRetrying: query.isFetching,
    more: nextPage && (() => void nextPage()),
    isLoadingMore: query.isFetchingNextPage,
    hasFailedMore: query.isFetchNextPageError,
    isStale: isPlaceholderData,
  };
}

/**
 * Reads the next page; null when there is none. A refetch of the list cancels a next page under way and the other way round,
 * so that a click on "Show more" at that moment would do nothing. This waits for a refetch under way, and asks again until
 * the page has arrived, has failed or no longer exists.
 */
export function nextPageOf(query: Pages<unknown>): (() => Promise<void>) | null {
  if (!query.hasNextPage) return null;
  const count = query.data?.pages.length ?? 0;
  return async () => {
    for (;;) {
      const { data, hasNextPage, isFetchNextPageError } = await query.fetchNextPage({ cancelRefetch: false });
      if (!data || data.pages.length > count || !hasNextPage || isFetchNextPageError) return;
    }
  };
}
