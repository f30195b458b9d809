import type { TokenResult } from "@db/enums";
import { and, eq, notInArray, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { repositories, repositoryTokens } from "../../db/schema";
import { insertAudit } from "../audit/queries";
import { MESSAGES } from "../contract/messages";
import type { TokenStatus } from "../contract/views";
import type { Actor, TokenJudge } from "../core/context";
import { DomainError, ValidationError } from "../core/errors";
import type { SecretToken, Vault } from "../core/vault";
import { announceRepository } from "../realtime/notify";
import { findPeople } from "../users/queries";
import type { Grant } from "./client";
import { wantOfOwners } from "./flights";

/** The organisation's token without the token. */
export async function findTokenStatus(db: Db | Tx): Promise<TokenStatus> {
  const [row] = await db
    .select({
      lastFour: repositoryTokens.lastFour,
      owners: repositoryTokens.owners,
      setBy: repositoryTokens.setBy,
      setAt: repositoryTokens.setAt,
      lastResult: repositoryTokens.lastResult,
      lastResultAt: repositoryTokens.lastResultAt,
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

/** The token, ready for use; null without one, and when it cannot be decrypted any more, which its status then tells. */
export async function findGrant(db: Db, vault: Vault): Promise<Grant | null> {
  const [row] = await db
    .select({ sealed: repositoryTokens.sealed, keyId: repositoryTokens.keyId, owners: repositoryTokens.owners })
    .from(repositoryTokens);
  if (!row) return null;
  const { owners } = row;
  const token = vault.open(row, boundTo(owners));
  if (!token) {
    await recordTokenResult(db, { sealed: row.sealed, result: "unreadable" });
    return null;
  }
  if (row.keyId !== vault.currentKeyId) {
    // An older key is only good for reading: from now on it can go.
    const isSame = eq(repositoryTokens.sealed, row.sealed);
    await db
      .update(repositoryTokens)
      .set(vault.seal(token, boundTo(owners)))
      .where(isSame);
  }
  return { token, owners };
}

/**
 * Whether the token may still be used for an owner. Held until the transaction ends, so that whoever removes the token finds
 * what was read with it.
 */
export async function isStillGranted(tx: Tx, owner: string): Promise<boolean> {
  const [row] = await tx.select({ owners: repositoryTokens.owners }).from(repositoryTokens).for("share");
  return row?.owners.includes(owner) ?? false;
}

/** What GitHub said to the token when it was used. Writes only what is new. */
export async function recordTokenResult(
  db: Db,
  { sealed, result }: { sealed?: string; result: TokenResult },
): Promise<void> {
  await db
    .update(repositoryTokens)
    .set({ lastResult: result, lastResultAt: sql`now()` })
    .where(
      and(sql`${repositoryTokens.lastResult} <> ${result}`, sealed ? eq(repositoryTokens.sealed, sealed) : undefined),
    );
}

/**
 * Sets or replaces the organisation's token once GitHub has accepted it: BAD_REQUEST on the field when it does not,
 * SERVICE_UNAVAILABLE when it cannot be asked; the old one stays in both cases. Repositories of its owners are read anew.
 */
export async function setToken(
  db: Db,
  {
    token,
    owners,
    by,
    vault,
    github,
  }: { token: SecretToken; owners: string[]; by: Actor; vault: Vault; github: TokenJudge },
): Promise<TokenStatus> {
  const verdict = await github.checkToken(token);
  if (verdict === "refused") throw new ValidationError({ token: [MESSAGES.github.tokenRefused] });
  if (verdict === "unanswered") throw new DomainError("SERVICE_UNAVAILABLE", MESSAGES.github.tokenUnchecked);
  const row = { ...vault.seal(token, boundTo(owners)), lastFour: token.lastFour, owners, setBy: by.id };
  const now = { setAt: sql`now()`, lastResult: "accepted" as const, lastResultAt: sql`now()` };
  return db.transaction(async (tx) => {
    const before = await takeOwners(tx);
    await tx
      .insert(repositoryTokens)
      .values({ ...row, ...now })
      .onConflictDoUpdate({ target: repositoryTokens.id, set: { ...row, ...now } });
    await wantOfOwners(tx, [...new Set([...before, ...owners])]);
    await withhold(tx, { allowed: owners });
    const details = { owners: owners.join(", "), replaced: before.length > 0 };
    await insertAudit(tx, { kind: "repository-token.set", actorId: by.id, subjectId: null, details });
    return findTokenStatus(tx);
  });
}

/** Removes it; what was read with it is no longer shown. Without one nothing happens. */
export async function removeToken(db: Db, { by }: { by: Actor }): Promise<TokenStatus> {
  return db.transaction(async (tx) => {
    const before = await takeOwners(tx);
    const gone = await tx.delete(repositoryTokens).returning({ id: repositoryTokens.id });
    if (gone.length === 0) return NO_TOKEN;
    await wantOfOwners(tx, before);
    await withhold(tx, { allowed: [] });
    await insertAudit(tx, { kind: "repository-token.removed", actorId: by.id, subjectId: null });
    return NO_TOKEN;
  });
}

/** The owners of the token that is there, whose row is then held: two admins take turns. */
async function takeOwners(tx: Tx): Promise<string[]> {
  const [row] = await tx.select({ owners: repositoryTokens.owners }).from(repositoryTokens).for("update");
  return row?.owners ?? [];
}

/** What was read with a token is shown no longer than the token may be used for its owner, and again once it may. */
async function withhold(tx: Tx, { allowed }: { allowed: string[] }): Promise<void> {
  const isForbidden = allowed.length > 0 ? notInArray(repositories.owner, allowed) : sql`true`;
  const changed = await tx
    .update(repositories)
    .set({ withheld: isForbidden, changeSeq: sql`${repositories.changeSeq} + 1` })
    .where(and(repositories.readWithToken, sql`${repositories.withheld} <> (${isForbidden})`))
    .returning({ id: repositories.id });
  for (const { id } of changed) await announceRepository(tx, { repositoryId: id });
}

/** A sealed token opens with its own owners only: whoever could write to the table could not widen its use. */
function boundTo(owners: readonly string[]): string {
  return `repository token of the organisation for ${owners.join(",")}`;
}
