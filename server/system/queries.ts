import { and, eq, gt, isNull, lt, max, sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { countRows, isoInstant } from "../../db/expressions";
import { apiKeys, jobKinds, secretKeys, sessions, systemConditions } from "../../db/schema";
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

/** How the jobs of each kind fare, of kinds that have run at least once. */
export function listJobKinds(db: Db): Promise<(typeof jobKinds.$inferSelect)[]> {
  return db.select().from(jobKinds);
}

export type ConditionRow = typeof systemConditions.$inferSelect;

/** A condition that has been in trouble at least once. */
export async function findCondition(db: Db, { id }: { id: string }): Promise<ConditionRow | null> {
  const [row] = await db.select().from(systemConditions).where(eq(systemConditions.id, id));
  return row ?? null;
}
