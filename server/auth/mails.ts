import * as z from "zod/mini";
import type { Db } from "../../db/client";
import type { MailComposer, MailJob } from "../mail/jobs";
import {
  accountApprovedMail,
  accountExistsMail,
  accountRejectedMail,
  emailConfirmationMail,
  passwordChangedMail,
  passwordResetMail,
} from "../mail/templates";
import { createConfirmationToken } from "./email-confirmation";
import { createResetToken } from "./password-changes";
import { findAddressee } from "./queries";

const isId = (text: string) => z.uuid().safeParse(text).success;

/** Writes the mails about accounts. `recipient` is a person's id, or an address that may be nobody's. */
export function createAccountMails({
  db,
  publicUrl,
}: {
  db: Db;
  publicUrl: string;
}): (job: Omit<MailJob, "conversationId" | "inquiryId">) => ReturnType<MailComposer> {
  const loginUrl = `${publicUrl}/login`;
  const askResetUrl = `${publicUrl}/reset-password`;
  return async ({ template, recipient }) => {
    const person = await findAddressee(db, isId(recipient) ? { id: recipient } : { email: recipient });
    if (!person) return null;
    const { id, name, email } = person;
    switch (template) {
      case "account-approved":
        return { to: email, ...accountApprovedMail({ name, loginUrl }) };
      case "account-rejected":
        return { to: email, ...accountRejectedMail({ name }) };
      case "account-exists":
        return { to: email, ...accountExistsMail({ name, loginUrl, resetUrl: askResetUrl }) };
      case "email-confirmation": {
        if (person.isConfirmed) return null;
        const token = await createConfirmationToken(db, { userId: id });
        return {
          to: email,
          ...emailConfirmationMail({ name, confirmUrl: `${publicUrl}/confirm-email?token=${token}` }),
        };
      }
      case "password-reset": {
        const token = await createResetToken(db, { userId: id });
        return { to: email, ...passwordResetMail({ name, resetUrl: `${askResetUrl}?token=${token}` }) };
      }
      case "password-changed":
        return { to: email, ...passwordChangedMail({ name, resetUrl: askResetUrl }) };
      default:
        // A queue that a newer version has filled: not ours to write.
        throw new Error("unknown mail template");
    }
  };
}
