import type { InquiryStatus } from "@db/enums";

/** The subtabs of Inquiries: a status each, and `all`. */
export const INQUIRY_TABS = ["all", "new", "answered", "closed"] as const satisfies readonly (InquiryStatus | "all")[];
export type InquiryTab = (typeof INQUIRY_TABS)[number];
