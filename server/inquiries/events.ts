import type { InquiryChange } from "../contract/views";
import type { Opening } from "../realtime/stream";
import { watchForAdmins } from "../realtime/watch";
import { fingerprintInquiries } from "./queries";

/** Inquiries that arrived or changed their status, for admins; null after a gap in the notifications in which one did. */
export function watchInquiries(opening: Opening): Promise<AsyncIterable<InquiryChange>> {
  return watchForAdmins<InquiryChange>({
    ...opening,
    topic: "inquiries",
    fingerprint: fingerprintInquiries,
    eventsOf: (subject) => {
      if (subject === null) return [{ inquiryId: null }];
      return subject.startsWith("inquiry:") ? [{ inquiryId: subject.slice("inquiry:".length) }] : [];
    },
  });
}
