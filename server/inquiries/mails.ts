import type { Db } from "../../db/client";
import { PROGRAMME_LABELS, SUBJECT_LABELS } from "../contract/messages/inquiries";
import type { MailComposer } from "../mail/jobs";
import { composeMail } from "../mail/templates";
import { findInquiry } from "./queries";

/** Composes the mail to the firm about an inquiry; null when the inquiry is gone. `recipient` is the firm's address. */
export function createInquiryMails({ db, publicUrl }: { db: Db; publicUrl: string }): MailComposer {
  return async ({ inquiryId, recipient }) => {
    const found = inquiryId && (await findInquiry(db, { inquiryId }));
    if (!found) return null;
    const { kind, name, email, company, subject, phone, programme, message } = found;
    const facts: Record<string, string> = {
      ...(subject && { Subject: SUBJECT_LABELS[subject] }),
      ...(programme && { Programme: PROGRAMME_LABELS[programme] }),
      Email: email,
      ...(phone && { Phone: phone }),
      ...(company && { Company: company }),
    };
    const title = `${kind === "contact" ? "New inquiry from" : "New application from"} ${name}`;
    const mail = composeMail({
      subject: title,
      greeting: title,
      paragraphs: Object.entries(facts).map(([label, fact]) => `${label}: ${fact}`),
      quote: message || undefined,
      action: { label: "Open Inquiries", url: `${publicUrl}/admin/inquiries` },
      footnote: `A reply to this email goes to ${email}.`,
      replyTo: { name, address: email },
    });
    return { to: recipient, ...mail };
  };
}
