import { and, eq, gt, inArray, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { instantAfter } from "../../db/expressions";
import { recurringJobs } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { isFree } from "../jobs/lease";
import { recurringJob } from "../jobs/recurring";
import { findOrganisation } from "./queries";

/** What runs at 08:00 by the organisation's clock, once for all processes. */
const MORNING_JOBS = ["notification-day", "status-reminder"] as const;

interface Morning {
  name: (typeof MORNING_JOBS)[number];
  /** Holds until the organisation has chosen one. */
  timeZone: string;
  /** Is given the time zone that holds. */
  work: (run: { timeZone: string; signal: AbortSignal }) => Promise<unknown>;
}

/** Work that is done every morning. */
export function morningJob(db: Db, { name, timeZone, work }: Morning) {
  const zone = async () => (await findOrganisation(db, { timeZone })).timeZone;
  return recurringJob(db, {
    name,
    everySeconds: async () => untilMorning(await zone()),
    waitsFirst: true,
    work: async (signal) => work({ timeZone: await zone(), signal }),
  });
}

/** Moves the next morning to another time zone. What runs now, is due or failed is not put off. */
export async function moveMornings(tx: Tx, { timeZone }: { timeZone: string }): Promise<void> {
  const { id, dueAt, failures } = recurringJobs;
  const isWaiting = and(gt(dueAt, sql`now()`), eq(failures, 0), isFree(recurringJobs));
  await tx
    .update(recurringJobs)
    .set(columnsOf(recurringJobs, { dueAt: instantAfter(sql`now()`, untilMorning(timeZone)) }))
    .where(and(inArray(id, [...MORNING_JOBS]), isWaiting));
}

/** Seconds until it is 08:00 somewhere. */
function untilMorning(timeZone: string): SQL<number> {
  const local = sql`(now() at time zone ${timeZone}::text)`;
  const morning = sql`(date_trunc('day', ${local} + interval '16 hours') + interval '8 hours')`;
  return sql<number>`extract(epoch from ${morning} at time zone ${timeZone}::text - now())::float`;
}
