import type { InquiryStatus, InquirySubject, Programme } from "@db/enums";

export const INQUIRY_MESSAGES = {
  sent: "Thank you! We have your message and will reply within 24 hours.",
  applied: "Thank you for applying! We will reply within 24 hours.",
  sendFailed: "Your message could not be sent. Please try again.",
  tooLarge: "This is too long to send. Please shorten your text.",
  keyTaken: "Another message was already sent under this key.",
  goBack: "Go back in your browser: what you typed is still there.",
  nameRequired: "Please enter your name.",
  emailInvalid: "Please enter a valid email address.",
  phoneRequired: "Please enter your phone number.",
  subjectRequired: "Please choose a subject.",
  messageRequired: "Please enter a message.",
  programmeRequired: "Please choose a programme.",
  notFound: "This inquiry does not exist.",
  statusChanged: (status: string) => `The inquiry is now ${status}.`,
  statusFailed: "Failed to change the inquiry. Please try again.",
  empty: "No inquiries yet. What visitors send from the contact form and the careers page appears here.",
} as const;

/** The subject of a contact: in the form, in the mail and in the admins' list. Spec 2. */
export const SUBJECT_LABELS: Record<InquirySubject, string> = {
  collaboration: "Collaboration",
  partnership: "Partnership",
  project: "Project",
  support: "Support",
  other: "Other",
};

/** Spec 9, Careers. */
export const PROGRAMME_LABELS: Record<Programme, string> = {
  training: "Training programme",
  "free-internship": "Free internship",
  "paid-internship": "Paid internship",
};

export const INQUIRY_STATUS_LABELS: Record<InquiryStatus, string> = {
  new: "New",
  answered: "Answered",
  closed: "Closed",
};
