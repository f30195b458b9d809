import type { InquiryKind } from "@db/enums";
import type { Submission } from "./inquiries";

/*
 * The plain form behind the contact and the application form: what a browser without JavaScript sends to `POST /contact`, and
 * what the page then has to show. The page is drawn by src, the answer is made by server/inquiries.
 */

/** The fields of each form, in the order in which they stand. */
export const INQUIRY_FIELDS = {
  contact: ["name", "email", "company", "subject", "message"],
  application: ["name", "email", "phone", "programme", "note"],
} as const satisfies { [Kind in InquiryKind]: readonly (keyof Extract<Submission, { kind: Kind }>)[] };

export type InquiryField = (typeof INQUIRY_FIELDS)[InquiryKind][number];

/** A field that people do not see; see `honeypotSchema`. */
export const HONEYPOT_FIELD = "website" satisfies keyof Submission;

export const INQUIRY_FORM_ACTION = "/contact";

/** A text for some of the fields. */
export type InquiryTexts = Partial<Record<InquiryField, string>>;

/** What a page's form shows at first. Empty: a fresh form. */
export interface InquiryFormState {
  /** It has been sent: the thank-you stands in the form's place. */
  isSent?: boolean;
  /** What was typed, by field. */
  values?: InquiryTexts;
  /** What is wrong, by field. */
  fieldErrors?: InquiryTexts;
  /** What is wrong with all of it, such as too many calls. */
  problem?: string;
}

/** Where each form stands. */
export const INQUIRY_PAGES = {
  contact: { path: "/", anchor: "contact" },
  application: { path: "/careers", anchor: "apply" },
} as const satisfies Record<InquiryKind, { path: string; anchor: string }>;

/** Where a form that was sent without JavaScript leads to. */
export function sentAddress(kind: InquiryKind): string {
  const { path, anchor } = INQUIRY_PAGES[kind];
  return `${path}?sent=1#${anchor}`;
}
