import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { instant, leaseColumns } from "./columns";

/** Jobs that run at an interval, such as housekeeping: one row each, so that one process at a time runs it. */
export const recurringJobs = pgTable("recurring_jobs", {
  /** The kind of job. */
  id: text().primaryKey(),
  ...leaseColumns(),
  /** Failed runs in a row. */
  failures: integer().notNull().default(0),
});

/** How the jobs of each kind fare in all processes together, so that a kind that stands still is noticed. */
export const jobKinds = pgTable("job_kinds", {
  /** The kind of job. */
  id: text().primaryKey(),
  /** Noted once a minute at most. */
  lastSuccessAt: instant(),
  /** The first failure after the last success; null when there was none. */
  failingSince: instant(),
  /** Classes and code of the last failure, without its message. */
  lastError: text(),
});
