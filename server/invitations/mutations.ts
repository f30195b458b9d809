import { and, eq, isNull, notInArray, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { instantAfter } from "../../db/expressions";
import { invitations, users } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { insertAudit } from "../audit/mutations";
import { lockPerson } from "../auth/mutations";
import type { Invite } from "../contract/invitations";
import { MESSAGES } from "../contract/messages";
import { KNOWN_ADDRESS } from "../contract/messages/invitations";
import { MAX_CLIENT_PEOPLE } from "../contract/projects";
import type { Actor } from "../core/context";
import { DomainError, ValidationError } from "../core/errors";
import { queueMail } from "../mail/mutations";
import { INVITATION_TEMPLATE } from "../mail/templates";
import { notifyAccount } from "../realtime/notify";
import { findAccount, findChosenProjects, lacksSignInMethod } from "./queries";

/** How long an invitation and its links hold. */
export const VALID_DAYS = 7;
const validUntil = instantAfter(sql`now()`, VALID_DAYS * 24 * 3600);

/**
 * Invites somebody who has no account: the row, the audit and the mail in one transaction. CONFLICT for an address that is known
 * or invited already.
 */
export async function invitePerson(
  db: Db,
  { email, name, accountType, projectIds = [], by }: Invite & { by: Actor },
): Promise<void> {
  await db.transaction(async (tx) => {
    const known = await findAccount(tx, { email });
    if (known) throw refusedAccount(known);
    await requireProjects(tx, { projectIds, accountType });
    const [made] = await tx
      .insert(invitations)
      .values({ email, name, accountType, projectIds, invitedBy: by.id, expiresAt: validUntil })
      .onConflictDoNothing({ target: invitations.email })
      .returning({ id: invitations.id });
    if (!made) throw new DomainError("CONFLICT", MESSAGES.invitations.alreadyInvited, { reason: "already-invited" });
    await announceSent(tx, { invitationId: made.id, userId: null, by: by.id, details: { accountType } });
  });
}

/** Sends a new link, in the name of the admin who asks. NOT_FOUND when the invitation was accepted or withdrawn. */
export async function resendInvitation(
  db: Db,
  { invitationId, by }: { invitationId: string; by: Actor },
): Promise<void> {
  await db.transaction(async (tx) => {
    const [renewed] = await tx
      .update(invitations)
      .set({ invitedBy: by.id, expiresAt: validUntil, updatedAt: sql`now()` })
      .where(eq(invitations.id, invitationId))
      .returning({ userId: invitations.userId });
    if (!renewed) throw notFound();
    await announceSent(tx, { invitationId, ...renewed, by: by.id, details: { again: true } });
  });
}

/** Its links are dead from the commit on. NOT_FOUND when it was accepted or withdrawn already. */
export async function withdrawInvitation(
  db: Db,
  { invitationId, by }: { invitationId: string; by: Actor },
): Promise<void> {
  await db.transaction(async (tx) => {
    const [gone] = await tx
      .delete(invitations)
      .where(eq(invitations.id, invitationId))
      .returning({ userId: invitations.userId });
    if (!gone) throw notFound();
    const subjectId = gone.userId ?? invitationId;
    await insertAudit(tx, { kind: "invitation.withdrawn", actorId: by.id, subjectId });
    await notifyAccount(tx, { userId: subjectId });
  });
}

/** Invites an imported person, or sends them a new link. CONFLICT for an account that is not active or can sign in already. */
export async function invitePersonOfAccount(db: Db, { userId, by }: { userId: string; by: Actor }): Promise<void> {
  await db.transaction(async (tx) => {
    // Before the invitation, as whoever accepts it or changes the account does.
    await lockPerson(tx, { userId });
    const person = await findAccount(tx, { id: userId });
    if (!person) throw new DomainError("NOT_FOUND", MESSAGES.users.notFound);
    if (person.hasSignInMethod)
      throw new DomainError("CONFLICT", MESSAGES.invitations.canSignIn, { reason: "account-exists" });
    if (person.accountStatus !== "active")
      throw new DomainError("CONFLICT", MESSAGES.invitations.notActive(person.accountStatus), {
        reason: "already-decided",
      });
    await openAccountInvitation(tx, { person, by: by.id });
  });
}

type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

/**
 * Invites every imported person who is active, cannot sign in and was never invited: once each, however often it is called. In
 * batches, each a transaction of its own. Returns how many.
 */
export async function inviteImportedPeople(db: Db | Tx): Promise<number> {
  for (let invited = 0; ; ) {
    const count = await db.transaction(inviteBatch);
    if (count === 0) return invited;
    invited += count;
  }
}

const BATCH = 100;

async function inviteBatch(tx: Tx): Promise<number> {
  const { id, name, email, accountType } = users;
  const people = await tx
    .select({ id, name, email, accountType })
    .from(users)
    .where(
      and(
        eq(users.accountStatus, "active"),
        isNull(users.erasedAt),
        isNull(users.invitedAt),
        lacksSignInMethod(tx),
        notInArray(email, tx.select({ email: invitations.email }).from(invitations)),
      ),
    )
    .orderBy(users.createdAt, users.id)
    .limit(BATCH)
    .for("no key update");
  for (const person of people) await openAccountInvitation(tx, { person, by: null });
  return people.length;
}

async function openAccountInvitation(
  tx: Tx,
  { person, by }: { person: Pick<Account, "id" | "name" | "email" | "accountType">; by: string | null },
): Promise<void> {
  const { id: userId, name, email, accountType } = person;
  const renewed = { userId, invitedBy: by, expiresAt: validUntil, updatedAt: sql`now()` };
  const [opened] = await tx
    .insert(invitations)
    .values(columnsOf(invitations, { name, email, accountType, ...renewed }))
    // Invited by email before the import brought the account, or invited again.
    .onConflictDoUpdate({ target: invitations.email, set: renewed })
    .returning({ id: invitations.id });
  if (!opened) throw new Error("no invitation was opened");
  await tx.update(users).set({ invitedAt: sql`now()`, updatedAt: sql`now()` }).where(eq(users.id, userId));
  await announceSent(tx, { invitationId: opened.id, userId, by, details: {} });
}

interface Sent {
  invitationId: string;
  userId: string | null;
  by: string | null;
  details: Record<string, string | boolean>;
}

async function announceSent(tx: Tx, { invitationId, userId, by, details }: Sent): Promise<void> {
  // Who has no account yet will have the invitation's id.
  const subjectId = userId ?? invitationId;
  await queueMail(tx, { template: INVITATION_TEMPLATE, recipient: invitationId });
  await insertAudit(tx, { kind: "invitation.sent", actorId: by, subjectId, details });
  await notifyAccount(tx, { userId: subjectId });
}

/** The chosen projects exist; for a client, each has room for one more of the client's people. */
async function requireProjects(
  tx: Tx,
  { projectIds, accountType }: { projectIds: string[]; accountType: Invite["accountType"] },
): Promise<void> {
  const chosen = await findChosenProjects(tx, { projectIds });
  const { projectGone, noRoom } = MESSAGES.invitations;
  const full = accountType === "client" ? chosen.filter(({ clientPeople }) => clientPeople >= MAX_CLIENT_PEOPLE) : [];
  const errors = [
    ...(chosen.length < projectIds.length ? [projectGone] : []),
    ...(full.length > 0 ? [noRoom(full.map(({ title }) => title).join(", "))] : []),
  ];
  if (errors.length > 0) throw new ValidationError<Invite>({ projectIds: errors });
}

function refusedAccount({ accountStatus, hasSignInMethod }: Account): DomainError {
  const sentence =
    accountStatus === "active" && !hasSignInMethod ? MESSAGES.invitations.imported : KNOWN_ADDRESS[accountStatus];
  return new DomainError("CONFLICT", sentence, { reason: "account-exists" });
}

function notFound(): DomainError {
  return new DomainError("NOT_FOUND", MESSAGES.invitations.notFound);
}
