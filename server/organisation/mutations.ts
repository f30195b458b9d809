import { and, eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { organisation, users } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { insertAudit } from "../audit/mutations";
import { mergeList } from "../contract/list-edits";
import { MESSAGES } from "../contract/messages";
import { isInOrder, type OrganisationPatch, USUAL_HOURS } from "../contract/organisation";
import type { Actor } from "../core/context";
import { DomainError, ValidationError } from "../core/errors";
import { notifyAccount } from "../realtime/notify";
import { hasTwoFactor } from "../users/queries";
import { moveMornings } from "./jobs";
import { listTimeZones } from "./queries";
import { matchTimeZone } from "./time-zones";

/**
 * Changes the organisation's settings; a missing key stays as it is. Two-factor sign-in is required from the commit on: calls and
 * streams of admins without it are then refused. CONFLICT when the admin who requires it has none.
 */
export async function updateOrganisation(
  db: Db,
  { patch, by }: { patch: OrganisationPatch; by: Actor },
): Promise<void> {
  const { requireTwoFactorForAdmins } = patch;
  const changed = Object.keys(patch).filter((key) => key !== ("holidaysBefore" satisfies keyof OrganisationPatch));
  if (changed.length === 0) return;
  const timeZone = patch.timeZone && (await requireTimeZone(db, patch.timeZone));
  await db.transaction(async (tx) => {
    if (requireTwoFactorForAdmins) await requireOwnTwoFactor(tx, by);
    const calendar = calendarAfter(await lockOrganisation(tx), patch);
    const values = { requireTwoFactorForAdmins, timeZone, ...calendar, updatedAt: sql`now()` };
    await tx.update(organisation).set(columnsOf(organisation, values));
    if (timeZone) await moveMornings(tx, { timeZone });
    await insertAudit(tx, {
      kind: "organisation.updated",
      actorId: by.id,
      subjectId: null,
      details: { changed: changed.join(", ") },
    });
    if (requireTwoFactorForAdmins) await notifyAdmins(tx);
  });
}

async function requireTimeZone(db: Db, name: string): Promise<string> {
  const present = matchTimeZone(name, await listTimeZones(db));
  if (present === null) throw new ValidationError({ timeZone: [MESSAGES.organisation.timeZone] });
  return present;
}

/**
 * The name by which this PostgreSQL knows the server's time zone; null where it has none. The stored one, which may come from another
 * PostgreSQL, is brought to its name too.
 */
export async function settleTimeZones(db: Db, { timeZone }: { timeZone: string }): Promise<string | null> {
  const names = await listTimeZones(db);
  const [stored] = await db.select({ timeZone: organisation.timeZone }).from(organisation);
  const present = stored?.timeZone ? matchTimeZone(stored.timeZone, names) : null;
  if (stored?.timeZone && present !== null && present !== stored.timeZone) {
    await db.update(organisation).set({ timeZone: present }).where(eq(organisation.timeZone, stored.timeZone));
  }
  return matchTimeZone(timeZone, names);
}

/** Locks the settings, so that changes by two admins run one after the other. */
async function lockOrganisation(tx: Tx) {
  await tx.insert(organisation).values({}).onConflictDoNothing();
  const { businessHours, holidays } = organisation;
  const [row] = await tx.select({ businessHours, holidays }).from(organisation).for("update");
  return row;
}

/** What another admin has changed meanwhile of the hours or the holidays stays so. */
function calendarAfter(
  stored: Awaited<ReturnType<typeof lockOrganisation>>,
  { businessHours, holidays, holidaysBefore }: OrganisationPatch,
) {
  const before = stored?.businessHours ?? USUAL_HOURS;
  const { days = before.days, from = before.from, to = before.to } = businessHours ?? {};
  const hours = { days, from, to };
  if (!isInOrder(hours)) throw new ValidationError({ "businessHours.to": [MESSAGES.organisation.order] });
  const merged = holidays && mergeList({ before: holidaysBefore, edited: holidays, present: stored?.holidays ?? [] });
  return { businessHours: businessHours && hours, holidays: merged };
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
