import type { InquiryKind } from "@db/enums";
import { INQUIRY_MESSAGES, INQUIRY_STATUS_LABELS } from "@server/contract/messages/inquiries";
import type { InquiryPage } from "@server/contract/views";
import { useMemo } from "react";
import { coalesce } from "@/lib/coalesce";
import { usePagedItems } from "@/lib/paged-list";
import { trpc } from "@/lib/trpc";
import { codeOf, messageOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";
import type { InquiryTab } from "./inquiry-tabs";

/** A subtab, of one kind or of both. */
export type InquiryList = { tab: InquiryTab; kind: InquiryKind | undefined };

/** How many inquiries there are, of one kind or of both, by status; undefined until known. */
export function useInquiryCounts(kind?: InquiryKind): InquiryPage["counts"] | undefined {
  return useInquiryPages({ tab: "new", kind }).data?.pages[0]?.counts;
}

/** One subtab, newest first. `useInquiryChanges` of the page keeps it true. */
export function useInquiries(list: InquiryList) {
  return usePagedItems(useInquiryPages(list));
}

/** Keeps every list of inquiries true while the calling page is open; a burst costs two readings. */
export function useInquiryChanges(): void {
  const refresh = useRefreshInquiries();
  const catchUp = useMemo(() => coalesce(refresh), [refresh]);
  trpc.inquiries.onChange.useSubscription(undefined, { onStarted: () => void catchUp(), onData: () => void catchUp() });
}

/** Gives an inquiry another status, told by toasts; the lists are read again before its row is free. */
export function useSetInquiryStatus() {
  const refresh = useRefreshInquiries();
  return trpc.inquiries.setStatus.useMutation({
    async onSuccess({ status }) {
      toast.success(INQUIRY_MESSAGES.statusChanged(INQUIRY_STATUS_LABELS[status].toLowerCase()));
      await refresh();
    },
    async onError(error) {
      toast.error(INQUIRY_MESSAGES.statusFailed, { description: messageOf(error) });
      if (codeOf(error) === "NOT_FOUND") await refresh();
    },
  });
}

function useRefreshInquiries(): () => Promise<unknown> {
  const utils = trpc.useUtils();
  return useMemo(() => () => utils.inquiries.list.invalidate(), [utils]);
}

function useInquiryPages({ tab, kind }: InquiryList) {
  return trpc.inquiries.list.useInfiniteQuery(
    { kind, status: tab === "all" ? undefined : tab },
    { getNextPageParam: ({ nextCursor }) => nextCursor },
  );
}
