import * as z from "zod/mini";
import { ORGANISATION_MESSAGES } from "./messages/organisation";
import { daySchema, describeSchema } from "./text";

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

/** `days`: 1 for Monday to 7 for Sunday; times of day as HH:MM. */
const businessHoursSchema = z
  .strictObject({
    days: z.pipe(
      z
        .array(z.int().check(z.gte(1), z.lte(7)), { error: ORGANISATION_MESSAGES.days })
        .check(
          z.minLength(1, { error: ORGANISATION_MESSAGES.days }),
          z.maxLength(7, { error: ORGANISATION_MESSAGES.days }),
        ),
      z.transform((days) => [...new Set(days)].sort((a, b) => a - b)),
    ),
    from: timeSchema,
    to: timeSchema,
  })
  .check(
    z.refine(({ from, to }: { from: string; to: string }) => from < to, {
      path: ["to"],
      error: ORGANISATION_MESSAGES.order,
    }),
  );
export type BusinessHours = z.output<typeof businessHoursSchema>;

/** What holds until an admin has chosen something else. */
export const USUAL_HOURS: BusinessHours = { days: [1, 2, 3, 4, 5], from: "09:00", to: "18:00" };

/** A missing key stays as it is. */
export const updateOrganisationSchema = z.strictObject({
  requireTwoFactorForAdmins: z.optional(z.boolean()),
  timeZone: z.optional(timeZoneSchema),
  businessHours: z.optional(businessHoursSchema),
  holidays: z.optional(
    z.pipe(
      z
        .array(daySchema, { error: "Enter a list of dates." })
        .check(z.maxLength(400, { error: ORGANISATION_MESSAGES.holidays })),
      z.transform((days) => [...new Set(days)].sort()),
    ),
  ),
});
export type OrganisationPatch = z.output<typeof updateOrganisationSchema>;

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
