import * as z from "zod/mini";
import type { Db } from "../../db/client";
import type { MailComposer, MailJob } from "../mail/jobs";
import { composeMail, MAIL_TEMPLATES, type MailTemplate, type MailText } from "../mail/templates";
import { createConfirmationToken } from "./email-confirmation";
import { createResetToken } from "./password-changes";
import { findAddressee } from "./queries";

const isId = (text: string) => z.uuid().safeParse(text).success;

/** Composes the mails about accounts. `recipient` is a person's id, or an address that may belong to nobody. */
export function createAccountMails({
  db,
  publicUrl,
}: {
  db: Db;
  publicUrl: string;
}): (job: Omit<MailJob, "conversationId" | "inquiryId">) => ReturnType<MailComposer> {
  const [loginUrl, resetUrl] = [`${publicUrl}/login`, `${publicUrl}/reset-password`];
  return async ({ recipient, ...job }) => {
    const person = await findAddressee(db, isId(recipient) ? { id: recipient } : { email: recipient });
    if (!person || (job.template === "email-confirmation" && person.isConfirmed)) return null;
    const template = MAIL_TEMPLATES.find((known) => known === job.template);
    // A newer version may have queued it.
    if (!template) throw new Error("unknown mail template");
    const { id: userId, name, email: to } = person;
    const text = await TEXTS[template]({
      loginUrl,
      resetUrl,
      createResetUrl: async () => `${resetUrl}?token=${await createResetToken(db, { userId })}`,
      createConfirmUrl: async () => `${publicUrl}/confirm-email?token=${await createConfirmationToken(db, { userId })}`,
    });
    return { to, ...composeMail({ greeting: `Hello ${name},`, ...text }) };
  };
}

interface Links {
  loginUrl: string;
  resetUrl: string;
  /** With a token that works once. */
  createResetUrl: () => Promise<string>;
  createConfirmUrl: () => Promise<string>;
}

type AccountText = Omit<MailText, "greeting">;

const TEXTS: Record<MailTemplate, (links: Links) => AccountText | Promise<AccountText>> = {
  "account-approved": ({ loginUrl }) => ({
    subject: "Your Sangam account is approved",
    paragraphs: [
      "An administrator has approved your account. You can log in now with the email and password you chose.",
    ],
    action: { label: "Log In", url: loginUrl },
  }),
  "account-rejected": () => ({
    subject: "Your Sangam account was not approved",
    paragraphs: [
      "An administrator has decided not to approve your account, so you cannot log in with it.",
      "If you think that this is a mistake, please contact the person who invited you.",
    ],
  }),
  "account-exists": ({ loginUrl, resetUrl }) => ({
    subject: "You already have a Sangam account",
    paragraphs: [
      "Somebody, probably you, has just tried to create an account with this address. There is one already, and nothing about it has changed.",
      `If you have forgotten your password, you can choose a new one here: ${resetUrl}`,
    ],
    action: { label: "Log In", url: loginUrl },
    footnote: "If it was not you, there is nothing to do.",
  }),
  "email-confirmation": async ({ createConfirmUrl }) => ({
    subject: "Confirm your email for Sangam",
    paragraphs: [
      "Somebody, probably you, has created a Sangam account with this address. Please confirm that it is yours. The link works once, for 24 hours.",
    ],
    action: { label: "Confirm email", url: await createConfirmUrl() },
    footnote: "If it was not you, do not confirm: somebody else made that account and knows its password.",
  }),
  "password-reset": async ({ createResetUrl }) => ({
    subject: "Choose a new password for Sangam",
    paragraphs: [
      "Somebody, probably you, has asked to reset the password of your account. The link works once, for 30 minutes.",
    ],
    action: { label: "Choose a new password", url: await createResetUrl() },
    footnote: "If it was not you, there is nothing to do: your password stays as it is.",
  }),
  "password-changed": ({ resetUrl }) => ({
    subject: "Your Sangam password was changed",
    paragraphs: ["The password of your account has just been changed, and every other session of it has ended."],
    footnote: `If it was not you, choose a new password at once: ${resetUrl}`,
  }),
};
