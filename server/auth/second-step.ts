import type { AccountStatus } from "@db/enums";
import { parseCookies } from "better-auth/cookies";
import { and, eq, isNotNull, isNull, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { twoFactors, users } from "../../db/schema";
import { insertAudit } from "../audit/mutations";
import { MESSAGES } from "../contract/messages";
import type { VerifyTwoFactor } from "../contract/two-factor";
import type { Context, PassedChallenge } from "../core/context";
import { DomainError } from "../core/errors";
import { queueMail } from "../mail/mutations";
import { notifyAccount } from "../realtime/notify";
import { hasTwoFactor } from "../users/queries";
import { countingFailures, isWrongSecret } from "./failed-attempts";
import { requireRightCode } from "./identity";
import { createLinkToken, deleteLinks, findLinkOwner, type LinkKind, ownsLink, takeLink } from "./links";
import { isSamePassword, lockPerson } from "./mutations";
import { findPasswordHash } from "./queries";
import { takeCode } from "./two-factor";

/** Long enough to fetch a phone from another room. */
const CHALLENGE_MINUTES = 10;
const REMEMBERED_DAYS = 30;

/** The second step of a sign-in that was asked to last, and of one that was not. */
const LASTING: LinkKind = {
  name: "sign-in-remembered",
  minutes: CHALLENGE_MINUTES,
  dead: MESSAGES.twoFactor.signInExpired,
};
const PASSING: LinkKind = { ...LASTING, name: "sign-in" };
/** A browser in which that person is asked for no code. */
const BROWSER: LinkKind = {
  name: "browser",
  minutes: REMEMBERED_DAYS * 24 * 60,
  dead: MESSAGES.twoFactor.signInExpired,
};

/**
 * What a sign-in depends on once its password, or its Google account, was checked: the account's status and username, null when there
 * is no such person, and whether a code is asked for, which a remembered browser spares.
 */
export async function findSignInState(
  db: Db,
  { id, headers }: { id: string; headers: Headers | undefined },
): Promise<{ status: AccountStatus | null; username: string | null; asksForCode: boolean }> {
  const token = headers && readBrowserCookie(headers);
  const isRemembered = token ? ownsLink(BROWSER, { token }) : sql`false`;
  const [row] = await db
    .select({
      status: users.accountStatus,
      username: users.username,
      asksForCode: sql<boolean>`(${hasTwoFactor} and not ${isRemembered})`,
    })
    .from(users)
    .where(and(eq(users.id, id), isNull(users.erasedAt)));
  return row ?? { status: null, username: null, asksForCode: false };
}

/**
 * What the second step of a person's sign-in is begun with: for ten minutes, once, and only while the password that was checked is
 * theirs. Null when it no longer is.
 */
export async function createChallenge(
  db: Db,
  { userId, passwordHash, rememberMe }: { userId: string; passwordHash?: string; rememberMe: boolean },
): Promise<string | null> {
  return db.transaction(async (tx) => {
    await lockPerson(tx, { userId });
    if (passwordHash !== undefined && !(await isSamePassword(tx, { userId, passwordHash }))) return null;
    return createLinkToken(tx, rememberMe ? LASTING : PASSING, { ownerId: userId });
  });
}

/**
 * The second step: checks the code, uses up code and challenge, and answers who has signed in, with a token for a browser that is to
 * be remembered. Wrong codes are counted and leave the challenge as it is.
 */
export async function passChallenge(
  ctx: Pick<Context, "db" | "vault" | "limits" | "address">,
  { challenge, code, rememberBrowser }: VerifyTwoFactor,
): Promise<PassedChallenge & { rememberedBrowser: string | null }> {
  const { db, vault } = ctx;
  const { kind, userId } = await countingFailures(ctx, {
    account: null,
    check: () => findChallenge(db, challenge),
    isWrong: isWrongSecret,
  });
  await requireRightCode({ ...ctx, actor: { id: userId } }, () => takeCode(db, { vault, userId, code }));
  return db.transaction(async (tx) => {
    await takeLink(tx, kind, { token: challenge }).catch(() => {
      throw expired();
    });
    return {
      userId,
      passwordHash: await findPasswordHash(tx, { userId }),
      rememberMe: kind === LASTING,
      rememberedBrowser: rememberBrowser ? await createLinkToken(tx, BROWSER, { ownerId: userId }) : null,
    };
  });
}

async function findChallenge(db: Db, token: string): Promise<{ kind: LinkKind; userId: string }> {
  for (const kind of [LASTING, PASSING]) {
    const userId = await findLinkOwner(db, kind, { token });
    if (userId !== null) return { kind, userId };
  }
  throw expired();
}

function expired(): DomainError {
  return new DomainError("UNAUTHORIZED", MESSAGES.twoFactor.signInExpired, { reason: "sign-in-expired" });
}

/** Every browser asks that person for a code again, and sign-ins that wait for one have to begin anew. */
export async function forgetBrowsers(tx: Tx, { userId }: { userId: string }): Promise<void> {
  for (const kind of [BROWSER, LASTING, PASSING]) await deleteLinks(tx, kind, { ownerId: userId });
}

/**
 * Removes a person's authenticator, recovery codes and remembered browsers, and tells them by mail. `actorId` null: whoever runs
 * the server. NOT_FOUND for nobody, CONFLICT when there is none.
 */
export async function removeTwoFactor(
  db: Db,
  { userId, actorId }: { userId: string; actorId: string | null },
): Promise<void> {
  await db.transaction(async (tx) => {
    if (!(await lockPerson(tx, { userId }))) throw new DomainError("NOT_FOUND", MESSAGES.users.notFound);
    const [removed] = await tx
      .delete(twoFactors)
      .where(and(eq(twoFactors.userId, userId), isNotNull(twoFactors.enabledAt)))
      .returning({ userId: twoFactors.userId });
    if (!removed) throw new DomainError("CONFLICT", MESSAGES.twoFactor.notOn);
    await forgetBrowsers(tx, { userId });
    const isOwn = actorId === userId;
    await insertAudit(tx, { kind: isOwn ? "two-factor.disabled" : "two-factor.reset", actorId, subjectId: userId });
    await queueMail(tx, { template: isOwn ? "two-factor-off" : "two-factor-reset", recipient: userId });
    await notifyAccount(tx, { userId });
  });
}

const BROWSER_COOKIE = "sangam.remembered_browser";

function readBrowserCookie(headers: Headers): string | undefined {
  return parseCookies(headers.get("cookie") ?? "").get(BROWSER_COOKIE);
}

/** The cookie of a remembered browser. Only its token's hash is stored, so that it needs no signature. */
export function browserCookie(token: string, { secure }: { secure: boolean }): string {
  const attributes = ["Path=/api", "HttpOnly", "SameSite=Lax", ...(secure ? ["Secure"] : [])];
  return [`${BROWSER_COOKIE}=${token}`, `Max-Age=${REMEMBERED_DAYS * 86_400}`, ...attributes].join("; ");
}
