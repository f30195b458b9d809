import type { AuditKind } from "@db/enums";
import { keepPreviousData } from "@tanstack/react-query";
import { useMemo } from "react";
import { coalesce } from "@/lib/coalesce";
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

/** Reads the audit again whenever it has grown, and at each (re)connect; a burst costs two readings. */
export function useAuditChanges(): void {
  const utils = trpc.useUtils();
  const catchUp = useMemo(() => coalesce(() => utils.audit.list.invalidate()), [utils]);
  trpc.audit.onChange.useSubscription(undefined, { onStarted: () => void catchUp(), onData: () => void catchUp() });
}
