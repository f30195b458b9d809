import {
  type InfiniteData,
  InfiniteQueryObserver,
  type InfiniteQueryObserverOptions,
  notifyManager,
  type QueryClient,
  type QueryKey,
} from "@tanstack/react-query";
import type { Unsubscribable } from "@trpc/server/observable";

/** What is read page by page from its end and then followed: an open conversation or discussion. */
export interface OpenPages<Page> {
  /** Undefined until the first has been read. */
  pages(): Page[] | undefined;
  /** As scrolling up does: reads the next older page, if there is one. */
  readOlder(): Promise<void>;
  isWhole(): boolean;
  isAtRest(): boolean;
  /** Call it when something was received. */
  sync(): void;
  leave(): void;
}

interface PagesOptions<Page> {
  queryClient: QueryClient;
  query: InfiniteQueryObserverOptions<Page, Error, InfiniteData<Page, number | null>, QueryKey, number | null>;
  /** Opens the stream, once the first page has been read. */
  follow(pages: Page[]): Unsubscribable;
  onChange(): void;
}

/** Reads and follows as the app's hooks do, with their query options. */
export function openPages<Page>({ queryClient, query, follow, onChange }: PagesOptions<Page>): OpenPages<Page> {
  const observer = new InfiniteQueryObserver<Page, Error, InfiniteData<Page, number | null>, QueryKey, number | null>(
    queryClient,
    query,
  );
  let stream: Unsubscribable | null = null;
  let retry: NodeJS.Timeout | undefined;
  const current = () => observer.getCurrentResult();
  /** A failed request shows a button, and the person presses it. */
  function pressRetry(): void {
    clearTimeout(retry);
    if (current().isError && !current().isFetching) retry = setTimeout(() => void observer.refetch(), 1_000);
  }
  // Batched, as React is notified. A synchronous call would reach the page while it is still opening this.
  const stop = observer.subscribe(
    notifyManager.batchCalls(() => {
      pressRetry();
      onChange();
    }),
  );
  return {
    pages: () => current().data?.pages,
    async readOlder() {
      if (current().hasNextPage && !current().isFetching) await observer.fetchNextPage();
    },
    isWhole: () => current().data !== undefined && !current().hasNextPage,
    isAtRest: () => current().data !== undefined && !current().isFetching && !current().isError,
    sync() {
      const pages = current().data?.pages;
      if (pages && !stream) stream = follow(pages);
    },
    leave() {
      clearTimeout(retry);
      stop();
      stream?.unsubscribe();
    },
  };
}
