import type { AuditKind } from "@db/enums";
import { keepPreviousData } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { registerLiveSync, useLiveSync } from "@/lib/live-sync";
import { usePagedItems } from "@/lib/paged-list";
import { trpc } from "@/lib/trpc";

/** What the audit is filtered by; a missing key is everyone, or everything. */
export interface AuditFilter {
  personId?: string | undefined;
  kind?: AuditKind | undefined;
}

/** Who did what to whom, newest first. `useAuditChanges` keeps it true. */
export function useAudit({ personId, kind }: AuditFilter) {
  const query = trpc.audit.list.useInfiniteQuery(
    { personId, kind },
    // Another filter keeps the old lines until the new ones arrive.
    { getNextPageParam: ({ nextCursor }) => nextCursor, placeholderData: keepPreviousData },
  );
  return usePagedItems(query);
}

registerLiveSync("audit", { queries: [{ queryKey: getQueryKey(trpc.audit.list) }] });

/** Follows the audit while the calling page is open. */
export function useAuditChanges(): void {
  trpc.audit.onChange.useSubscription(undefined, useLiveSync("audit"));
}
