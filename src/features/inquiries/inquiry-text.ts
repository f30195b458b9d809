import type { InquiryStatus } from "@db/enums";
import { PROGRAMME_LABELS, SUBJECT_LABELS } from "@server/contract/messages/inquiries";
import type { Inquiry } from "@server/contract/views";

/** What it is about: "Contact: Project", "Application: Paid internship". */
export function formatTopic({ kind, subject, programme }: Pick<Inquiry, "kind" | "subject" | "programme">): string {
  if (kind === "contact") return `Contact: ${subject ? SUBJECT_LABELS[subject] : "Other"}`;
  return `Application: ${programme ? PROGRAMME_LABELS[programme] : "Programme"}`;
}

/** Opens the reader's mail program with an answer begun. */
export function replyAddress(inquiry: Pick<Inquiry, "kind" | "subject" | "programme" | "email">): string {
  const { kind, subject, programme, email } = inquiry;
  const matter = (subject && SUBJECT_LABELS[subject]) ?? (programme && PROGRAMME_LABELS[programme]);
  const subjectLine = `Re: Your ${kind === "contact" ? "inquiry" : "application"}${matter ? ` (${matter})` : ""}`;
  return `mailto:${encodeURIComponent(email).replace("%40", "@")}?subject=${encodeURIComponent(subjectLine)}`;
}

/** Where an inquiry can go from its status, with the words of the buttons. */
export const NEXT_STATUSES: Record<InquiryStatus, readonly { status: InquiryStatus; label: string }[]> = {
  new: [
    { status: "answered", label: "Mark answered" },
    { status: "closed", label: "Close" },
  ],
  answered: [
    { status: "closed", label: "Close" },
    { status: "new", label: "Reopen" },
  ],
  closed: [{ status: "new", label: "Reopen" }],
};

const MAX_LETTERS = 280;
const MAX_LINES = 4;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The beginning of a long text, never half a letter or emoji, with an ellipsis; a short one as it is. */
export function beginningOf(text: string): string {
  const lines = text.split("\n");
  const few = lines.length > MAX_LINES ? lines.slice(0, MAX_LINES).join("\n") : text;
  let letters = 0;
  for (const { index } of graphemes.segment(few)) {
    if (letters === MAX_LETTERS) return `${few.slice(0, index).trimEnd()}…`;
    letters += 1;
  }
  return few === text ? text : `${few.trimEnd()}…`;
}
