import { and, eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { organisation, users } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { insertAudit } from "../audit/mutations";
import { MESSAGES } from "../contract/messages";
import type { OrganisationPatch } from "../contract/organisation";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";
import { notifyAccount } from "../realtime/notify";
import { hasTwoFactor } from "../users/queries";

/**
 * Changes the organisation's settings; a missing key stays as it is. Two-factor sign-in is required from the commit on: calls and
 * streams of admins without it are then refused. CONFLICT when the admin who requires it has none.
 */
export async function updateOrganisation(
  db: Db,
  { patch, by }: { patch: OrganisationPatch; by: Actor },
): Promise<void> {
  const { requireTwoFactorForAdmins, timeZone, businessHours, holidays } = patch;
  const changed = Object.keys(patch);
  if (changed.length === 0) return;
  const values = { requireTwoFactorForAdmins, timeZone, businessHours, holidays, updatedAt: sql`now()` };
  await db.transaction(async (tx) => {
    if (requireTwoFactorForAdmins) await requireOwnTwoFactor(tx, by);
    await tx
      .insert(organisation)
      .values(columnsOf(organisation, values))
      .onConflictDoUpdate({ target: organisation.id, set: columnsOf(organisation, values) });
    await insertAudit(tx, {
      kind: "organisation.updated",
      actorId: by.id,
      subjectId: null,
      details: { changed: changed.join(", ") },
    });
    if (requireTwoFactorForAdmins) await notifyAdmins(tx);
  });
}

async function requireOwnTwoFactor(tx: Tx, { id }: Actor): Promise<void> {
  const [own] = await tx.select({ isOn: hasTwoFactor }).from(users).where(eq(users.id, id));
  if (!own?.isOn) throw new DomainError("CONFLICT", MESSAGES.organisation.setUpFirst);
}

/** Their streams then check whether they may continue. */
async function notifyAdmins(tx: Tx): Promise<void> {
  const admins = await tx
    .select({ id: users.id })
    .from(users)
    .where(and(eq(users.accountType, "admin"), eq(users.accountStatus, "active")));
  for (const { id } of admins) await notifyAccount(tx, { userId: id });
}
