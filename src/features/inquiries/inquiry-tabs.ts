import type { InquiryStatus } from "@db/enums";

/** The tabs of Inquiries: one per status, and `all`. */
export const INQUIRY_TABS = ["all", "new", "answered", "closed"] as const satisfies readonly (InquiryStatus | "all")[];
export type InquiryTab = (typeof INQUIRY_TABS)[number];
