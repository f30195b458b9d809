import type { AuditDetailsOf } from "@db/audit-details";
import { and, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { auditEvents, users } from "../../db/schema";
import { insertAudit } from "../audit/mutations";
import { MESSAGES } from "../contract/messages";
import type { Person } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";
import { personColumns, shownName } from "./queries";

/*
 * "See as this client": an admin reads as the client, through an `Actor`, so that the same policy decides what is visible.
 */

/** Openings and reads by one admin of one client within this time share one audit entry. */
const ENTRY_HOURS = 1;

interface Viewing {
  clientId: string;
  by: Actor;
}

/**
 * The client whose portal is opened. Audited once an hour for each admin and client, so that a reload adds no row. NOT_FOUND
 * for people without a portal.
 */
export async function openClientView(db: Db, viewing: Viewing): Promise<Person> {
  const [found] = await db
    .select({ ...personColumns, isAudited: isAudited(db, viewing) })
    .from(users)
    .where(hasPortal(viewing.clientId));
  if (!found) throw notFound();
  const { isAudited: isKnown, ...client } = found;
  if (!isKnown) await auditOnce(db, viewing);
  return client;
}

/**
 * The client as the actor of a read by that admin: NOT_FOUND for people without a portal. A read without an
 * opening, such as by a program, is audited too: one entry an hour.
 */
export async function findClientActor(db: Db, { clientId, by }: Viewing): Promise<Actor> {
  const [found] = await db
    .select({
      id: users.id,
      displayName: shownName(users),
      accountType: users.accountType,
      accountStatus: users.accountStatus,
      isAudited: isAudited(db, { clientId, by }),
    })
    .from(users)
    .where(hasPortal(clientId));
  if (!found) throw notFound();
  const { isAudited: isKnown, ...actor } = found;
  if (!isKnown) await auditOnce(db, { clientId, by, details: { withoutOpening: true } });
  return actor;
}

/** Accounts of type client that are or were active: an admin can view the portal of a deactivated client. */
function hasPortal(clientId: string) {
  return and(
    eq(users.id, clientId),
    eq(users.accountType, "client"),
    inArray(users.accountStatus, ["active", "inactive"]),
    isNull(users.erasedAt),
  );
}

/** Whether the newest entry of this admin and client is of this hour. Reads backwards by subject, where it is among the first. */
function isAudited(db: Db | Tx, { clientId, by }: Viewing) {
  const newest = db
    .select({ at: auditEvents.at })
    .from(auditEvents)
    .where(
      and(
        eq(auditEvents.subjectId, clientId),
        eq(auditEvents.actorId, by.id),
        eq(auditEvents.kind, "client-view.opened"),
      ),
    )
    .orderBy(desc(auditEvents.id))
    .limit(1);
  return sql<boolean>`coalesce(${newest} > now() - ${ENTRY_HOURS} * interval '1 hour', false)`;
}

/** Of concurrent calls, also on several servers, one inserts the row; the others wait and find it. */
async function auditOnce(
  db: Db,
  { clientId, by, details = {} }: Viewing & { details?: AuditDetailsOf<"client-view.opened"> },
): Promise<void> {
  await db.transaction(async (tx) => {
    await tx.execute(sql`select pg_advisory_xact_lock(hashtext(${`client-view:${by.id}:${clientId}`}))`);
    const [row] = await tx.select({ isKnown: isAudited(tx, { clientId, by }) }).from(sql`(values (1)) as one`);
    if (row?.isKnown) return;
    await insertAudit(tx, { kind: "client-view.opened", actorId: by.id, subjectId: clientId, details });
  });
}

function notFound(): DomainError {
  return new DomainError("NOT_FOUND", MESSAGES.users.clientNotFound);
}
