import { createHash, randomBytes } from "node:crypto";
import type { SessionScope } from "@db/enums";
import { and, desc, eq, gt, inArray, isNull, lt, or, type SQL, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { isoInstant } from "../../db/expressions";
import { apiKeys, sessions } from "../../db/schema";
import { insertAudit } from "../audit/mutations";
import { MESSAGES } from "../contract/messages";
import type { ApiKeyView, CreatedApiKey } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError } from "../core/errors";
import { sessionEnded } from "../core/procedures";
import { notifyAccount } from "../realtime/notify";
import { keysPossiblyMadeBy } from "./key-origins";
import { lockPerson } from "./mutations";

/** So that people, and programs that look for leaked secrets, recognise it. */
const PREFIX = "sgm_";
const KEY = /^sgm_[\w-]{43}$/;
const TOKEN_PREFIX = "key-";
const MAX_KEYS = 50;
const NOTED_EVERY_MS = 60_000;
/** The token for an invalid key: no session has it. */
export const UNREADABLE_KEY = "no key";
/** The end of a key that does not expire: every session has one. */
const NEVER = new Date("9999-12-31T00:00:00Z");

/**
 * The session token that a request's `Authorization: Bearer` stands for: null without such a header. A request with
 * one is identified by nothing else; an invalid key belongs to no session.
 */
export function readKeyToken(headers: Headers): string | null {
  const [scheme, key = "", ...rest] = (headers.get("authorization") ?? "").trim().split(/\s+/);
  if (scheme?.toLowerCase() !== "bearer") return null;
  return rest.length === 0 && KEY.test(key) ? tokenOf(key) : UNREADABLE_KEY;
}

/** No cookie carries it: those are signed, and hold a token of the auth library's own making. */
function tokenOf(key: string): string {
  return `${TOKEN_PREFIX}${createHash("sha256").update(key).digest("hex")}`;
}

/** Whether a session token is a key's. */
export function isKeyToken(token: string): boolean {
  return token.startsWith(TOKEN_PREFIX);
}

/** A person's valid keys, newest first. Never the keys themselves. */
export async function listApiKeys(db: Db, { userId }: { userId: string }): Promise<ApiKeyView[]> {
  const keys = await findKeys(db, { userId, isLive: gt(sessions.expiresAt, sql`now()`) });
  return keys.map(({ madeInBrowser: _, ...key }) => ({ ...key, mayHaveMade: keysPossiblyMadeBy(key.id, keys) }));
}

/** Newest first; without a condition also those past their time. */
function findKeys(db: Db | Tx, { userId, isLive }: { userId: string; isLive?: SQL }) {
  return db
    .select({
      id: apiKeys.sessionId,
      name: apiKeys.name,
      scope: sessions.scope,
      lastFour: apiKeys.lastFour,
      createdAt: isoInstant(apiKeys.createdAt),
      expiresAt: isoInstant(apiKeys.expiresAt),
      lastUsedAt: isoInstant(apiKeys.lastUsedAt),
      madeInBrowser: apiKeys.madeInBrowser,
    })
    .from(apiKeys)
    .innerJoin(sessions, eq(sessions.id, apiKeys.sessionId))
    .where(and(eq(sessions.userId, userId), isLive))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.sessionId));
}

interface NewKey {
  name: string;
  scope: SessionScope;
  expiresAt?: Date | null | undefined;
}

/** Creates a key for the person of that session; only this answer contains it. At most 50 per person. */
export async function createApiKey(
  db: Db,
  { actor, sessionId, name, scope, expiresAt = null }: NewKey & { actor: Actor; sessionId: string },
): Promise<CreatedApiKey> {
  const key = `${PREFIX}${randomBytes(32).toString("base64url")}`;
  const lastFour = key.slice(-4);
  return db.transaction(async (tx) => {
    // One after another: the count holds, and a refusal of the account meanwhile finds the key, or stops it.
    await lockPerson(tx, { userId: actor.id });
    const [asking] = await tx.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, sessionId));
    if (!asking) throw sessionEnded();
    const known = await findKeys(tx, { userId: actor.id, isLive: gt(sessions.expiresAt, sql`now()`) });
    if (known.length >= MAX_KEYS) throw new DomainError("CONFLICT", MESSAGES.apiKeys.tooMany);
    const [session] = await tx
      .insert(sessions)
      .values({ token: tokenOf(key), userId: actor.id, scope, expiresAt: expiresAt ?? NEVER })
      .returning({ id: sessions.id });
    if (!session) throw new Error("no session was inserted");
    const [made] = await tx
      .insert(apiKeys)
      .values({ sessionId: session.id, name, lastFour, expiresAt, madeInBrowser: true })
      .returning({ createdAt: isoInstant(apiKeys.createdAt), expiresAt: isoInstant(apiKeys.expiresAt) });
    if (!made) throw new Error("no key was inserted");
    const details = { name, scope };
    await insertAudit(tx, { kind: "api-key.created", actorId: actor.id, subjectId: actor.id, details });
    return { id: session.id, name, scope, lastFour, lastUsedAt: null, mayHaveMade: [], ...made, key };
  });
}

/**
 * Ends a key and every key from before 2026-11-22 that it may have made: from the commit on no call of theirs is answered, and
 * their streams end. Another's key, or one that is gone: NOT_FOUND.
 */
export async function revokeApiKey(db: Db, { actor, keyId }: { actor: Actor; keyId: string }): Promise<void> {
  await db.transaction(async (tx) => {
    await lockPerson(tx, { userId: actor.id });
    const keys = await findKeys(tx, { userId: actor.id });
    if (!keys.some(({ id }) => id === keyId)) throw new DomainError("NOT_FOUND", MESSAGES.apiKeys.notFound);
    const ended = new Set([keyId, ...keysPossiblyMadeBy(keyId, keys)]);
    await tx.delete(sessions).where(inArray(sessions.id, [...ended]));
    for (const { id, name } of keys) {
      if (!ended.has(id)) continue;
      await insertAudit(tx, { kind: "api-key.revoked", actorId: actor.id, subjectId: actor.id, details: { name } });
    }
    await notifyAccount(tx, { userId: actor.id });
  });
}

/** Records the use of keys, each at most once a minute, without delaying the request. */
export function createKeyUse(db: Db, { onError }: { onError: (error: unknown) => void }) {
  const notedAtMs = new Map<string, number>();
  return (sessionId: string): void => {
    const nowMs = Date.now();
    if (nowMs - (notedAtMs.get(sessionId) ?? 0) < NOTED_EVERY_MS) return;
    if (notedAtMs.size > 10_000) notedAtMs.clear();
    notedAtMs.set(sessionId, nowMs);
    const isOld = or(isNull(apiKeys.lastUsedAt), lt(apiKeys.lastUsedAt, sql`now() - interval '1 minute'`));
    db.update(apiKeys)
      .set({ lastUsedAt: sql`now()` })
      .where(and(eq(apiKeys.sessionId, sessionId), isOld))
      .then(() => undefined, onError);
  };
}
