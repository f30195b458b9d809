import type { InquiryStatus, InquirySubject, Programme } from "@db/enums";

/** What a contact is about, as people read it: in the form, in the mail and in the admins' list. Spec 2. */
export const SUBJECT_WORDS: Record<InquirySubject, string> = {
  collaboration: "Collaboration",
  partnership: "Partnership",
  project: "Project",
  support: "Support",
  other: "Other",
};

/** What one may apply for, as people read it. Spec 9, Careers. */
export const PROGRAMME_WORDS: Record<Programme, string> = {
  training: "Training programme",
  "free-internship": "Free internship",
  "paid-internship": "Paid internship",
};

/** How an inquiry stands, as people read it. */
export const INQUIRY_STATUS_WORDS: Record<InquiryStatus, string> = {
  new: "New",
  answered: "Answered",
  closed: "Closed",
};
