import type { TokenResult } from "@db/enums";
import { and, eq, notInArray, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { isoInstant } from "../../db/expressions";
import { repositories, repositoryTokens } from "../../db/schema";
import { insertAudit } from "../audit/mutations";
import { MESSAGES } from "../contract/messages";
import type { TokenStatus } from "../contract/views";
import type { Actor, TokenJudge } from "../core/context";
import { DomainError, ValidationError } from "../core/errors";
import type { SecretToken, Vault } from "../core/vault";
import { notifyRepository } from "../realtime/notify";
import { findPeople } from "../users/queries";
import type { Grant } from "./client";
import { requestSyncOfOwners } from "./sync-runs";

/** The organisation's token without the token. */
export async function findTokenStatus(db: Db | Tx): Promise<TokenStatus> {
  const [row] = await db
    .select({
      lastFour: repositoryTokens.lastFour,
      owners: repositoryTokens.owners,
      setBy: repositoryTokens.setBy,
      setAt: isoInstant(repositoryTokens.setAt),
      lastResult: repositoryTokens.lastResult,
      lastResultAt: isoInstant(repositoryTokens.lastResultAt),
    })
    .from(repositoryTokens);
  if (!row) return NO_TOKEN;
  const [setBy = null] = await findPeople(db, row.setBy ? [row.setBy] : []);
  return { configured: true, ...row, setBy };
}

const NO_TOKEN: TokenStatus = {
  configured: false,
  lastFour: null,
  owners: [],
  setBy: null,
  setAt: null,
  lastResult: null,
  lastResultAt: null,
};

/** The organisation's token in one's hand. */
export interface StoredGrant extends Grant {
  /** When it was set, to the microsecond: tells it from one that replaced it. Other owners leave it as it is. */
  setAt: string;
}

const setAt = sql<string>`${repositoryTokens.setAt}::text`;

/** The token, ready for use; null without one, and when it cannot be decrypted any more, which its status then tells. */
export async function findGrant(db: Db, vault: Vault): Promise<StoredGrant | null> {
  const { sealed, keyId, owners: storedOwners, lastResult } = repositoryTokens;
  const [row] = await db.select({ sealed, keyId, owners: storedOwners, lastResult, setAt }).from(repositoryTokens);
  if (!row) return null;
  const { owners } = row;
  const token = vault.open(row, boundTo(owners));
  if (!token) {
    await recordTokenResult(db, { setAt: row.setAt, result: "unreadable" });
    return null;
  }
  if (row.lastResult === "unreadable") await recordTokenResult(db, { setAt: row.setAt, result: "accepted" });
  if (row.keyId !== vault.currentKeyId) {
    // An older key is only good for reading: from now on it can go.
    const isSame = eq(repositoryTokens.sealed, row.sealed);
    await db
      .update(repositoryTokens)
      .set(vault.seal(token, boundTo(owners)))
      .where(isSame);
  }
  return { token, owners, setAt: row.setAt };
}

/**
 * Whether a token may still be used for an owner. Held until the transaction ends, so that whoever removes the token finds
 * what was read with it.
 */
export async function isStillGranted(
  tx: Tx,
  { owner, grant }: { owner: string; grant: Pick<StoredGrant, "setAt"> },
): Promise<boolean> {
  const [row] = await tx.select({ owners: repositoryTokens.owners, setAt }).from(repositoryTokens).for("share");
  return row?.setAt === grant.setAt && row.owners.includes(owner);
}

/** What GitHub said to the token of that time when it was used. Writes only what is new, and nothing about its successor. */
export async function recordTokenResult(
  db: Db,
  { setAt, result }: { setAt: string; result: TokenResult },
): Promise<void> {
  await db
    .update(repositoryTokens)
    .set({ lastResult: result, lastResultAt: sql`now()` })
    .where(
      and(sql`${repositoryTokens.lastResult} <> ${result}`, sql`${repositoryTokens.setAt} = ${setAt}::timestamptz`),
    );
}

interface TokenChange {
  owners: string[];
  by: Actor;
  vault: Vault;
  github: TokenJudge;
}

/**
 * Sets or replaces the organisation's token once GitHub has accepted it: BAD_REQUEST on the field when it does not,
 * SERVICE_UNAVAILABLE when it cannot be asked; the old one stays in both cases. Repositories of its owners are read anew.
 */
export async function setToken(
  db: Db,
  { token, owners, by, vault, github }: TokenChange & { token: SecretToken },
): Promise<TokenStatus> {
  requireAccepted(await github.checkToken(token));
  const row = { ...vault.seal(token, boundTo(owners)), lastFour: token.lastFour, owners, setBy: by.id };
  // By the clock, not the transaction's beginning: of two who wait for each other the later one has the later time.
  const now = { setAt: sql`clock_timestamp()`, lastResult: "accepted" as const, lastResultAt: sql`now()` };
  return db.transaction(async (tx) => {
    const before = await takeToken(tx);
    await tx
      .insert(repositoryTokens)
      .values({ ...row, ...now })
      .onConflictDoUpdate({ target: repositoryTokens.id, set: { ...row, ...now } });
    await requestSyncOfOwners(tx, [...new Set([...(before?.owners ?? []), ...owners])]);
    await withhold(tx, { allowed: owners });
    const details = { owners: owners.join(", "), replaced: before !== null };
    await insertAudit(tx, { kind: "repository-token.set", actorId: by.id, subjectId: null, details });
    return findTokenStatus(tx);
  });
}

/**
 * Other owners for the token that is there. GitHub is asked about it first, unless owners are only taken away, which must
 * always be possible. BAD_REQUEST on the token when there is none or it is of no use any more, CONFLICT when it was replaced
 * meanwhile. Repositories of the owners that came or went are read anew.
 */
export async function setOwners(db: Db, { owners, by, vault, github }: TokenChange): Promise<TokenStatus> {
  const grant = await findGrant(db, vault);
  if (!grant) {
    const { configured } = await findTokenStatus(db);
    throw tokenFault(configured ? MESSAGES.github.tokenUnreadable : MESSAGES.github.tokenRequired);
  }
  const isWider = owners.some((owner) => !grant.owners.includes(owner));
  if (isWider) {
    const verdict = await github.checkToken(grant.token);
    if (verdict !== "unanswered") await recordTokenResult(db, { setAt: grant.setAt, result: verdict });
    requireAccepted(verdict);
  }
  return db.transaction(async (tx) => {
    const before = await takeToken(tx);
    if (!before) throw tokenFault(MESSAGES.github.tokenRequired);
    if (before.setAt !== grant.setAt) {
      throw new DomainError("CONFLICT", MESSAGES.general.changedMeanwhile("The repository token"), {
        reason: "stale-version",
      });
    }
    await tx.update(repositoryTokens).set({ ...vault.seal(grant.token, boundTo(owners)), owners });
    const went = before.owners.filter((owner) => !owners.includes(owner));
    const came = owners.filter((owner) => !before.owners.includes(owner));
    await requestSyncOfOwners(tx, [...went, ...came]);
    await withhold(tx, { allowed: owners });
    const details = { owners: owners.join(", "), before: before.owners.join(", ") };
    await insertAudit(tx, { kind: "repository-token.owners-set", actorId: by.id, subjectId: null, details });
    return findTokenStatus(tx);
  });
}

function requireAccepted(verdict: Awaited<ReturnType<TokenJudge["checkToken"]>>): void {
  if (verdict === "refused") throw tokenFault(MESSAGES.github.tokenRefused);
  if (verdict === "unanswered") throw new DomainError("SERVICE_UNAVAILABLE", MESSAGES.github.tokenUnchecked);
}

function tokenFault(message: string): ValidationError {
  return new ValidationError({ token: [message] });
}

/** Removes it; what was read with it is no longer shown. Without one nothing happens. */
export async function removeToken(db: Db, { by }: { by: Actor }): Promise<TokenStatus> {
  return db.transaction(async (tx) => {
    const before = await takeToken(tx);
    if (!before) return NO_TOKEN;
    await tx.delete(repositoryTokens);
    await requestSyncOfOwners(tx, before.owners);
    await withhold(tx, { allowed: [] });
    await insertAudit(tx, { kind: "repository-token.removed", actorId: by.id, subjectId: null });
    return NO_TOKEN;
  });
}

/** The token that is there, whose row is then held: two admins take turns. */
async function takeToken(tx: Tx): Promise<{ owners: string[]; setAt: string } | null> {
  const [row] = await tx.select({ owners: repositoryTokens.owners, setAt }).from(repositoryTokens).for("update");
  return row ?? null;
}

/** What was read with a token is shown no longer than the token may be used for its owner, and again once it may. */
async function withhold(tx: Tx, { allowed }: { allowed: string[] }): Promise<void> {
  const isForbidden = allowed.length > 0 ? notInArray(repositories.owner, allowed) : sql`true`;
  const changed = await tx
    .update(repositories)
    .set({ withheld: isForbidden, changeSeq: sql`${repositories.changeSeq} + 1` })
    .where(and(repositories.readWithToken, sql`${repositories.withheld} <> (${isForbidden})`))
    .returning({ id: repositories.id });
  for (const { id } of changed) await notifyRepository(tx, { repositoryId: id });
}

/** A sealed token opens with its own owners only: whoever could write to the table could not widen its use. */
function boundTo(owners: readonly string[]): string {
  return `repository token of the organisation for ${owners.join(",")}`;
}
