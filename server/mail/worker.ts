import type { Db } from "../../db/client";
import { describeError, type Logger } from "../core/logger";
import type { Feed } from "../realtime/hub";
import type { MailTransport } from "./client";
import { type MailJob, sendNextMail } from "./queries";
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
  const send = async (job: MailJob) => {
    const mail = await compose(job);
    if (mail) await transport(mail);
  };
  const work = async () => {
    do {
      for (let outcome = await sendNextMail(db, send); outcome !== "none"; outcome = await sendNextMail(db, send)) {
        if (outcome === "sent") continue;
        const { id, template, attempts } = outcome.job;
        logger.warn("mail put off", { job: id, template, attempts, ...describeError(outcome.error) });
      }
    } while (await mailbox.next(undefined));
  };
  const keepWorking = async (): Promise<void> => {
    try {
      await work();
    } catch (error) {
      // The database is away: the next wake, after 15 s at the latest, tries again.
      logger.warn("mail worker", describeError(error));
      if (await mailbox.next(undefined)) await keepWorking();
    }
  };
  const done = keepWorking();
  return {
    async close() {
      mailbox.close();
      await done;
    },
  };
}
