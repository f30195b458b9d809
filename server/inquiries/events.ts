import type { InquiryChange } from "../contract/views";
import type { StreamCall } from "../realtime/stream";
import { adminSource } from "../realtime/watch";
import { fingerprintInquiries } from "./queries";

/** Inquiries that arrived or changed their status, for admins; null after a gap in the notifications in which one did. */
export function inquirySource(ctx: Pick<StreamCall, "db">) {
  return adminSource<InquiryChange>(ctx, {
    topic: "inquiries",
    fingerprint: fingerprintInquiries,
    eventsOf: (subject) => {
      if (subject === null) return [{ inquiryId: null }];
      return subject.startsWith("inquiry:") ? [{ inquiryId: subject.slice("inquiry:".length) }] : [];
    },
  });
}
