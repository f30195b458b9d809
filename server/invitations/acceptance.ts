import { eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { invitations, users } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { insertAudit } from "../audit/mutations";
import { createLinkToken, deleteLinks, findLinkOwner, type LinkKind, refusedLink } from "../auth/links";
import { insertAccount, lockPerson, setPassword } from "../auth/mutations";
import { TERMS_VERSION } from "../contract/accounts";
import { MESSAGES } from "../contract/messages";
import { DomainError } from "../core/errors";
import { settleSignUp } from "../notifications/settle";
import { joinProjects } from "../projects/members";
import { notifyAccount } from "../realtime/notify";
import { VALID_DAYS } from "./mutations";
import { findAccount, findBackedInvitation } from "./queries";

const INVITATION: LinkKind = {
  name: "invitation",
  minutes: VALID_DAYS * 24 * 60,
  dead: MESSAGES.invitations.linkDead,
};

type InvitationRow = typeof invitations.$inferSelect;
type Account = NonNullable<Awaited<ReturnType<typeof findAccount>>>;

/** A one-time token of that invitation, for 7 days. */
export function createInvitationToken(db: Db, { invitationId }: { invitationId: string }): Promise<string> {
  return createLinkToken(db, INVITATION, { ownerId: invitationId });
}

/** BAD_REQUEST for a link that does not work: spares the costly hash. */
export async function requireInvitationLink(db: Db, { token }: { token: string }): Promise<void> {
  if ((await findLinkOwner(db, INVITATION, { token })) === null) throw refusedLink(INVITATION);
}

/**
 * Opens an active account with that password, in the chosen projects: a new one, that of an imported person, or that of somebody
 * who has signed up with the address meanwhile, whom the invitation approves. The address counts as verified, since the link came
 * with it. Of several uses at once one succeeds. BAD_REQUEST, `link-expired`, also when the invitation was withdrawn, its inviter is
 * no longer an active admin, or the account was decided on otherwise; CONFLICT, `account-exists`, when it can sign in already.
 */
export async function acceptInvitation(
  db: Db,
  { token, passwordHash }: { token: string; passwordHash: string },
): Promise<{ email: string }> {
  return db.transaction(async (tx) => {
    const { invitation, account } = await takeInvitation(tx, { token });
    const person = account
      ? await openAccount(tx, { account, invitation, passwordHash })
      : await makeAccount(tx, { invitation, passwordHash });
    const { invitedBy, projectIds, email } = invitation;
    const joined = invitedBy ? await joinProjects(tx, { projectIds, person, by: invitedBy }) : [];
    const { id, accountType } = person;
    const details = { accountType, projects: joined.length, passedOver: projectIds.length - joined.length };
    await insertAudit(tx, { kind: "invitation.accepted", actorId: id, subjectId: id, details });
    await notifyAccount(tx, { userId: id });
    return { email };
  });
}

/** Deletes the invitation, which only one use can do. Locks the account first, like a decision about it. */
async function takeInvitation(
  tx: Tx,
  { token }: { token: string },
): Promise<{ invitation: InvitationRow; account: Account | null }> {
  const invitationId = await findLinkOwner(tx, INVITATION, { token });
  const found = invitationId === null ? null : await findBackedInvitation(tx, { invitationId });
  if (invitationId === null || !found) throw refusedLink(INVITATION);
  const known = await findAccount(tx, found);
  if (known) await lockPerson(tx, { userId: known.id });
  const [invitation] = await tx.delete(invitations).where(eq(invitations.id, invitationId)).returning();
  if (!invitation) throw refusedLink(INVITATION);
  await deleteLinks(tx, INVITATION, { ownerId: invitationId });
  // Read again under the lock: it may have been decided on meanwhile.
  return { invitation, account: known && (await findAccount(tx, known)) };
}

interface Opening {
  invitation: InvitationRow;
  passwordHash: string;
}

async function makeAccount(
  tx: Tx,
  { invitation, passwordHash }: Opening,
): Promise<Pick<Account, "id" | "accountType">> {
  const { id, name, email, accountType, invitedBy, createdAt } = invitation;
  const made = await insertAccount(tx, {
    ...{ id, name, email, accountType, passwordHash },
    mobile: null,
    accountStatus: "active",
    emailVerified: true,
    decidedBy: invitedBy,
    decidedAt: new Date(),
    invitedAt: createdAt,
  });
  if (!made) throw accountExists();
  return { id, accountType };
}

async function openAccount(
  tx: Tx,
  { account, invitation, passwordHash }: Opening & { account: Account },
): Promise<Pick<Account, "id" | "accountType">> {
  const { id: userId, accountStatus, hasSignInMethod } = account;
  const isPending = accountStatus === "pending";
  if (accountStatus === "inactive" || accountStatus === "rejected") throw refusedLink(INVITATION);
  if (!isPending && hasSignInMethod) throw accountExists();
  const accountType = isPending ? invitation.accountType : account.accountType;
  const decision = {
    accountType,
    accountStatus: "active" as const,
    decidedBy: invitation.invitedBy,
    decidedAt: sql`now()`,
  };
  await setPassword(tx, { userId, passwordHash });
  await tx
    .update(users)
    .set(
      columnsOf(users, {
        ...(isPending && decision),
        emailVerified: true,
        agreeToTerms: true,
        termsVersion: TERMS_VERSION,
        termsAcceptedAt: sql`now()`,
        invitedAt: invitation.createdAt,
        updatedAt: sql`now()`,
      }),
    )
    .where(eq(users.id, userId));
  if (isPending) await settleSignUp(tx, { userId });
  return { id: userId, accountType };
}

function accountExists(): DomainError {
  return new DomainError("CONFLICT", MESSAGES.invitations.haveAccount, { reason: "account-exists" });
}
