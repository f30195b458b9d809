import { sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { committedUpTo, earliest, latest } from "../../db/expressions";
import { lastVisits } from "../../db/schema";

/** Everything until an instant has been seen, on whichever device; never back, and at most what is committed. Returns up to when. */
export async function markSeen(db: Db, { userId, upTo }: { userId: string; upTo: Date }): Promise<{ since: Date }> {
  const seenUpTo = earliest(sql`${upTo.toISOString()}::timestamptz`, committedUpTo());
  const [row] = await db
    .insert(lastVisits)
    .values({ userId, seenUpTo })
    .onConflictDoUpdate({ target: lastVisits.userId, set: { seenUpTo: latest(lastVisits.seenUpTo, seenUpTo) } })
    .returning({ since: lastVisits.seenUpTo });
  return { since: row?.since ?? upTo };
}

/** A first visit, which begins now; a visit that has begun meanwhile stays as it is. */
export async function beginVisits(db: Db, { userId }: { userId: string }): Promise<{ since: Date; upTo: Date }> {
  const [row] = await db
    .insert(lastVisits)
    .values({ userId, seenUpTo: committedUpTo() })
    .onConflictDoUpdate({ target: lastVisits.userId, set: { seenUpTo: sql`${lastVisits.seenUpTo}` } })
    .returning({ since: lastVisits.seenUpTo });
  const since = row?.since ?? new Date();
  return { since, upTo: since };
}
