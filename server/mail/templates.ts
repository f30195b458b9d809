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

export interface MailText {
  subject: string;
  greeting: string;
  paragraphs: string[];
  /** A visitor's message, with its line breaks. */
  quote?: string | undefined;
  /** Things, each with an address and what happened to it. */
  list?: { title: string; url: string; lines: string[] }[];
  action?: { label: string; url: string };
  footnote?: string;
  /** An address that turns off mails like this one, for people and, in the headers, for their mail programs. */
  unsubscribeUrl?: string;
  replyTo?: MailContent["replyTo"];
}

/** Renders a mail as text and as HTML, which escapes every value. */
export function composeMail({
  subject: rawSubject,
  greeting,
  paragraphs,
  quote,
  list = [],
  action,
  footnote,
  unsubscribeUrl,
  replyTo,
}: MailText): MailContent {
  const subject = oneLine(rawSubject);
  const listed = list.map(({ title, url, lines }) => [title, ...lines.map((line) => `- ${line}`), url].join("\n"));
  const unsubscribe = unsubscribeUrl && `Unsubscribe: ${unsubscribeUrl}`;
  const act = action && `${action.label}: ${action.url}`;
  const text = [greeting, ...paragraphs, quote, ...listed, act, footnote, unsubscribe, "Sangam"]
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
${list.map(listEntry).join("\n")}
${
  action
    ? `<p style="margin:8px 0 20px"><a href="${escapeHtml(action.url)}" style="display:inline-block;padding:11px 18px;border-radius:8px;background:#f4af2d;color:#261a0d;font-weight:600;text-decoration:none">${escapeHtml(action.label)}</a></p>
${paragraph(`Or open this address: ${action.url}`, "font-size:13px;line-height:18px;color:#49505a;word-break:break-all")}`
    : ""
}
${footnote ? paragraph(footnote, "font-size:13px;line-height:18px;color:#49505a;word-break:break-word") : ""}
${unsubscribeUrl ? `<p style="margin:0;font-size:13px;line-height:18px"><a href="${escapeHtml(unsubscribeUrl)}" style="color:#49505a">Unsubscribe</a></p>` : ""}
</td></tr></table></td></tr></table></body></html>
`;
  return {
    ...{ subject, text: `${text}\n`, html },
    // RFC 8058: mail programs unsubscribe by one click, without opening a page.
    ...(unsubscribeUrl && {
      headers: { "List-Unsubscribe": `<${unsubscribeUrl}>`, "List-Unsubscribe-Post": "List-Unsubscribe=One-Click" },
    }),
    ...(replyTo && { replyTo: { ...replyTo, name: oneLine(replyTo.name) } }),
  };
}

function listEntry({ title, url, lines }: NonNullable<MailText["list"]>[number]): string {
  const link = `<a href="${escapeHtml(url)}" style="color:#824c01;font-weight:600">${escapeHtml(title)}</a>`;
  return `<p style="margin:0 0 16px;padding:0 0 0 14px;border-left:3px solid #dddbd3;overflow-wrap:anywhere">${[link, ...lines.map(escapeHtml)].join("<br>")}</p>`;
}

/** A person's name must not end a header line. */
function oneLine(text: string): string {
  return text.replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, " ").trim();
}

function escapeHtml(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
