import { asc, eq, lte, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { mailJobs } from "../../db/schema";
import { announceMail } from "../realtime/notify";
import type { MailTemplate } from "./templates";

const LONGEST_WAIT_SECONDS = 3600;

export interface MailJob {
  id: number;
  template: string;
  recipient: string;
  data: Record<string, string>;
  attempts: number;
}

/** Queues a mail in the transaction that is its reason; it goes out after the commit, from whichever process is first. */
export async function queueMail(
  tx: Db | Tx,
  { template, recipient, data = {} }: { template: MailTemplate; recipient: string; data?: Record<string, string> },
): Promise<void> {
  await tx.insert(mailJobs).values({ template, recipient, data });
  await announceMail(tx);
}

/**
 * Takes the next due mail, hands it to `send` and deletes it, or puts it off when `send` fails. The row is locked meanwhile,
 * so that no two processes send one mail. False when nothing is due.
 */
export async function sendNextMail(
  db: Db,
  send: (job: MailJob) => Promise<void>,
): Promise<{ job: MailJob; error: unknown } | "sent" | "none"> {
  return db.transaction(async (tx) => {
    const [job] = await tx
      .select()
      .from(mailJobs)
      .where(lte(mailJobs.dueAt, sql`now()`))
      .orderBy(asc(mailJobs.dueAt), asc(mailJobs.id))
      .limit(1)
      .for("update", { skipLocked: true });
    if (!job) return "none";
    try {
      await send(job);
    } catch (error) {
      const seconds = Math.min(10 * 2 ** job.attempts, LONGEST_WAIT_SECONDS);
      await tx
        .update(mailJobs)
        .set({ attempts: job.attempts + 1, dueAt: sql`now() + make_interval(secs => ${seconds})` })
        .where(eq(mailJobs.id, job.id));
      return { job, error };
    }
    await tx.delete(mailJobs).where(eq(mailJobs.id, job.id));
    return "sent";
  });
}
