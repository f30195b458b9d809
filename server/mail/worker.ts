import type { Db } from "../../db/client";
import { describeError, type Logger } from "../core/logger";
import type { Feed } from "../realtime/hub";
import type { MailTransport } from "./client";
import { claimNextMail, deleteMail, type MailJob, postponeMail } from "./mutations";
import type { MailContent } from "./templates";

/** The words of a queued mail and whom it goes to; null when there is nobody to write to any more. */
export type MailComposer = (job: MailJob) => Promise<(MailContent & { to: string }) | null>;

/** Sends what is queued: after each commit that queues a mail, and again every 15 s for what was put off. */
export function startMailWorker({
  db,
  feed,
  logger,
  compose,
  transport,
}: {
  db: Db;
  feed: Feed;
  logger: Logger;
  compose: MailComposer;
  transport: MailTransport;
}): { close(): Promise<void> } {
  const mailbox = feed.open();
  mailbox.join("mail");
  let isClosed = false;
  /** One mail; false when nothing is due. */
  const sendNext = async (): Promise<boolean> => {
    const job = await claimNextMail(db);
    if (!job) return false;
    try {
      const mail = await compose(job);
      if (mail) await transport(mail);
      await deleteMail(db, job);
    } catch (error) {
      const willRetry = await postponeMail(db, job);
      const { id, template, attempts } = job;
      logger.warn(willRetry ? "mail put off" : "mail given up", {
        job: id,
        template,
        attempts,
        ...describeError(error),
      });
    }
    return true;
  };
  const work = async () => {
    do {
      try {
        while (!isClosed && (await sendNext()));
      } catch (error) {
        // The database is away: the next wake, after 15 s at the latest, tries again.
        logger.warn("mail worker", describeError(error));
      }
    } while (await mailbox.next(undefined));
  };
  const done = work();
  return {
    /** Waits for the mail that is on its way, and for no other. */
    async close() {
      isClosed = true;
      mailbox.close();
      await done;
    },
  };
}
