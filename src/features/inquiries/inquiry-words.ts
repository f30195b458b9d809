import type { InquiryStatus } from "@db/enums";
import { PROGRAMME_WORDS, SUBJECT_WORDS } from "@server/contract/inquiry-words";
import type { Inquiry } from "@server/contract/views";

/** What it is about: "Contact: Project", "Application: Paid internship". */
export function aboutWords({ kind, subject, programme }: Pick<Inquiry, "kind" | "subject" | "programme">): string {
  if (kind === "contact") return `Contact: ${subject ? SUBJECT_WORDS[subject] : "Other"}`;
  return `Application: ${programme ? PROGRAMME_WORDS[programme] : "Programme"}`;
}

/** Opens the reader's mail program with an answer begun. */
export function replyAddress(inquiry: Pick<Inquiry, "kind" | "subject" | "programme" | "email">): string {
  const { kind, subject, programme, email } = inquiry;
  const matter = (subject && SUBJECT_WORDS[subject]) ?? (programme && PROGRAMME_WORDS[programme]);
  const words = `Re: Your ${kind === "contact" ? "inquiry" : "application"}${matter ? ` (${matter})` : ""}`;
  return `mailto:${encodeURIComponent(email).replace("%40", "@")}?subject=${encodeURIComponent(words)}`;
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

const LONGEST = 280;
const MOST_LINES = 4;
const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

/** The beginning of a long text, never half a letter or emoji, with an ellipsis; a short one as it is. */
export function beginningOf(text: string): string {
  const lines = text.split("\n");
  const few = lines.length > MOST_LINES ? lines.slice(0, MOST_LINES).join("\n") : text;
  let letters = 0;
  for (const { index } of graphemes.segment(few)) {
    if (letters === LONGEST) return `${few.slice(0, index).trimEnd()}…`;
    letters += 1;
  }
  return few === text ? text : `${few.trimEnd()}…`;
}
