import { and, eq, exists, ne, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { accounts, sessions, users } from "../../db/schema";
import { insertAudit } from "../audit/mutations";
import { MESSAGES } from "../contract/messages";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";
import { queueMail } from "../mail/mutations";
import { notifyAccount } from "../realtime/notify";
import { createLinkToken, deleteLinks, findLinkOwner, type LinkKind, refusedLink, takeLink } from "./links";
import { lockPerson, setPassword } from "./mutations";
import { forgetBrowsers } from "./second-step";

const RESET: LinkKind = { name: "reset", minutes: 30, dead: MESSAGES.auth.resetLinkDead };

/**
 * Queues the mail with the reset link. The same row for every address, known or not: who it goes to, if anyone, is looked up
 * when it is sent, so that neither the answer nor its time reveals whether an account exists.
 */
export async function requestPasswordReset(db: Db, { email }: { email: string }): Promise<void> {
  await queueMail(db, { template: "password-reset", recipient: email });
}

/** A one-time token for that person, for 30 minutes. */
export function createResetToken(db: Db, { userId }: { userId: string }): Promise<string> {
  return createLinkToken(db, RESET, { ownerId: userId });
}

/** BAD_REQUEST for a reset link that does not work: spares the costly hash. */
export async function requireResetLink(db: Db, { token }: { token: string }): Promise<void> {
  if ((await findLinkOwner(db, RESET, { token })) === null) throw refusedLink(RESET);
}

/**
 * Uses the token up, sets the password, ends every session and every other reset link of that person. Of ten uses at once,
 * of one link or of several, one succeeds. The e-mail counts as verified, since the link came with it.
 */
export async function resetPassword(
  db: Db,
  { token, passwordHash }: { token: string; passwordHash: string },
): Promise<void> {
  await db.transaction(async (tx) => {
    const userId = await takeLink(tx, RESET, { token });
    await tx.update(users).set({ emailVerified: true, updatedAt: sql`now()` }).where(eq(users.id, userId));
    await setPassword(tx, { userId, passwordHash });
    await noteChangedPassword(tx, { userId, kind: "password.reset" });
  });
}

/**
 * Sets the own password and ends every session but the one that asks, provided that this session and the password that was
 * checked are still valid: a reset meanwhile wins (CONFLICT).
 */
export async function changePassword(
  db: Db,
  call: { actor: Actor; sessionId: string; checkedHash: string; passwordHash: string },
): Promise<void> {
  const { actor, sessionId, checkedHash, passwordHash } = call;
  await db.transaction(async (tx) => {
    await lockPerson(tx, { userId: actor.id });
    const [changed] = await tx
      .update(accounts)
      .set({ password: passwordHash, updatedAt: sql`now()` })
      .where(
        and(
          eq(accounts.userId, actor.id),
          eq(accounts.providerId, "credential"),
          eq(accounts.password, checkedHash),
          exists(tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, sessionId))),
        ),
      )
      .returning({ id: accounts.id });
    if (!changed) throw new DomainError("CONFLICT", MESSAGES.auth.passwordChangedMeanwhile);
    await tx.delete(sessions).where(and(eq(sessions.userId, actor.id), ne(sessions.id, sessionId)));
    await noteChangedPassword(tx, { userId: actor.id, kind: "password.changed" });
  });
}

async function noteChangedPassword(
  tx: Tx,
  { userId, kind }: { userId: string; kind: "password.reset" | "password.changed" },
): Promise<void> {
  // A link that was asked for before must not undo this.
  await deleteLinks(tx, RESET, { ownerId: userId });
  await forgetBrowsers(tx, { userId });
  await insertAudit(tx, { kind, actorId: userId, subjectId: userId });
  await queueMail(tx, { template: "password-changed", recipient: userId });
  await notifyAccount(tx, { userId });
}
