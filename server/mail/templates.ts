import { type MailText, renderHtml } from "./html";

export type { MailText } from "./html";

/** Mails about an account. */
export const MAIL_TEMPLATES = [
  "account-approved",
  "account-rejected",
  "account-exists",
  "email-confirmation",
  "password-reset",
  "password-changed",
  "two-factor-on",
  "two-factor-off",
  "two-factor-reset",
] as const;
export type MailTemplate = (typeof MAIL_TEMPLATES)[number];

/** The mail about unread messages in a conversation. */
export const UNREAD_TEMPLATE = "unread-messages";

/** The mail about an inquiry. */
export const INQUIRY_TEMPLATE = "inquiry-received";

/** The mail to an admin about a condition of the server, by its id in `system_conditions`. */
export type ConditionTemplate = `condition:${string}`;

/** The condition that a mail is about; null for another mail. */
export function conditionOf(template: string): string | null {
  return template.startsWith("condition:") ? template.slice("condition:".length) : null;
}

/** The invitation of a person; its recipient is the invitation's id. */
export const INVITATION_TEMPLATE = "invitation";

/** A mail about notifications: of one thing at once, or of all of a day. */
export const NOTIFICATION_TEMPLATE = "notifications";
export const DIGEST_TEMPLATE = "notifications-daily";

/** A mail without its sender: the same content as text and as HTML in the product's style. */
export interface MailContent {
  subject: string;
  text: string;
  html: string;
  /** The address for replies; defaults to the sender. */
  replyTo?: { name: string; address: string };
  headers?: Record<string, string>;
}

/** Renders a mail as text and as HTML, which escapes every value. */
export function composeMail(mail: MailText): MailContent {
  const { greeting, paragraphs, quote, list = [], action, footnote, unsubscribeUrl, replyTo } = mail;
  const subject = oneLine(mail.subject);
  const listed = list.map(({ title, url, lines }) => [title, ...lines.map((line) => `- ${line}`), url].join("\n"));
  const unsubscribe = unsubscribeUrl && `Unsubscribe: ${unsubscribeUrl}`;
  const act = action && `${action.label}: ${action.url}`;
  const text = [greeting, ...paragraphs, quote, ...listed, act, footnote, unsubscribe, "Sangam"]
    .filter((part) => part !== undefined)
    .join("\n\n");
  return {
    ...{ subject, text: `${text}\n`, html: renderHtml({ ...mail, subject }) },
    // RFC 8058: mail programs unsubscribe by one click, without opening a page.
    ...(unsubscribeUrl && {
      headers: { "List-Unsubscribe": `<${unsubscribeUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
    }),
    ...(replyTo && { replyTo: { ...replyTo, name: oneLine(replyTo.name) } }),
  };
}

/** A person's name must not end a header line. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}
