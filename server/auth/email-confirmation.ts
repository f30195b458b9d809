import { and, eq, isNull, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { users } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import { queueMail } from "../mail/mutations";
import { notifyAccount } from "../realtime/notify";
import { createLinkToken, type LinkKind, refusedLink, takeLink } from "./links";

const CONFIRMATION: LinkKind = { name: "confirm", minutes: 24 * 60, dead: MESSAGES.emailConfirmation.linkDead };

/**
 * Queues the mail with the confirmation link. The same row for every address, known or not: whether there is anything to
 * confirm is looked up when it is sent, so that neither the answer nor its time reveals whether an account exists.
 */
export async function requestConfirmation(db: Db, { email }: { email: string }): Promise<void> {
  await queueMail(db, { template: "email-confirmation", recipient: email });
}

/** A one-time token for that person, for 24 hours. */
export function createConfirmationToken(db: Db, { userId }: { userId: string }): Promise<string> {
  return createLinkToken(db, CONFIRMATION, { ownerId: userId });
}

/**
 * The address is the person's: they had the link from it. Uses up this link and every other one of theirs; nothing else of
 * the account changes, and nobody is signed in. BAD_REQUEST for a link that does not work.
 */
export async function confirmEmail(db: Db, { token }: { token: string }): Promise<void> {
  await db.transaction(async (tx) => {
    const userId = await takeLink(tx, CONFIRMATION, { token });
    const [confirmed] = await tx
      .update(users)
      .set({ emailVerified: true, updatedAt: sql`now()` })
      .where(and(eq(users.id, userId), isNull(users.erasedAt)))
      .returning({ id: users.id });
    if (!confirmed) throw refusedLink(CONFIRMATION);
    await notifyAccount(tx, { userId });
  });
}
