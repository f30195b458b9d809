import type { Db } from "../../db/client";
import { PROGRAMME_LABELS, SUBJECT_LABELS } from "../contract/messages/inquiries";
import type { MailComposer } from "../mail/jobs";
import { inquiryMail } from "../mail/templates";
import { findInquiry } from "./queries";

/** Composes the mail to the firm about an inquiry; null when the inquiry is gone. `recipient` is the firm's address. */
export function createInquiryMails({ db, publicUrl }: { db: Db; publicUrl: string }): MailComposer {
  const inquiriesUrl = `${publicUrl}/admin/inquiries`;
  return async ({ inquiryId, recipient }) => {
    const found = inquiryId && (await findInquiry(db, { inquiryId }));
    if (!found) return null;
    const { kind, name, email, company, subject, phone, programme, message } = found;
    const facts = {
      ...(subject && { Subject: SUBJECT_LABELS[subject] }),
      ...(programme && { Programme: PROGRAMME_LABELS[programme] }),
      Email: email,
      ...(phone && { Phone: phone }),
      ...(company && { Company: company }),
    };
    const title = kind === "contact" ? "New inquiry from" : "New application from";
    return { to: recipient, ...inquiryMail({ title, name, email, facts, message, inquiriesUrl }) };
  };
}
