import type { TokenResult } from "@db/enums";
import { and, eq, ne, notInArray, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { isoInstant } from "../../db/expressions";
import { repositories, repositoryTokens } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { insertAudit } from "../audit/mutations";
import { MAX_OWNERS, type NewToken } from "../contract/github";
import { mergeList } from "../contract/list-edits";
import { MESSAGES } from "../contract/messages";
import type { TokenStatus } from "../contract/views";
import type { Actor, TokenJudge } from "../core/context";
import { DomainError, ValidationError } from "../core/errors";
import { reseal, type SealedColumn, type SecretToken, type Vault } from "../core/vault";
import { notifyRepository } from "../realtime/notify";
import { findPeople } from "../users/queries";
import type { Grant } from "./client";
import { requestSyncOfOwners } from "./sync-runs";

/** The status of the organisation's token, never the token itself. */
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

/** The organisation's token, decrypted. */
export interface StoredGrant extends Grant {
  /** To the microsecond, so that it identifies the token; changing the owners keeps it. */
  setAt: string;
}

const setAt = sql<string>`${repositoryTokens.setAt}::text`;

/** The decrypted token; null without one, and when no key decrypts it, which is recorded in its status. */
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
  if (row.keyId !== vault.currentKeyId) await reseal(db, { column: sealedRepositoryToken, vault });
  return { token, owners, setAt: row.setAt };
}

/** The token as `reseal` sees it. */
export const sealedRepositoryToken: SealedColumn = {
  name: "repository token",
  async list(db, { thanKeyId }) {
    const { sealed, keyId, owners } = repositoryTokens;
    const rows = await db.select({ sealed, keyId, owners }).from(repositoryTokens).where(ne(keyId, thanKeyId));
    return rows.map(({ owners: bound, ...row }) => ({ ...row, bound: boundTo(bound) }));
  },
  async replace(db, { from, to }) {
    await db
      .update(repositoryTokens)
      .set(columnsOf(repositoryTokens, to))
      .where(eq(repositoryTokens.sealed, from.sealed));
  },
};

/**
 * Whether the token may still be used for an owner. Locks the token until the transaction ends, so that a removal of the token
 * sees the commits that were read with it.
 */
export async function isStillGranted(
  tx: Tx,
  { owner, grant }: { owner: string; grant: Pick<StoredGrant, "setAt"> },
): Promise<boolean> {
  const [row] = await tx.select({ owners: repositoryTokens.owners, setAt }).from(repositoryTokens).for("share");
  return row?.setAt === grant.setAt && row.owners.includes(owner);
}

/** Records whether GitHub accepted the token that was set at `setAt`. Writes changes only, and nothing about a replacement. */
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
  /** What the owners were when the change began; absent: these replace them, whatever they are. */
  ownersBefore?: string[] | undefined;
  by: Actor;
  vault: Vault;
  github: TokenJudge;
}

/**
 * Sets or replaces the organisation's token after GitHub has accepted it. BAD_REQUEST on the field when GitHub rejects it,
 * SERVICE_UNAVAILABLE without a response; both keep the old token. Requests a sync of its owners' repositories.
 */
export async function setToken(
  db: Db,
  { token, by, vault, github, ...asked }: TokenChange & { token: SecretToken },
): Promise<TokenStatus> {
  requireAccepted(await github.checkToken(token));
  // Not now(): of two transactions that wait for each other, the later one must have the later time.
  const now = { setAt: sql`clock_timestamp()`, lastResult: "accepted" as const, lastResultAt: sql`now()` };
  return db.transaction(async (tx) => {
    const before = await lockToken(tx);
    const owners = before ? ownersAfter(asked, before) : asked.owners;
    const row = { ...vault.seal(token, boundTo(owners)), lastFour: token.lastFour, owners, setBy: by.id };
    await tx
      .insert(repositoryTokens)
      .values(columnsOf(repositoryTokens, { ...row, ...now }))
      .onConflictDoUpdate({ target: repositoryTokens.id, set: { ...row, ...now } });
    await requestSyncOfOwners(tx, [...new Set([...(before?.owners ?? []), ...owners])]);
    await updateWithheld(tx, { allowed: owners });
    const details = { owners: owners.join(", "), replaced: before !== null };
    await insertAudit(tx, { kind: "repository-token.set", actorId: by.id, subjectId: null, details });
    return findTokenStatus(tx);
  });
}

/**
 * Changes the owners of the current token. Checks the token with GitHub first, unless owners are only removed, which must always
 * be possible. BAD_REQUEST on the token when there is none or GitHub rejects it, CONFLICT when it was replaced in the meantime.
 * Requests a sync of the repositories of owners that were added or removed.
 */
