import type { AuditKind } from "@db/event-kinds";
import { keepPreviousData } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { registerLiveSync, useLiveSync } from "@/lib/live-sync";
import { usePagedItems } from "@/lib/paged-list";
import { trpc } from "@/lib/trpc";

/** The filter of the audit; a missing key means no restriction. */
export interface AuditFilter {
  personId?: string | undefined;
  kind?: AuditKind | undefined;
}

/** Audit events, newest first. Kept up to date by `useAuditChanges`. */
export function useAudit({ personId, kind }: AuditFilter) {
  const query = trpc.audit.list.useInfiniteQuery(
    { personId, kind },
    // Keeps the old rows until those of another filter arrive.
    { getNextPageParam: ({ nextCursor }) => nextCursor, placeholderData: keepPreviousData },
  );
  return usePagedItems(query);
}

registerLiveSync("audit", { queries: [{ queryKey: getQueryKey(trpc.audit.list) }] });

/** Follows the audit while the calling page is open. */
export function useAuditChanges(): void {
  useLiveSync("audit");
}
