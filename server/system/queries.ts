import { and, eq, gt, isNull, lt, max, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { countRows, isoInstant } from "../../db/expressions";
import { apiKeys, secretKeys, sessions } from "../../db/schema";
import { secretId } from "../core/vault";

/**
 * The browsers that were logged in before servers used this BETTER_AUTH_SECRET: a former one signed their cookies. `until` is when
 * the last of these sessions ends; null without any.
 */
export async function findFormerSessions(
  db: Db,
  { betterAuthSecret }: { betterAuthSecret: string },
): Promise<{ count: number; until: string | null }> {
  const isPresent = and(
    eq(secretKeys.name, "BETTER_AUTH_SECRET"),
    eq(secretKeys.keyId, secretId(betterAuthSecret)),
    lt(sessions.createdAt, secretKeys.firstUsedAt),
  );
  const [found] = await db
    .select({ count: countRows(), until: isoInstant(max(sessions.expiresAt)) })
    .from(sessions)
    .innerJoin(secretKeys, isPresent)
    .leftJoin(apiKeys, eq(apiKeys.sessionId, sessions.id))
    .where(and(gt(sessions.expiresAt, sql`now()`), isNull(apiKeys.sessionId)));
  return found ?? { count: 0, until: null };
}
