import type { InquiryStatus } from "@db/enums";
import { PROGRAMME_LABELS, SUBJECT_LABELS } from "@server/contract/messages/inquiries";
import type { Inquiry } from "@server/contract/views";
import { graphemesOf } from "@/lib/graphemes";

/** "Contact: Project", "Application: Paid internship". */
export function formatTopic({ kind, subject, programme }: Pick<Inquiry, "kind" | "subject" | "programme">): string {
  if (kind === "contact") return `Contact: ${subject ? SUBJECT_LABELS[subject] : "Other"}`;
  return `Application: ${programme ? PROGRAMME_LABELS[programme] : "Programme"}`;
}

/** A mailto: link that begins a reply. */
export function replyAddress(inquiry: Pick<Inquiry, "kind" | "subject" | "programme" | "email">): string {
  const { kind, subject, programme, email } = inquiry;
  const matter = (subject && SUBJECT_LABELS[subject]) ?? (programme && PROGRAMME_LABELS[programme]);
  const subjectLine = `Re: Your ${kind === "contact" ? "inquiry" : "application"}${matter ? ` (${matter})` : ""}`;
  return `mailto:${encodeURIComponent(email).replace("%40", "@")}?subject=${encodeURIComponent(subjectLine)}`;
}

/** The next statuses of an inquiry, with the labels of their buttons. */
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

/** The beginning of a long text with an ellipsis; a short text unchanged. Never cuts a letter or emoji in two. */
export function beginningOf(text: string): string {
  const lines = text.split("\n");
  const few = lines.length > MAX_LINES ? lines.slice(0, MAX_LINES).join("\n") : text;
  const letters = [...graphemesOf(few)];
  if (letters.length > MAX_LETTERS) return `${letters.slice(0, MAX_LETTERS).join("").trimEnd()}…`;
  return few === text ? text : `${few.trimEnd()}…`;
}
