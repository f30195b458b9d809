import type { InquiryKind } from "@db/enums";
import { INQUIRY_MESSAGES, INQUIRY_STATUS_LABELS } from "@server/contract/messages/inquiries";
import type { InquiryPage } from "@server/contract/views";
import { getQueryKey } from "@trpc/react-query";
import { registerLiveSync, useLiveSync } from "@/lib/live-sync";
import { usePagedItems } from "@/lib/paged-list";
import { trpc } from "@/lib/trpc";
import { codeOf, messageOf } from "@/lib/user-message";
import { toast } from "@/ui/toast";
import type { InquiryTab } from "./inquiry-tabs";

/** A tab, of one kind or of both. */
export type InquiryList = { tab: InquiryTab; kind: InquiryKind | undefined };

/** Counts by status, of one kind or of both; undefined until known. */
export function useInquiryCounts(kind?: InquiryKind): InquiryPage["counts"] | undefined {
  return useInquiryPages({ tab: "new", kind }).data?.pages[0]?.counts;
}

/** One tab, newest first. Kept up to date by `useInquiryChanges`. */
export function useInquiries(list: InquiryList) {
  return usePagedItems(useInquiryPages(list));
}

registerLiveSync("inquiries", { queries: [{ queryKey: getQueryKey(trpc.inquiries.list) }] });

/** Follows all inquiries while the calling page is open. */
export function useInquiryChanges(): void {
  useLiveSync("inquiries");
}

/** Changes an inquiry's status and shows a toast. Stays pending until the lists are refetched. */
export function useSetInquiryStatus() {
  const { list } = trpc.useUtils().inquiries;
  return trpc.inquiries.setStatus.useMutation({
    async onSuccess({ status }) {
      toast.success(INQUIRY_MESSAGES.statusChanged(INQUIRY_STATUS_LABELS[status].toLowerCase()));
      await list.invalidate();
    },
    async onError(error) {
      toast.error(INQUIRY_MESSAGES.statusFailed, { description: messageOf(error) });
      if (codeOf(error) === "NOT_FOUND") await list.invalidate();
    },
  });
}

function useInquiryPages({ tab, kind }: InquiryList) {
  return trpc.inquiries.list.useInfiniteQuery(
    { kind, status: tab === "all" ? undefined : tab },
    { getNextPageParam: ({ nextCursor }) => nextCursor },
  );
}
