import { asc, eq, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { instantAfter } from "../../db/expressions";
import { mailDays, mailJobs } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { backoff, findBacklog, isHeld, type Lease, leaseFor, nextDue, RELEASED } from "../jobs/lease";
import type { JobKind } from "../jobs/runner";
import type { MailTransport } from "./client";
import {
  DIGEST_TEMPLATE,
  INQUIRY_TEMPLATE,
  INVITATION_TEMPLATE,
  type MailContent,
  NOTIFICATION_TEMPLATE,
  UNREAD_TEMPLATE,
} from "./templates";

/** Far longer than the timeouts of sending a mail. */
const LEASE_SECONDS = 300;
/** For mails whose time has come; a new mail is announced. */
const POLL_MS = 15_000;
const BACKOFF = { baseSeconds: 10, maxSeconds: 3_600 };
/** About two days. */
const MAX_ATTEMPTS = 56;

export interface MailJob {
  id: number;
  template: string;
  recipient: string;
  /** Of a mail about unread messages; otherwise null. */
  conversationId: string | null;
  /** Of a mail about an inquiry; otherwise null. */
  inquiryId: string | null;
  /** Of a mail about notifications; otherwise null. */
  notificationIds?: string[] | null;
  /** Including this one. */
  attempts: number;
}

/** The content and address of a queued mail; null when there is no longer anybody to write to. */
export type MailComposer = (job: MailJob) => Promise<(MailContent & { to: string }) | null>;

type ClaimedMail = MailJob & Lease<number>;

/** Sends queued mails one after the other. A mail that fails is retried for two days and then dropped. */
export function mailKind(
  db: Db,
  { compose, transport }: { compose: MailComposer; transport: MailTransport },
): JobKind<ClaimedMail> {
  return {
    name: "mail",
    concurrency: 1,
    topic: "mail",
    pollMs: POLL_MS,
    claim: () => claimNextMail(db),
    async run(job) {
      const mail = await compose(job);
      if (mail) await transport(mail);
      await deleteMail(db, job, mail ? { sent: 1 } : {});
    },
    async retryLater(job) {
      if (job.attempts < MAX_ATTEMPTS) await postponeMail(db, job);
      else await deleteMail(db, job, { givenUp: 1 });
      return job.attempts < MAX_ATTEMPTS;
    },
    isOwnFault: isRefusedAddress,
    describe: ({ id, template, attempts }) => ({ job: id, template, attempts }),
    backlog: () => findBacklog(db, { table: mailJobs }),
  };
}

/** The mail server works, and takes no mail for this address. */
function isRefusedAddress(error: unknown): boolean {
  const [code, command] = ["code", "command"].map((key) => error instanceof Error && Reflect.get(error, key));
  return code === "EENVELOPE" && command === "RCPT TO";
}

/** Leases the next due mail to this process; mails about accounts come first. Null when none is due. */
export async function claimNextMail(db: Db): Promise<ClaimedMail | null> {
  const { id, template, recipient, conversationId, inquiryId, notificationIds, attempts, dueAt } = mailJobs;
  // A sign-in link does not wait behind hundreds of reminders or of an imported firm's invitations.
  const mayWait = sql`${template} in (${UNREAD_TEMPLATE}, ${INQUIRY_TEMPLATE}, ${INVITATION_TEMPLATE}, ${NOTIFICATION_TEMPLATE}, ${DIGEST_TEMPLATE})`;
  const [job] = await db
    .update(mailJobs)
    .set(columnsOf(mailJobs, { ...leaseFor(LEASE_SECONDS), attempts: sql`${attempts} + 1` }))
    .where(eq(id, nextDue(db, { table: mailJobs, orderBy: [mayWait, asc(dueAt), asc(id)] })))
    .returning({
      ...{ id, template, recipient, conversationId, inquiryId, notificationIds, attempts },
      leaseId: sql<string>`${mailJobs.leaseId}`,
    });
  return job ?? null;
}

/** Takes a mail from the queue, and counts what became of it where it was for somebody. */
async function deleteMail(
  db: Db,
  job: ClaimedMail,
  { sent = 0, givenUp = 0 }: { sent?: number; givenUp?: number },
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.delete(mailJobs).where(isHeld(mailJobs, job));
    if (sent + givenUp === 0) return;
    const day = sql<string>`(now() at time zone 'UTC')::date`;
    const counts = { sent: sql`${mailDays.sent} + ${sent}`, givenUp: sql`${mailDays.givenUp} + ${givenUp}` };
    await tx.insert(mailDays).values({ day, sent, givenUp }).onConflictDoUpdate({ target: mailDays.day, set: counts });
  });
}

async function postponeMail(db: Db, job: ClaimedMail): Promise<void> {
  await db
    .update(mailJobs)
    .set(columnsOf(mailJobs, { ...RELEASED, dueAt: instantAfter(sql`now()`, backoff(mailJobs.attempts, BACKOFF)) }))
    .where(isHeld(mailJobs, job));
}
