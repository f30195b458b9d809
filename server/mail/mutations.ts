import { and, asc, eq, lte, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { mailJobs } from "../../db/schema";
import { notifyMail } from "../realtime/notify";
import { INQUIRY_TEMPLATE, type MailTemplate, UNREAD_TEMPLATE } from "./templates";

/** For so long nobody else takes a mail that a process has claimed; far longer than handing it over may take. */
const CLAIM_MINUTES = 5;
/** Waits of 10 s, 20 s, 40 s … up to an hour: about two days. */
const MAX_ATTEMPTS = 56;
const MAX_WAIT_SECONDS = 3600;

export interface MailJob {
  id: number;
  template: string;
  recipient: string;
  /** What a mail about unread messages is about; null for all others. */
  conversationId: string | null;
  /** What a mail about an inquiry is about; null for all others. */
  inquiryId: string | null;
  /** How often it was tried, this time included. */
  attempts: number;
}

/** Queues a mail in the transaction that is its reason; it goes out after the commit, from whichever process is first. */
export async function queueMail(
  tx: Db | Tx,
  { template, recipient }: { template: MailTemplate; recipient: string },
): Promise<void> {
  await tx.insert(mailJobs).values({ template, recipient });
  await notifyMail(tx);
}

/** The same for the mail that tells of an inquiry; `recipient` is an address. */
export async function queueInquiryMail(
  tx: Db | Tx,
  { recipient, inquiryId }: { recipient: string; inquiryId: string },
): Promise<void> {
  await tx.insert(mailJobs).values({ template: INQUIRY_TEMPLATE, recipient, inquiryId });
  await notifyMail(tx);
}

/** The same for mails about what somebody has not read in a conversation; one that still waits there is replaced. */
export async function queueUnreadMails(
  tx: Db | Tx,
  mails: { recipient: string; conversationId: string }[],
): Promise<void> {
  if (mails.length === 0) return;
  const [pair, asked] = [sql`(${mailJobs.conversationId}, ${mailJobs.recipient})`, sql`${JSON.stringify(mails)}::json`];
  const same = sql`select (mail ->> 'conversationId')::uuid, mail ->> 'recipient' from json_array_elements(${asked}) as mail`;
  await tx.delete(mailJobs).where(and(eq(mailJobs.template, UNREAD_TEMPLATE), sql`${pair} in (${same})`));
  await tx.insert(mailJobs).values(mails.map((mail) => ({ template: UNREAD_TEMPLATE, ...mail })));
  await notifyMail(tx);
}

/**
 * Claims the next due mail for a few minutes, so that no two processes send one mail and a crash puts it off only; mails
 * about accounts come before all others. No transaction stays open while it is sent. Null when nothing is
 * due.
 */
export async function claimNextMail(db: Db): Promise<MailJob | null> {
  const next = db
    .select({ id: mailJobs.id })
    .from(mailJobs)
    .where(lte(mailJobs.dueAt, sql`now()`))
    // Who waits for a link to sign in does not wait behind hundreds of reminders.
    .orderBy(
      sql`${mailJobs.template} in (${UNREAD_TEMPLATE}, ${INQUIRY_TEMPLATE})`,
      asc(mailJobs.dueAt),
      asc(mailJobs.id),
    )
    .limit(1)
    .for("update", { skipLocked: true });
  const [job] = await db
    .update(mailJobs)
    .set({ attempts: sql`${mailJobs.attempts} + 1`, dueAt: sql`now() + make_interval(mins => ${CLAIM_MINUTES})` })
    // Not IN: that may be planned to look for the next one again for every row, and then claims all but tells one.
    .where(eq(mailJobs.id, next))
    .returning({
      id: mailJobs.id,
      template: mailJobs.template,
      recipient: mailJobs.recipient,
      conversationId: mailJobs.conversationId,
      inquiryId: mailJobs.inquiryId,
      attempts: mailJobs.attempts,
    });
  return job ?? null;
}

/** Out, or nobody's: the job is done. */
export async function deleteMail(db: Db, { id }: { id: number }): Promise<void> {
  await db.delete(mailJobs).where(eq(mailJobs.id, id));
}

/** Not out: tried again later, longer each time; given up after two days. True while there is hope. */
export async function postponeMail(db: Db, { id, attempts }: MailJob): Promise<boolean> {
  if (attempts >= MAX_ATTEMPTS) {
    await deleteMail(db, { id });
    return false;
  }
  const seconds = Math.min(10 * 2 ** Math.min(attempts - 1, 20), MAX_WAIT_SECONDS);
  await db
    .update(mailJobs)
    .set({ dueAt: sql`now() + make_interval(secs => ${seconds})` })
    .where(eq(mailJobs.id, id));
  return true;
}
