/** Mails about an account. The code that queues a mail decides who gets it and when. */
export const MAIL_TEMPLATES = [
  "account-approved",
  "account-rejected",
  "account-exists",
  "email-confirmation",
  "password-reset",
  "password-changed",
] as const;
export type MailTemplate = (typeof MAIL_TEMPLATES)[number];

/** The one mail about a conversation. */
export const UNREAD_TEMPLATE = "unread-messages";

/** The one mail about an inquiry. */
export const INQUIRY_TEMPLATE = "inquiry-received";

/** A mail without its sender: the same content as text and as HTML in the product's style. */
export interface MailContent {
  subject: string;
  text: string;
  html: string;
  /** The address for replies; defaults to the sender. */
  replyTo?: { name: string; address: string };
}

interface MailText {
  subject: string;
  greeting: string;
  paragraphs: string[];
  /** A visitor's message, with its line breaks. */
  quote?: string;
  action?: { label: string; url: string };
  footnote?: string;
}

export function accountApprovedMail({ name, loginUrl }: { name: string; loginUrl: string }): MailContent {
  return compose({
    subject: "Your Sangam account is approved",
    greeting: `Hello ${name},`,
    paragraphs: [
      "An administrator has approved your account. You can log in now with the email and password you chose.",
    ],
    action: { label: "Log In", url: loginUrl },
  });
}

export function accountRejectedMail({ name }: { name: string }): MailContent {
  return compose({
    subject: "Your Sangam account was not approved",
    greeting: `Hello ${name},`,
    paragraphs: [
      "An administrator has decided not to approve your account, so you cannot log in with it.",
      "If you think that this is a mistake, please contact the person who invited you.",
    ],
  });
}

export function accountExistsMail({
  name,
  loginUrl,
  resetUrl,
}: {
  name: string;
  loginUrl: string;
  resetUrl: string;
}): MailContent {
  return compose({
    subject: "You already have a Sangam account",
    greeting: `Hello ${name},`,
    paragraphs: [
      "Somebody, probably you, has just tried to create an account with this address. There is one already, and nothing about it has changed.",
      `If you have forgotten your password, you can choose a new one here: ${resetUrl}`,
    ],
    action: { label: "Log In", url: loginUrl },
    footnote: "If it was not you, there is nothing to do.",
  });
}

export function emailConfirmationMail({ name, confirmUrl }: { name: string; confirmUrl: string }): MailContent {
  return compose({
    subject: "Confirm your email for Sangam",
    greeting: `Hello ${name},`,
    paragraphs: [
      "Somebody, probably you, has created a Sangam account with this address. Please confirm that it is yours. The link works once, for 24 hours.",
    ],
    action: { label: "Confirm email", url: confirmUrl },
    footnote: "If it was not you, do not confirm: somebody else made that account and knows its password.",
  });
}

export function passwordResetMail({ name, resetUrl }: { name: string; resetUrl: string }): MailContent {
  return compose({
    subject: "Choose a new password for Sangam",
    greeting: `Hello ${name},`,
    paragraphs: [
      "Somebody, probably you, has asked to reset the password of your account. The link works once, for 30 minutes.",
    ],
    action: { label: "Choose a new password", url: resetUrl },
    footnote: "If it was not you, there is nothing to do: your password stays as it is.",
  });
}

export function passwordChangedMail({ name, resetUrl }: { name: string; resetUrl: string }): MailContent {
  return compose({
    subject: "Your Sangam password was changed",
    greeting: `Hello ${name},`,
    paragraphs: ["The password of your account has just been changed, and every other session of it has ended."],
    footnote: `If it was not you, choose a new password at once: ${resetUrl}`,
  });
}

/** Names the sender and the number of unread messages, never their content. */
export function unreadMessagesMail({
  name,
  senderName,
  count,
  conversationUrl,
  settingsUrl,
}: {
  name: string;
  senderName: string;
  count: number;
  conversationUrl: string;
  settingsUrl: string;
}): MailContent {
  return compose({
    subject: `${senderName} wrote to you on Sangam`,
    greeting: `Hello ${name},`,
    paragraphs: [
      count === 1
        ? `You have not yet read a message from ${senderName}.`
        : `You have not yet read ${count} messages from ${senderName}.`,
    ],
    action: { label: "Read and answer", url: conversationUrl },
    footnote: `You get one such mail for a conversation until you have read it. You can turn these mails off in Settings: ${settingsUrl}`,
  });
}

/** A visitor's inquiry, for the firm; a reply goes to the visitor. */
export function inquiryMail({
  title,
  name,
  email,
  facts,
  message,
  inquiriesUrl,
}: {
  /** Start of the subject line. */
  title: string;
  name: string;
  email: string;
  /** Facts about the visitor and the inquiry, by label. */
  facts: Record<string, string>;
  message: string;
  inquiriesUrl: string;
}): MailContent {
  const content = compose({
    subject: `${title} ${name}`,
    greeting: `${title} ${name}`,
    paragraphs: Object.entries(facts).map(([label, fact]) => `${label}: ${fact}`),
    ...(message !== "" && { quote: message }),
    action: { label: "Open the inquiries", url: inquiriesUrl },
    footnote: `An answer to this mail goes to ${email}.`,
  });
  return { ...content, replyTo: { name: oneLine(name), address: email } };
}

function compose({ subject: rawSubject, greeting, paragraphs, quote, action, footnote }: MailText): MailContent {
  const subject = oneLine(rawSubject);
  const text = [greeting, ...paragraphs, quote, action && `${action.label}: ${action.url}`, footnote, "Sangam"]
    .filter((part) => part !== undefined)
    .join("\n\n");
  const paragraph = (text: string, style: string) => `<p style="margin:0 0 16px;${style}">${escapeHtml(text)}</p>`;
  const html = `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><title>${escapeHtml(subject)}</title></head>
<body style="margin:0;background:#f6f5f1;font:16px/24px 'Hanken Grotesk',system-ui,sans-serif;color:#171d26">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#fdfcfa;border:1px solid #dddbd3;border-radius:14px"><tr><td style="padding:28px">
<p style="margin:0 0 20px;padding:0 0 16px;border-bottom:3px solid #f4af2d;font-size:18px;font-weight:600">Sangam</p>
${paragraph(greeting, "font-weight:600")}
${paragraphs.map((text) => paragraph(text, "")).join("\n")}
${quote ? paragraph(quote, "padding:0 0 0 14px;border-left:3px solid #dddbd3;white-space:pre-wrap;overflow-wrap:anywhere") : ""}
${
  action
    ? `<p style="margin:8px 0 20px"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:11px 18px;border-radius:8px;background:#f4af2d;color:#261a0d;font-weight:600;text-decoration:none">${escapeHtml(action.label)}</a></p>
${paragraph(`Or open this address: ${action.url}`, "font-size:13px;line-height:18px;color:#49505a;word-break:break-all")}`
    : ""
}
${footnote ? paragraph(footnote, "font-size:13px;line-height:18px;color:#49505a;word-break:break-word") : ""}
</td></tr></table></td></tr></table></body></html>
`;
  return { subject, text: `${text}\n`, html };
}

/** A person's name must not end a header line. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
