import type { SessionScope } from "@db/enums";

/** What is known about where a key came from and what it may have done; instants are ISO-8601 UTC. */
export interface KeyOrigin {
  id: string;
  scope: SessionScope;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  /** False for keys from before keys were barred from making keys: who made them was not kept. */
  madeInBrowser: boolean;
}

/** Uses are noted once a minute; a note that was lost to a fault must not hide one. */
const USE_NOTED_WITHIN_MS = 5 * 60_000;

/**
 * Of one person's keys, those that a key may have made while keys still could, and those that these may have made: ids. It is
 * what the rows allow, not what is proven, so that a leaked key leaves nothing behind when it is revoked.
 */
export function keysPossiblyMadeBy(id: string, keys: readonly KeyOrigin[]): string[] {
  const found = new Set([id]);
  // The set grows while it is walked: makers that were found are asked for in their turn.
  for (const makerId of found) {
    const maker = keys.find((key) => key.id === makerId);
    for (const key of keys) if (maker && mayHaveMade(maker, key)) found.add(key.id);
  }
  found.delete(id);
  return [...found];
}

/** Only a key that may write, that was in use then, and that ends no sooner: a key never made one that outlives it. */
function mayHaveMade(maker: KeyOrigin, key: KeyOrigin): boolean {
  if (key.madeInBrowser || maker.scope !== "write" || maker.lastUsedAt === null) return false;
  const isOlder = maker.createdAt < key.createdAt;
  const wasInUse = Date.parse(maker.lastUsedAt) + USE_NOTED_WITHIN_MS >= Date.parse(key.createdAt);
  return isOlder && wasInUse && endOf(key) <= endOf(maker);
}

function endOf({ expiresAt }: KeyOrigin): number {
  return expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
}
