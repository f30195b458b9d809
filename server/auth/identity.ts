import { and, eq, gt, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { isoInstant } from "../../db/expressions";
import { sessions } from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import type { ConfirmIdentity } from "../contract/two-factor";
import type { Actor, Context } from "../core/context";
import { ValidationError } from "../core/errors";
import { sessionEnded } from "../core/procedures";
import { countingFailures, isWrongSecret } from "./failed-attempts";
import { findPasswordHash } from "./queries";
import { takeCode } from "./two-factor";

/** How long signing in, or confirming one's identity, counts as a fresh proof. */
const PROOF_HOLDS = sql`interval '15 minutes'`;
/** PostgreSQL's `greatest` passes over a null. */
const provedAt = sql<Date>`greatest(${sessions.createdAt}, ${sessions.identityConfirmedAt})`;

/** Whether the person of a session has signed in or confirmed their identity within 15 minutes. */
export async function hasFreshProof(db: Db, { sessionId }: { sessionId: string }): Promise<boolean> {
  const [fresh] = await db
    .select({ id: sessions.id })
    .from(sessions)
    .where(and(eq(sessions.id, sessionId), gt(provedAt, sql`now() - ${PROOF_HOLDS}`)));
  return fresh !== undefined;
}

/** What a check of somebody's own password or code needs of their call. */
type OwnCall = Pick<Context, "db" | "auth" | "vault" | "limits" | "address"> & { actor: Actor };

/** Checks a proof and notes it in the session: until when it counts. A wrong one is counted, and refused by its field. */
export async function confirmIdentity(
  ctx: OwnCall & { sessionId: string },
  { password, code = "" }: ConfirmIdentity,
): Promise<{ until: string }> {
  if (password === undefined) await requireOwnCode(ctx, code);
  else await requireOwnPassword(ctx, password);
  const [confirmed] = await ctx.db
    .update(sessions)
    .set({ identityConfirmedAt: sql`now()` })
    .where(eq(sessions.id, ctx.sessionId))
    .returning({ until: isoInstant(sql<Date>`(now() + ${PROOF_HOLDS})`) });
  if (!confirmed) throw sessionEnded();
  return confirmed;
}

/** Resolves when it is the caller's password; else counts a failed attempt and throws for the field `password`. */
export async function requireOwnPassword(ctx: OwnCall, password: string): Promise<void> {
  const check = async () => {
    const hash = await findPasswordHash(ctx.db, { userId: ctx.actor.id });
    if (hash === null) throw new ValidationError({ password: [MESSAGES.twoFactor.noPassword] });
    if (!(await ctx.auth.verifyPassword({ password, hash })))
      throw new ValidationError({ password: [MESSAGES.twoFactor.wrongPassword] });
  };
  await ctx.auth.withHashSlot(ctx.address, () =>
    countingFailures(ctx, { account: ctx.actor.id, check, isWrong: isWrongSecret }),
  );
}

/** Resolves when it is a code of the caller's, used up now; else counts a failed attempt and throws for the field `code`. */
export function requireOwnCode(ctx: Omit<OwnCall, "auth">, code: string): Promise<void> {
  const { db, vault, actor } = ctx;
  return requireRightCode(ctx, () => takeCode(db, { vault, userId: actor.id, code }));
}

/** Resolves when the check says that the code is right; else counts a failed attempt and throws for the field `code`. */
export async function requireRightCode(
  ctx: Pick<OwnCall, "limits" | "address"> & { actor: { id: string } },
  isRight: () => Promise<boolean>,
): Promise<void> {
  const check = async () => {
    if (!(await isRight())) throw new ValidationError({ code: [MESSAGES.twoFactor.wrongCode] });
  };
  await countingFailures(ctx, { account: ctx.actor.id, limit: "codeFailure", check, isWrong: isWrongSecret });
}