export async function setOwners(db: Db, { by, vault, github, ...asked }: TokenChange): Promise<TokenStatus> {
  const grant = await findGrant(db, vault);
  if (!grant) {
    const { configured } = await findTokenStatus(db);
    throw tokenFault(configured ? MESSAGES.github.tokenUnreadable : MESSAGES.github.tokenRequired);
  }
  const isWider = asked.owners.some((owner) => !grant.owners.includes(owner));
  if (isWider) {
    const verdict = await github.checkToken(grant.token);
    if (verdict !== "unanswered") await recordTokenResult(db, { setAt: grant.setAt, result: verdict });
    requireAccepted(verdict);
  }
  return db.transaction(async (tx) => {
    const before = await lockToken(tx);
    if (!before) throw tokenFault(MESSAGES.github.tokenRequired);
    if (before.setAt !== grant.setAt) throw tokenChanged();
    const owners = ownersAfter(asked, before);
    await tx
      .update(repositoryTokens)
      .set(columnsOf(repositoryTokens, { ...vault.seal(grant.token, boundTo(owners)), owners }));
    const removed = before.owners.filter((owner) => !owners.includes(owner));
    const added = owners.filter((owner) => !before.owners.includes(owner));
    await requestSyncOfOwners(tx, [...removed, ...added]);
    await updateWithheld(tx, { allowed: owners });
    const details = { owners: owners.join(", "), before: before.owners.join(", ") };
    await insertAudit(tx, { kind: "repository-token.owners-set", actorId: by.id, subjectId: null, details });
    return findTokenStatus(tx);
  });
}

/** What two admins change at once stays changed. CONFLICT where together they leave no owner, or too many. */
function ownersAfter(
  { owners, ownersBefore }: Pick<TokenChange, "owners" | "ownersBefore">,
  now: { owners: string[] },
) {
  const merged = mergeList({ before: ownersBefore, edited: owners, present: now.owners });
  if (merged.length === 0 || merged.length > MAX_OWNERS) throw tokenChanged();
  return merged;
}

function tokenChanged(): DomainError {
  const sentence = MESSAGES.general.changedMeanwhile("The repository token");
  return new DomainError("CONFLICT", sentence, { reason: "stale-version" });
}

function requireAccepted(verdict: Awaited<ReturnType<TokenJudge["checkToken"]>>): void {
  if (verdict === "refused") throw tokenFault(MESSAGES.github.tokenRefused);
  if (verdict === "unanswered") throw new DomainError("SERVICE_UNAVAILABLE", MESSAGES.github.tokenUnchecked);
}

function tokenFault(message: string): Error {
  return new ValidationError<NewToken>({ token: [message] });
}

/** Removes the token and hides the commits that were read with it. Does nothing without a token. */
export async function removeToken(db: Db, { by }: { by: Actor }): Promise<TokenStatus> {
  return db.transaction(async (tx) => {
    const before = await lockToken(tx);
    if (!before) return NO_TOKEN;
    await tx.delete(repositoryTokens);
    await requestSyncOfOwners(tx, before.owners);
    await updateWithheld(tx, { allowed: [] });
    await insertAudit(tx, { kind: "repository-token.removed", actorId: by.id, subjectId: null });
    return NO_TOKEN;
  });
}

/** Locks the current token, so that changes by two admins run one after the other. */
async function lockToken(tx: Tx): Promise<{ owners: string[]; setAt: string } | null> {
  const [row] = await tx.select({ owners: repositoryTokens.owners, setAt }).from(repositoryTokens).for("update");
  return row ?? null;
}

/** Hides commits that were read with the token once it may no longer be used for their owner, and shows them again once it may. */
async function updateWithheld(tx: Tx, { allowed }: { allowed: string[] }): Promise<void> {
  const isForbidden = allowed.length > 0 ? notInArray(repositories.owner, allowed) : sql`true`;
  const changed = await tx
    .update(repositories)
    .set({ withheld: isForbidden, changeSeq: sql`${repositories.changeSeq} + 1` })
    .where(and(repositories.readWithToken, sql`${repositories.withheld} <> (${isForbidden})`))
    .returning({ id: repositories.id });
  for (const { id } of changed) await notifyRepository(tx, { repositoryId: id });
}

/** Binds the encrypted token to its owners, so that write access to the table does not allow its use for others. */
function boundTo(owners: readonly string[]): string {
  return `repository token of the organisation for ${owners.join(",")}`;
}
