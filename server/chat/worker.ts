import type { Db } from "../../db/client";
import { describeError, type Logger } from "../core/logger";
import type { Presence } from "../realtime/presence";
import { mailUnread } from "./unread-mail";

const SWEEP_MS = 60_000;

/** Looks every minute for messages that stay unread, and has them mailed. The first time after a minute: by then it is known who is present. */
export function startUnreadMails({
  db,
  presence,
  logger,
  sweepMs = SWEEP_MS,
}: {
  db: Db;
  presence: Pick<Presence, "presentIds">;
  logger: Logger;
  sweepMs?: number;
}): { close(): Promise<void> } {
  let sweeping: Promise<void> | null = null;
  const sweep = () => {
    sweeping ??= mailUnread(db, { presentIds: presence.presentIds() })
      // The database is away: what is unread then still is a minute later.
      .catch((error: unknown) => logger.warn("unread mails", describeError(error)))
      .finally(() => {
        sweeping = null;
      });
  };
  const timer = setInterval(sweep, sweepMs);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await sweeping;
    },
  };
}
