import { sql } from "drizzle-orm";
import { boolean, check, integer, jsonb, pgTable, text } from "drizzle-orm/pg-core";
import { instant } from "./columns";

/** The organisation's settings; one row at most, made by the first change. */
export const organisation = pgTable(
  "organisation",
  {
    id: integer().primaryKey().default(1),
    requireTwoFactorForAdmins: boolean().notNull().default(false),
    /** An IANA name; null: the server's `TIME_ZONE`. */
    timeZone: text(),
    /** Week days, 1 for Monday, and times of day; null: the usual ones. */
    businessHours: jsonb().$type<{ days: number[]; from: string; to: string }>(),
    /** Days without business hours, ascending. */
    holidays: jsonb().$type<string[]>().notNull().default([]),
    updatedAt: instant().notNull().defaultNow(),
  },
  (t) => [check("organisation_single", sql`${t.id} = 1`)],
);
