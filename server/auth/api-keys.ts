import { createHash, randomBytes } from "node:crypto";
import type { SessionScope } from "@db/enums";
import { and, desc, eq, gt, isNull, lt, or, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { apiKeys, sessions } from "../../db/schema";
import { insertAudit } from "../audit/queries";
import { MESSAGES } from "../contract/messages";
import type { ApiKeyView, CreatedApiKey } from "../contract/views";
import type { Actor } from "../core/context";
import { DomainError, ValidationError } from "../core/errors";
import { announceAccount } from "../realtime/notify";
import { lockPerson } from "./mutations";

/** Tells people, and programs that look for leaked secrets, what it is. */
const PREFIX = "sgm_";
const KEY = /^sgm_[\w-]{43}$/;
const MOST_KEYS = 50;
const NOTED_EVERY_MS = 60_000;
/** In place of the token of what is no key of ours: no session has it. */
export const UNREADABLE_KEY = "no key";
/** For a key that stands until it is revoked: sessions have an end. */
const NEVER = new Date("9999-12-31T00:00:00Z");

/**
 * The session token that a request's `Authorization: Bearer` stands for: null without such a header. Whoever sends one is asked
 * for nothing else; something that is no key of ours belongs to no session.
 */
export function readKeyToken(headers: Headers): string | null {
  const [scheme, key = "", ...rest] = (headers.get("authorization") ?? "").trim().split(/\s+/);
  if (scheme?.toLowerCase() !== "bearer") return null;
  return rest.length === 0 && KEY.test(key) ? tokenOf(key) : UNREADABLE_KEY;
}

/** No cookie carries it: those are signed, and hold a token of the auth library's own making. */
function tokenOf(key: string): string {
  return `key-${createHash("sha256").update(key).digest("hex")}`;
}

/** Keys of a person that still stand, newest first. Never the keys themselves. */
export function listApiKeys(db: Db, { userId }: { userId: string }): Promise<ApiKeyView[]> {
  return db
    .select({
      id: apiKeys.sessionId,
      name: apiKeys.name,
      scope: sessions.scope,
      lastFour: apiKeys.lastFour,
      createdAt: apiKeys.createdAt,
      expiresAt: apiKeys.expiresAt,
      lastUsedAt: apiKeys.lastUsedAt,
    })
    .from(apiKeys)
    .innerJoin(sessions, eq(sessions.id, apiKeys.sessionId))
    .where(and(eq(sessions.userId, userId), gt(sessions.expiresAt, sql`now()`)))
    .orderBy(desc(apiKeys.createdAt), desc(apiKeys.sessionId));
}

interface NewKey {
  name: string;
  scope: SessionScope;
  expiresAt?: Date | null | undefined;
}

/**
 * Makes a key; the answer is the only time that anyone sees it. At most 50 a person. A key that makes one gives it no longer life
 * than its own: a leaked key ends when it was meant to.
 */
export async function createApiKey(
  db: Db,
  { actor, sessionId, name, scope, expiresAt = null }: NewKey & { actor: Actor; sessionId: string },
): Promise<CreatedApiKey> {
  const key = `${PREFIX}${randomBytes(32).toString("base64url")}`;
  const lastFour = key.slice(-4);
  return db.transaction(async (tx) => {
    // One after another: the count holds, and a refusal of the account meanwhile finds the key, or stops it.
    await lockPerson(tx, { userId: actor.id });
    const [asking] = await tx
      .select({ expiresAt: apiKeys.expiresAt })
      .from(sessions)
      .leftJoin(apiKeys, eq(apiKeys.sessionId, sessions.id))
      .where(eq(sessions.id, sessionId));
    if (!asking) throw new DomainError("UNAUTHORIZED", MESSAGES.auth.signedOut);
    if (asking.expiresAt && (expiresAt ?? NEVER) > asking.expiresAt)
      throw new ValidationError({ expiresAt: [MESSAGES.apiKeys.outlives] });
    const known = await tx
      .select({ id: apiKeys.sessionId })
      .from(apiKeys)
      .innerJoin(sessions, eq(sessions.id, apiKeys.sessionId))
      .where(and(eq(sessions.userId, actor.id), gt(sessions.expiresAt, sql`now()`)));
    if (known.length >= MOST_KEYS) throw new DomainError("CONFLICT", MESSAGES.apiKeys.tooMany);
    const [session] = await tx
      .insert(sessions)
      .values({ token: tokenOf(key), userId: actor.id, scope, expiresAt: expiresAt ?? NEVER })
      .returning({ id: sessions.id });
    if (!session) throw new Error("no session was inserted");
    const [made] = await tx
      .insert(apiKeys)
      .values({ sessionId: session.id, name, lastFour, expiresAt })
      .returning({ createdAt: apiKeys.createdAt });
    if (!made) throw new Error("no key was inserted");
    const details = { name, scope };
    await insertAudit(tx, { kind: "api-key.created", actorId: actor.id, subjectId: actor.id, details });
    return { id: session.id, name, scope, lastFour, expiresAt, lastUsedAt: null, ...made, key };
  });
}

/** From its commit on no call is answered, and streams end. Another's key, or one that is gone: NOT_FOUND. */
export async function revokeApiKey(db: Db, { actor, keyId }: { actor: Actor; keyId: string }): Promise<void> {
  await db.transaction(async (tx) => {
    // Whatever the key is making, another key perhaps, is there before it goes, or is not made.
    await lockPerson(tx, { userId: actor.id });
    const [known] = await tx
      .select({ name: apiKeys.name })
      .from(apiKeys)
      .innerJoin(sessions, eq(sessions.id, apiKeys.sessionId))
      .where(and(eq(apiKeys.sessionId, keyId), eq(sessions.userId, actor.id)));
    const [ended] = known ? await tx.delete(sessions).where(eq(sessions.id, keyId)).returning({ id: sessions.id }) : [];
    if (!known || !ended) throw new DomainError("NOT_FOUND", MESSAGES.apiKeys.notFound);
    const { name } = known;
    await insertAudit(tx, { kind: "api-key.revoked", actorId: actor.id, subjectId: actor.id, details: { name } });
    await announceAccount(tx, { userId: actor.id });
  });
}

/** Notes that keys are used: each once a minute at most, and nobody waits for it. */
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
