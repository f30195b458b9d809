import { createHash, randomBytes } from "node:crypto";
import { and, eq, exists, gt, like, ne, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { accounts, sessions, users, verifications } from "../../db/schema";
import { insertAudit } from "../audit/queries";
import { MESSAGES } from "../contract/messages";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";
import { queueMail } from "../mail/queries";
import { announceAccount } from "../realtime/notify";
import { lockPerson } from "./mutations";

const RESET_MINUTES = 30;
const RESET_PREFIX = "reset:";

/**
 * Queues the mail with the reset link. The same row for every address, known or not: who it goes to, if anyone, is looked up
 * when it is sent, so that neither the answer nor its time tells whether an account exists.
 */
export async function requestPasswordReset(db: Db, { email }: { email: string }): Promise<void> {
  await queueMail(db, { template: "password-reset", recipient: email });
}

/** A one-time token for that person, for 30 minutes; only its hash is kept. */
export async function createResetToken(db: Db, { userId }: { userId: string }): Promise<string> {
  const token = randomBytes(32).toString("base64url");
  await db.insert(verifications).values({
    identifier: resetIdentifier(token),
    value: userId,
    expiresAt: sql`now() + make_interval(mins => ${RESET_MINUTES})`,
  });
  return token;
}

/** Whether a reset link still works; spares the costly hash for those that do not. */
export async function isResetTokenAlive(db: Db, { token }: { token: string }): Promise<boolean> {
  return (await findResetOwner(db, { token })) !== null;
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
    const owner = await findResetOwner(tx, { token });
    const userId = owner && (await lockPerson(tx, { userId: owner }));
    // Looked up again: whoever held the lock before may have used the link up.
    if (!userId || !(await findResetOwner(tx, { token }))) {
      throw new DomainError("BAD_REQUEST", MESSAGES.auth.resetLinkDead);
    }
    await tx.update(users).set({ emailVerified: true, updatedAt: sql`now()` }).where(eq(users.id, userId));
    await tx
      .insert(accounts)
      .values({ userId, accountId: userId, providerId: "credential", password: passwordHash })
      .onConflictDoUpdate({
        target: [accounts.providerId, accounts.accountId],
        set: { password: passwordHash, updatedAt: sql`now()` },
      });
    await tx.delete(sessions).where(eq(sessions.userId, userId));
    await noteChangedPassword(tx, { userId, kind: "password.reset" });
  });
}

/**
 * Sets the own password and ends every session but the one that asks, provided that this session and the password that was
 * checked still stand: a reset meanwhile wins (CONFLICT).
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

/** The person whom a link that still works belongs to. */
async function findResetOwner(db: Db | Tx, { token }: { token: string }): Promise<string | null> {
  const [row] = await db
    .select({ userId: verifications.value })
    .from(verifications)
    .where(and(eq(verifications.identifier, resetIdentifier(token)), gt(verifications.expiresAt, sql`now()`)));
  return row?.userId ?? null;
}

function resetIdentifier(token: string): string {
  return `${RESET_PREFIX}${createHash("sha256").update(token).digest("hex")}`;
}

async function noteChangedPassword(
  tx: Tx,
  { userId, kind }: { userId: string; kind: "password.reset" | "password.changed" },
): Promise<void> {
  // A link that was asked for before must not undo this.
  await tx
    .delete(verifications)
    .where(and(like(verifications.identifier, `${RESET_PREFIX}%`), eq(verifications.value, userId)));
  await insertAudit(tx, { kind, actorId: userId, subjectId: userId });
  await queueMail(tx, { template: "password-changed", recipient: userId });
  await announceAccount(tx, { userId });
}
