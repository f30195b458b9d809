import type { SessionScope } from "@db/enums";

/** What is stored about a key's creation and use. Instants are ISO-8601 UTC. */
export interface KeyOrigin {
  id: string;
  scope: SessionScope;
  createdAt: string;
  expiresAt: string | null;
  lastUsedAt: string | null;
  /** False for keys from the time when keys could create keys: their creator was not stored. */
  madeInBrowser: boolean;
}

/** Uses are recorded once a minute, and a record can be lost: the margin covers both. */
const USE_NOTED_WITHIN_MS = 5 * 60_000;

/**
 * The ids of one person's keys that this key may have created, directly or through others, while keys could create keys. A key
 * counts unless the rows rule it out, so that revoking a leaked key leaves nothing behind.
 */
export function keysPossiblyMadeBy(id: string, keys: readonly KeyOrigin[]): string[] {
  const found = new Set([id]);
  // The set grows during the loop: each key found is checked as a creator in turn.
  for (const makerId of found) {
    const maker = keys.find((key) => key.id === makerId);
    for (const key of keys) if (maker && mayHaveMade(maker, key)) found.add(key.id);
  }
  found.delete(id);
  return [...found];
}

/** The creator could write, was in use at the time, and expires no earlier: no key could create one that outlives it. */
function mayHaveMade(maker: KeyOrigin, key: KeyOrigin): boolean {
  if (key.madeInBrowser || maker.scope !== "write" || maker.lastUsedAt === null) return false;
  const isOlder = maker.createdAt < key.createdAt;
  const wasInUse = Date.parse(maker.lastUsedAt) + USE_NOTED_WITHIN_MS >= Date.parse(key.createdAt);
  return isOlder && wasInUse && endOf(key) <= endOf(maker);
}

function endOf({ expiresAt }: KeyOrigin): number {
  return expiresAt === null ? Number.POSITIVE_INFINITY : Date.parse(expiresAt);
}
