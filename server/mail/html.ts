import { escapeHtml } from "../contract/text";
/** What a mail says; text and HTML are made of it. */
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
  /** The address for replies; defaults to the sender. */
  replyTo?: { name: string; address: string };
}

/*
 * Mail programs know little: tables, and styles beside each element. What is of another colour in the dark has a class besides, for
 * those that say in which theme they are.
 */
const DARK = `:root{color-scheme:light dark;supported-color-schemes:light dark}
@media (prefers-color-scheme:dark){
.page{background:#0f141a!important}
.card{background:#161a22!important;border-color:#2d333d!important}
.text{color:#f0eee9!important}
.line{border-color:#49505a!important}
.muted{color:#b5bbc2!important}
.link{color:#f8c562!important}
}`;

const TEXT = "font:16px/24px 'Hanken Grotesk',system-ui,-apple-system,'Segoe UI',sans-serif;color:#171d26";
const SMALL = "font-size:13px;line-height:18px;color:#49505a";
const LINK = "color:#824c01";
const BESIDE_LINE = "padding:0 0 0 14px;border-left:3px solid #dddbd3;overflow-wrap:anywhere";

/** A mail in the product's style, light and dark. Every value is escaped, and nothing is loaded from elsewhere. */
export function renderHtml({
  subject,
  greeting,
  paragraphs,
  quote,
  list = [],
  action,
  footnote,
  unsubscribeUrl,
}: MailText): string {
  const parts = [
    paragraph(greeting, { style: "font-weight:600" }),
    ...paragraphs.map((text) => paragraph(text)),
    quote &&
      paragraphOf(escapeHtml(quote), { style: `${BESIDE_LINE};white-space:pre-wrap`, dir: "auto", name: "line" }),
    ...list.map(listEntry),
    action && button(action),
    action &&
      paragraph(`Or open this address: ${action.url}`, { style: `${SMALL};word-break:break-all`, name: "muted" }),
    footnote && paragraph(footnote, { style: `${SMALL};overflow-wrap:anywhere`, name: "muted" }),
    unsubscribeUrl &&
      `<p style="margin:0;${SMALL}"><a class="muted" href="${escapeHtml(unsubscribeUrl)}" style="color:#49505a">Unsubscribe</a></p>`,
  ];
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><meta name="color-scheme" content="light dark"><meta name="supported-color-schemes" content="light dark"><title>${escapeHtml(subject)}</title>
<style>${DARK}</style></head>
<body class="page" style="margin:0;background:#f6f5f1">
<table role="presentation" class="page" width="100%" cellpadding="0" cellspacing="0" style="background:#f6f5f1"><tr><td align="center" style="padding:32px 16px">
<table role="presentation" class="card" width="100%" cellpadding="0" cellspacing="0" style="max-width:520px;background:#fdfcfa;border:1px solid #dddbd3;border-radius:14px"><tr><td class="text" style="padding:28px;${TEXT}">
<p style="margin:0 0 20px;padding:0 0 16px;border-bottom:3px solid #f4af2d;font-size:18px;font-weight:600">Sangam</p>
${parts.filter((part) => part !== undefined && part !== "").join("\n")}
</td></tr></table></td></tr></table></body></html>
`;
}

interface Look {
  style?: string;
  /** Text of people: its own direction. */
  dir?: "auto";
  /** Its class, where the dark has another colour for it. */
  name?: string;
}

function paragraph(text: string, look: Look = {}): string {
  return paragraphOf(withLinks(text), { dir: "auto", ...look });
}

function paragraphOf(html: string, { style = "", dir, name }: Look): string {
  return `<p${dir ? ` dir="${dir}"` : ""}${name ? ` class="${name}"` : ""} style="margin:0 0 16px;${style}">${html}</p>`;
}

function button({ label, url }: NonNullable<MailText["action"]>): string {
  return `<p style="margin:8px 0 20px"><a href="${escapeHtml(url)}" style="display:inline-block;padding:11px 18px;border-radius:8px;background:#f4af2d;color:#261a0d;font-weight:600;text-decoration:none">${escapeHtml(label)}</a></p>`;
}

function listEntry({ title, url, lines }: NonNullable<MailText["list"]>[number]): string {
  const link = `<a class="link" href="${escapeHtml(url)}" style="${LINK};font-weight:600"><bdi>${escapeHtml(title)}</bdi></a>`;
  return paragraphOf([link, ...lines.map(escapeHtml)].join("<br>"), { style: BESIDE_LINE, name: "line" });
}

/** An address in a text leads there, also where the mail program makes no links of its own. */
function withLinks(text: string): string {
  return text
    .split(/(https?:\/\/[^\s<>"']+)/)
    .map((part, at) => {
      const html = escapeHtml(part);
      return at % 2 === 0 ? html : `<a class="link" href="${html}" style="${LINK}">${html}</a>`;
    })
    .join("");
}
