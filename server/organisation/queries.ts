import { sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { organisation } from "../../db/schema";
import { USUAL_HOURS } from "../contract/organisation";
import type { OrganisationSettings } from "../contract/views";

/** The organisation's settings; `timeZone` holds until an admin has chosen one. */
export async function findOrganisation(
  db: Db | Tx,
  { timeZone }: { timeZone: string },
): Promise<OrganisationSettings & { requireTwoFactorForAdmins: boolean }> {
  const [stored] = await db
    .select({ requireTwoFactorForAdmins: organisation.requireTwoFactorForAdmins, ...calendarColumns })
    .from(organisation);
  return {
    requireTwoFactorForAdmins: stored?.requireTwoFactorForAdmins ?? false,
    ...calendarOf(stored, { timeZone }),
  };
}

/** What the business calendar is made of, for a statement that joins the organisation to its rows. */
export const calendarColumns = {
  timeZone: organisation.timeZone,
  businessHours: organisation.businessHours,
  holidays: organisation.holidays,
};

type StoredCalendar = Pick<typeof organisation.$inferSelect, keyof typeof calendarColumns>;

/** The organisation's business calendar as it is stored, or as it is until somebody has stored one. */
export function calendarOf(
  stored: StoredCalendar | null | undefined,
  { timeZone }: { timeZone: string },
): Pick<OrganisationSettings, keyof typeof calendarColumns> {
  return {
    timeZone: stored?.timeZone ?? timeZone,
    businessHours: stored?.businessHours ?? USUAL_HOURS,
    holidays: stored?.holidays ?? [],
  };
}

/** The names of time zones that this PostgreSQL has. It reads a file for each: 50 ms. */
export async function listTimeZones(db: Db): Promise<string[]> {
  const rows = await db.execute<{ name: string }>(sql`select name from pg_timezone_names order by name`);
  return rows.map(({ name }) => name);
}
