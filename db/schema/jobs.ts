import { integer, pgTable, text } from "drizzle-orm/pg-core";
import { leaseColumns } from "./columns";

/** Jobs that run at an interval, such as housekeeping: one row each, so that one process at a time runs it. */
export const recurringJobs = pgTable("recurring_jobs", {
  /** The kind of job. */
  id: text().primaryKey(),
  ...leaseColumns(),
  /** Failed runs in a row. */
  failures: integer().notNull().default(0),
});
