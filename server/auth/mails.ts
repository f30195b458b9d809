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
    if (!template) throw new Error("unknown template");
    const { id: userId, name, email: to } = person;
    const text = await TEXTS[template]({
      loginUrl,
      resetUrl,
      contactUrl: `${publicUrl}/#contact`,
      createResetUrl: async () => `${resetUrl}?token=${await createResetToken(db, { userId })}`,
      createConfirmUrl: async () => `${publicUrl}/confirm-email?token=${await createConfirmationToken(db, { userId })}`,
    });
    return { to, ...composeMail({ greeting: `Hello ${name},`, ...text }) };
  };
}

interface Links {
  loginUrl: string;
  resetUrl: string;
  /** The public contact form. */
  contactUrl: string;
  /** With a token that works once. */
  createResetUrl: () => Promise<string>;
  createConfirmUrl: () => Promise<string>;
}

type AccountText = Omit<MailText, "greeting">;

const TEXTS: Record<MailTemplate, (links: Links) => AccountText | Promise<AccountText>> = {
  "account-approved": ({ loginUrl }) => ({
    subject: "Your Sangam account is approved",
    paragraphs: ["An administrator has approved your account. You can log in now."],
    action: { label: "Log In", url: loginUrl },
  }),
  "account-rejected": ({ contactUrl }) => ({
    subject: "Your Sangam account was not approved",
    paragraphs: [
      "An administrator has not approved your account, so you cannot log in with it.",
      `If you think this is a mistake, please write to us: ${contactUrl}`,
    ],
  }),
  "account-exists": ({ loginUrl, resetUrl }) => ({
    subject: "You already have a Sangam account",
    paragraphs: [
      "Someone, probably you, has just tried to create an account with this address. You already have one, and nothing about it has changed.",
      `If you have forgotten your password, choose a new one: ${resetUrl}`,
    ],
    action: { label: "Log In", url: loginUrl },
    footnote: "If it was not you, you can ignore this email.",
  }),
  "email-confirmation": async ({ createConfirmUrl }) => ({
    subject: "Confirm your email for Sangam",
    paragraphs: [
      "Someone, probably you, has created a Sangam account with this address. Please confirm that it is yours. The link works once, within 24 hours.",
    ],
    action: { label: "Confirm email", url: await createConfirmUrl() },
    footnote: "If it was not you, do not confirm: someone else created that account and knows its password.",
  }),
  "password-reset": async ({ createResetUrl }) => ({
    subject: "Choose a new password for Sangam",
    paragraphs: [
      "Someone, probably you, has asked to reset the password of your account. The link works once, within 30 minutes.",
    ],
    action: { label: "Choose a new password", url: await createResetUrl() },
    footnote: "If it was not you, you can ignore this email: your password stays the same.",
  }),
  "password-changed": ({ resetUrl }) => ({
    subject: "Your Sangam password was changed",
    paragraphs: ["The password of your account has just been changed, and you are logged out everywhere else."],
    footnote: `If it was not you, choose a new password right away: ${resetUrl}`,
  }),
  "two-factor-on": ({ resetUrl }) => ({
    subject: "Two-factor sign-in is on for your Sangam account",
    paragraphs: [
      "Two-factor sign-in has just been turned on for your account. You now need your password and a code from your authenticator app to log in.",
      "Keep your recovery codes where you can reach them without your phone.",
    ],
    footnote: `If it was not you, choose a new password right away and write to an administrator: ${resetUrl}`,
  }),
  "two-factor-off": ({ resetUrl }) => ({
    subject: "Two-factor sign-in is off for your Sangam account",
    paragraphs: [
      "Two-factor sign-in has just been turned off for your account. Your password alone is now enough to log in.",
    ],
    footnote: `If it was not you, choose a new password right away and turn it on again in your settings: ${resetUrl}`,
  }),
  "two-factor-reset": ({ loginUrl }) => ({
    subject: "Two-factor sign-in was reset for your Sangam account",
    paragraphs: [
      "An administrator has removed your authenticator app, your recovery codes and your remembered browsers. Your password alone is now enough to log in.",
      "If you want two-factor sign-in again, set it up in your settings.",
    ],
    action: { label: "Log In", url: loginUrl },
    footnote: "If you did not ask for this, please write to an administrator.",
  }),
};
