import { inArray, type SQL, type SQLWrapper, sql } from "drizzle-orm";
import type { PgColumn, PgTable } from "drizzle-orm/pg-core";
import type { Db } from "../../db/client";
import {
  auditEvents,
  inquiries,
  invitations,
  liveLinkChecks,
  notifications,
  sessions,
  verifications,
  webhookDeliveries,
  webVitals,
} from "../../db/schema";
import { VITALS_DAYS } from "../contract/vitals";

/** Rows of a table that go so many days after an instant. */
interface Period {
  table: PgTable & { id: PgColumn };
  since: SQLWrapper;
  days: number;
}

/** How long what grows by itself is kept; docs/operations.md has it in words. What is not here stays with what it belongs to. */
export const PERIODS: readonly Period[] = [
  { table: auditEvents, since: auditEvents.at, days: 3 * 365 },
  { table: inquiries, since: sql`coalesce(${inquiries.decidedAt}, ${inquiries.createdAt})`, days: 2 * 365 },
  { table: invitations, since: invitations.expiresAt, days: 90 },
  { table: liveLinkChecks, since: liveLinkChecks.at, days: 14 },
  { table: notifications, since: notifications.createdAt, days: 180 },
  { table: sessions, since: sessions.expiresAt, days: 0 },
  { table: verifications, since: verifications.expiresAt, days: 0 },
  { table: webhookDeliveries, since: webhookDeliveries.createdAt, days: 90 },
  { table: webVitals, since: webVitals.at, days: VITALS_DAYS },
];

/** Of mails that were written to files for want of a mail server. */
export const OUTBOX_DAYS = 30;

/** So few that nobody waits for the locks of a deletion. */
const BATCH = 1_000;

/** Deletes what has been kept long enough, in batches of their own. */
export async function deleteExpired(db: Db, { batch = BATCH }: { batch?: number } = {}): Promise<void> {
  for (const period of PERIODS) {
    let deleted = batch;
    while (deleted >= batch) deleted = await deleteBatch(db, period, batch);
  }
}

async function deleteBatch(db: Db, { table, since, days }: Period, batch: number): Promise<number> {
  const isOver: SQL = sql`${since} <= now() - make_interval(days => ${days})`;
  // A row that somebody changes just now goes with the next run: nobody waits for this one, nor it for anybody.
  const oldest = db.select({ id: table.id }).from(table).where(isOver).limit(batch).for("update", { skipLocked: true });
  const deleted = await db.delete(table).where(inArray(table.id, oldest)).returning({ id: table.id });
  return deleted.length;
}
