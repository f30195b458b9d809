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
    .select({
      requireTwoFactorForAdmins: organisation.requireTwoFactorForAdmins,
      timeZone: organisation.timeZone,
      businessHours: organisation.businessHours,
      holidays: organisation.holidays,
    })
    .from(organisation);
  return {
    requireTwoFactorForAdmins: stored?.requireTwoFactorForAdmins ?? false,
    timeZone: stored?.timeZone ?? timeZone,
    businessHours: stored?.businessHours ?? USUAL_HOURS,
    holidays: stored?.holidays ?? [],
  };
}
