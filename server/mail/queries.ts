import { gt, gte, min, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { countRows, isoInstant } from "../../db/expressions";
import { mailDays, mailJobs } from "../../db/schema";

/** How many mails were handed to the mail server yesterday and today, and how many were given up after two days of trying. */
export async function findMailOutcomes(db: Db): Promise<{ sent: number; givenUp: number }> {
  const [row] = await db
    .select({
      sent: sql<number>`coalesce(sum(${mailDays.sent}), 0)::int`,
      givenUp: sql<number>`coalesce(sum(${mailDays.givenUp}), 0)::int`,
    })
    .from(mailDays)
    .where(gte(mailDays.day, sql`(now() at time zone 'UTC')::date - 1`));
  return row ?? { sent: 0, givenUp: 0 };
}

/** How many mails wait to be sent, those for another try included, and since when the oldest does; null without any. */
export async function findMailQueue(db: Db): Promise<{ queued: number; retrying: number; oldestAt: string | null }> {
  const [row] = await db
    .select({
      queued: countRows(),
      retrying: countRows(gt(mailJobs.attempts, 0)),
      oldestAt: isoInstant(min(mailJobs.createdAt)),
    })
    .from(mailJobs);
  return row ?? { queued: 0, retrying: 0, oldestAt: null };
}
