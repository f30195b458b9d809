import * as z from "zod/mini";
import { ORGANISATION_MESSAGES } from "./messages/organisation";
import { daySchema, describeSchema } from "./text";

const MAX_HOLIDAYS = 400;

const timeZoneSchema = describeSchema(
  z
    .string({ error: ORGANISATION_MESSAGES.timeZone })
    .check(
      z.maxLength(100, { error: ORGANISATION_MESSAGES.timeZone }),
      z.refine(isTimeZone, { error: ORGANISATION_MESSAGES.timeZone }),
    ),
  { maxLength: 100, description: "The name of a time zone, such as Asia/Kolkata." },
);

const timeSchema = z
  .string({ error: ORGANISATION_MESSAGES.time })
  .check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: ORGANISATION_MESSAGES.time }));

const days = z.pipe(
  z
    .array(z.int().check(z.gte(1), z.lte(7)), { error: ORGANISATION_MESSAGES.days })
    .check(
      z.minLength(1, { error: ORGANISATION_MESSAGES.days }),
      z.maxLength(7, { error: ORGANISATION_MESSAGES.days }),
    ),
  z.transform((chosen) => [...new Set(chosen)].sort((a, b) => a - b)),
);

/** `days`: 1 for Monday to 7 for Sunday; times of day as HH:MM. */
export interface BusinessHours {
  days: number[];
  from: string;
  to: string;
}

/** A missing key stays as it is. */
const businessHoursSchema = z
  .strictObject({ days: z.optional(days), from: z.optional(timeSchema), to: z.optional(timeSchema) })
  .check(z.refine(isInOrder, { path: ["to"], error: ORGANISATION_MESSAGES.order }));

/** Whether the hours end after they begin, where both are known. */
export function isInOrder({ from, to }: { from?: string | undefined; to?: string | undefined }): boolean {
  return from === undefined || to === undefined || from < to;
}

/** What holds until an admin has chosen something else. */
export const USUAL_HOURS: BusinessHours = { days: [1, 2, 3, 4, 5], from: "09:00", to: "18:00" };

const holidaysSchema = z
  .array(daySchema, { error: "Enter a list of dates." })
  .check(z.maxLength(MAX_HOLIDAYS, { error: ORGANISATION_MESSAGES.holidays }));

/**
 * A missing key stays as it is. With `holidaysBefore`, what whoever changes them began with, only the days that differ from it are added
 * or removed.
 */
export const updateOrganisationSchema = z.strictObject({
  requireTwoFactorForAdmins: z.optional(z.boolean()),
  timeZone: z.optional(timeZoneSchema),
  businessHours: z.optional(businessHoursSchema),
  holidays: z.optional(
    z.pipe(
      holidaysSchema,
      z.transform((all) => [...new Set(all)].sort()),
    ),
  ),
  holidaysBefore: z.optional(holidaysSchema),
});
export type OrganisationPatch = z.output<typeof updateOrganisationSchema>;

/**
 * Whether Intl knows a time zone of that name: an area with a location, or UTC. The others, such as IST or EST, mean different zones to
 * Intl and to PostgreSQL.
 */
export function isTimeZone(name: string): boolean {
  return (name === "UTC" || name.includes("/")) && zoneOf(name) !== null;
}

/** One name for all names of a time zone, by Intl, which may be an old one; null where it knows none. */
export function zoneOf(name: string): string | null {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone;
  } catch {
    return null;
  }
}
