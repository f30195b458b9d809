import { and, desc, eq, inArray, isNull, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { auditEvents, users } from "../../db/schema";
import { type AuditEntry, insertAudit } from "../audit/mutations";
import { MESSAGES } from "../contract/messages";
import type { Person } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";
import { personColumns, shownName } from "./queries";

/*
 * "See as this client": an admin reads with a client's eyes. Those are an `Actor`, so that what is seen comes from the very
 * policy that answers the client.
 */

/** Openings and reads within so long of an entry of the same admin and client belong to it. */
const ENTRY_HOURS = 1;

interface Viewing {
  clientId: string;
  by: Actor;
}

/**
 * The client whose portal is opened. Audited once an hour for each admin and client, so that a reload adds no row. NOT_FOUND
 * for whoever has no portal.
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
 * The client as the actor of a read by that admin: NOT_FOUND for whoever has no portal. A read that follows no opening is
 * audited too, also one that never comes from our screen; one entry an hour for the two of them.
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

/** Accounts of type client that are or were active: an admin must be able to see what somebody saw who was deactivated. */
function hasPortal(clientId: string) {
  return and(
    eq(users.id, clientId),
    eq(users.accountType, "client"),
    inArray(users.accountStatus, ["active", "inactive"]),
    isNull(users.erasedAt),
  );
}

/** The newest entry of the two is of this hour. Read backwards by subject: it is among the first. */
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

/** Calls come at once, also at several servers: one of them writes, the others wait for it and find its row. */
async function auditOnce(db: Db, { clientId, by, details = {} }: Viewing & Pick<AuditEntry, "details">): Promise<void> {
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
