import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "@playwright/test";
import type { TestServer } from "./server";

export interface Mail {
  subject: string;
  /** The plain text, decoded. */
  text: string;
}

/** The mails that the server has sent to an address, oldest first. */
export function mailsTo(server: TestServer, email: string): Mail[] {
  const outbox = join(server.dataDir, "outbox");
  return filesIn(outbox)
    .map((file) => readFileSync(join(outbox, file), "latin1"))
    .filter((source) => headerOf(source, "to")?.includes(email))
    .map((source) => ({ subject: headerOf(source, "subject") ?? "", text: plainTextOf(source) }));
}

/** Waits for the newest mail to an address with a subject; `after` is the number of such mails before. */
export async function waitForMail(
  server: TestServer,
  { to, subject, after = 0 }: { to: string; subject: string; after?: number },
): Promise<Mail> {
  const matching = () => mailsTo(server, to).filter((mail) => mail.subject === subject);
  await expect.poll(() => matching().length, `mails "${subject}" to ${to}`).toBeGreaterThan(after);
  const mail = matching().at(-1);
  if (!mail) throw new Error("the mail is gone");
  return mail;
}

/** The first web address in a mail. */
export function linkIn({ text }: Mail): string {
  const link = /https?:\/\/\S+/.exec(text)?.[0];
  if (!link) throw new Error(`no link in: ${text}`);
  return link;
}

function filesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".eml"))
      .sort();
  } catch {
    return [];
  }
}

/** A header's value. Long headers continue in lines that begin with a space. */
function headerOf(source: string, name: string): string | undefined {
  const [head = ""] = source.split(/\r?\n\r?\n/, 1);
  const unfolded = head.replace(/\r?\n[ \t]+/g, " ");
  return new RegExp(`^${name}:\\s*(.*)$`, "im").exec(unfolded)?.[1]?.trim();
}

function plainTextOf(source: string): string {
  const boundary = /boundary="?([^";\r\n]+)"?/i.exec(headerOf(source, "content-type") ?? "")?.[1];
  const parts = boundary ? source.split(`--${boundary}`) : [source];
  const part = parts.find((one) => headerOf(one.trimStart(), "content-type")?.startsWith("text/plain"));
  if (!part) throw new Error("the mail has no plain text");
  const trimmed = part.trimStart();
  const body = trimmed.slice(trimmed.search(/\r?\n\r?\n/)).trim();
  switch (headerOf(trimmed, "content-transfer-encoding")?.toLowerCase()) {
    case "base64":
      return Buffer.from(body, "base64").toString("utf8");
    case "quoted-printable":
      return fromQuotedPrintable(body);
    default:
      return Buffer.from(body, "latin1").toString("utf8");
  }
}

function fromQuotedPrintable(text: string): string {
  const bytes = text
    .replace(/=\r?\n/g, "")
    .replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1").toString("utf8");
}
