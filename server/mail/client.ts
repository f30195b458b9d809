import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { DAY_MS } from "../contract/days";
import type { TestMailResult } from "../contract/system";
import type { Logger } from "../core/logger";
import type { MailContent } from "./templates";

/** Sends a mail; rejects when that fails. */
export type MailTransport = (mail: MailContent & { to: string }) => Promise<void>;

const TIMEOUT_MS = 20_000;
/** Somebody waits for the answer. */
const TEST_TIMEOUT_MS = 10_000;

interface MailOptions {
  smtpUrl: string | null;
  mailFrom: string;
  dataDir: string;
  logger: Logger;
}

/**
 * Sends through SMTP if a server is configured. Otherwise writes each mail to an `.eml` file in `DATA_DIR/outbox` and logs its
 * path, so that links in mails also work on a developer's machine.
 */
export function createMailTransport({ smtpUrl, mailFrom, dataDir, logger }: MailOptions): MailTransport {
  if (smtpUrl) {
    let smtp: ReturnType<typeof connectTo> | null = null;
    return async (mail) => {
      smtp ??= connectTo(smtpUrl);
      await (await smtp).sendMail({ ...mail, from: mailFrom });
    };
  }
  const outbox = outboxOf(dataDir);
  return async (mail) => {
    const file = (await loadMailer()).createTransport({ streamTransport: true, buffer: true });
    const { message } = await file.sendMail({ ...mail, from: mailFrom });
    if (!Buffer.isBuffer(message)) throw new Error("the mail was not buffered");
    await mkdir(outbox, { recursive: true, mode: 0o700 });
    const path = join(outbox, `${new Date().toISOString().replace(/[:.]/g, "-")}-${randomUUID().slice(0, 8)}.eml`);
    await writeFile(path, message, { mode: 0o600 });
    logger.info("mail written", { path });
  };
}

/** Sends a mail at once, past the queue, and says what the mail server answered. Rejects when a file cannot be written. */
export async function tryMail(mail: MailContent & { to: string }, options: MailOptions): Promise<TestMailResult> {
  const { smtpUrl, mailFrom } = options;
  if (smtpUrl === null) {
    await createMailTransport(options)(mail);
    return { outcome: "written", answer: "There is no mail server: the email is a file in the outbox folder." };
  }
  const smtp = await connectTo(smtpUrl, TEST_TIMEOUT_MS);
  try {
    const { response } = await smtp.sendMail({ ...mail, from: mailFrom });
    return { outcome: "accepted", answer: response };
  } catch (error) {
    return { outcome: "refused", answer: withoutPassword(error, smtpUrl) };
  } finally {
    smtp.close();
  }
}

/** The message of an error of the mail server or of the way to it, which repeats what the server says. */
function withoutPassword(error: unknown, smtpUrl: string): string {
  const message = error instanceof Error ? error.message : "unknown error";
  const { password } = new URL(smtpUrl);
  return password === "" ? message : message.replaceAll(decoded(password), "…").replaceAll(password, "…");
}

/** As the mailer decodes it: what cannot be decoded is taken as it stands. */
function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** In a sentence why the mail server cannot be reached or does not let us in; null when it does. Sends nothing. */
export async function findMailServerFault(smtpUrl: string): Promise<string | null> {
  const smtp = await connectTo(smtpUrl);
  try {
    await smtp.verify();
    return null;
  } catch (error) {
    return `The mail server does not let us in: ${withoutPassword(error, smtpUrl)}.`;
  } finally {
    smtp.close();
  }
}

/** Apart from the rest: a server that starts has no mail to send yet. index.ts calls it once it listens. */
export async function loadMailer() {
  return (await import("nodemailer")).default;
}

async function connectTo(smtpUrl: string, timeoutMs = TIMEOUT_MS) {
  return (await loadMailer()).createTransport({
    url: smtpUrl,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
  });
}

/** Removes mails that were written to files more than so many days ago. */
export async function sweepOutbox(dataDir: string, { days }: { days: number }): Promise<void> {
  const outbox = outboxOf(dataDir);
  // Nothing has been written yet.
  const names = await readdir(outbox).catch(() => []);
  for (const name of names.filter((one) => one.endsWith(".eml"))) {
    const path = join(outbox, name);
    const file = await stat(path).catch(() => null);
    if (file && file.mtimeMs < Date.now() - days * DAY_MS) await rm(path, { force: true });
  }
}

function outboxOf(dataDir: string): string {
  return join(dataDir, "outbox");
}
