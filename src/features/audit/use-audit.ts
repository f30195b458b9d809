import type { AuditKind } from "@db/enums";
import { keepPreviousData } from "@tanstack/react-query";
import { useMemo } from "react";
import { coalesce } from "@/lib/coalesce";
import { nextPageOf } from "@/lib/next-page";
import { trpc } from "@/lib/trpc";

/** What the audit is filtered by; a missing key is everyone, or everything. */
export interface AuditFilter {
  personId?: string | undefined;
  kind?: AuditKind | undefined;
}

/** Who did what to whom, newest first. `useAuditChanges` keeps it true. */
export function useAudit({ personId, kind }: AuditFilter) {
  const pages = trpc.audit.list.useInfiniteQuery(
    { personId, kind },
    // Another filter leaves the old lines until the new ones are there.
    { getNextPageParam: ({ nextCursor }) => nextCursor, placeholderData: keepPreviousData },
  );
  return {
    /** Undefined until the first answer. */
    events: useMemo(() => pages.data && uniqueById(pages.data.pages.flatMap(({ items }) => items)), [pages.data]),
    /** The lines are still those of the filter before. */
    isStale: pages.isPlaceholderData,
    error: pages.isLoadingError ? pages.error : null,
    retry: pages.refetch,
    isRetrying: pages.isFetching,
    more: pages.isPlaceholderData ? null : nextPageOf(pages),
    isLoadingMore: pages.isFetchingNextPage,
    hasFailedMore: pages.isFetchNextPageError,
  };
}

/** Reads the audit again whenever it has grown, and at each (re)connect; a burst costs two readings. */
export function useAuditChanges(): void {
  const utils = trpc.useUtils();
  const catchUp = useMemo(() => coalesce(() => utils.audit.list.invalidate()), [utils]);
  trpc.audit.onChange.useSubscription(undefined, { onStarted: () => void catchUp(), onData: () => void catchUp() });
}

/** Pages that were read at different times may overlap. */
function uniqueById<Row extends { id: number }>(rows: readonly Row[]): Row[] {
  return [...new Map(rows.map((row) => [row.id, row])).values()];
}
