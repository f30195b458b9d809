import { date, timestamp } from "drizzle-orm/pg-core";

/** A moment, stored with its zone, read as a `Date`. */
export const instant = () => timestamp({ withTimezone: true, mode: "date" });

/** A calendar day without zone, read and written as `YYYY-MM-DD`. */
export const calendarDay = () => date({ mode: "string" });
