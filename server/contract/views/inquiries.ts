import type { InquiryColumns } from "@db/rows";
import type { Person } from "./people";

/** What a visitor wrote. Of a contact `phone` and `programme` are null, of an application `company` and `subject`. */
export interface Inquiry extends Omit<InquiryColumns, "decidedBy" | "inquiryKey"> {
  /** Which admin last changed the status; null while it is new. */
  decidedBy: Person | null;
}

export interface InquiryPage {
  /** Newest first, 50 a page. */
  items: Inquiry[];
  nextCursor: string | null;
  /** Of the kind that was asked for, whatever the status. */
  counts: { all: number } & Record<InquiryColumns["status"], number>;
}

/** An inquiry that came in or has another status; the lists are to be read again. Null: one or more, unknown which. */
export interface InquiryChange {
  inquiryId: string | null;
}
