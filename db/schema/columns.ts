import { customType, date, timestamp, uuid } from "drizzle-orm/pg-core";

/** A moment, stored with its zone, read as a `Date`. */
export const instant = () => timestamp({ withTimezone: true, mode: "date" });

/** A calendar day without zone, read and written as `YYYY-MM-DD`. */
export const calendarDay = () => date({ mode: "string" });

/** A key of the fractional-indexing package: sorts by its bytes, whatever the database's language. */
export const rankKey = customType<{ data: string }>({ dataType: () => 'text collate "C"' });

/**
 * Columns of a table whose rows are background work (server/jobs): when a row is due next, and which process holds it until
 * when. A claim also moves `dueAt` to the end of the lease.
 */
export const leaseColumns = () => ({
  dueAt: instant().notNull().defaultNow(),
  leaseId: uuid(),
  leasedUntil: instant(),
});
