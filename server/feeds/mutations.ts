import { createHash, randomBytes } from "node:crypto";
import { eq, sql } from "drizzle-orm";
import type { Db, Tx } from "../../db/client";
import { isoInstant } from "../../db/expressions";
import { calendarFeeds } from "../../db/schema";

/** Where calendars are, before the token and `.ics`. */
export const CALENDAR_PATH = "/api/calendar/";

/** What is stored of a token: who reads the table learns no address. */
export function hashOf(token: string): string {
  return createHash("sha256").update(token).digest("hex");
}

/** Makes a new address of a person's calendar; the one before ends. */
export async function createCalendarFeed(
  db: Db,
  { userId, publicUrl }: { userId: string; publicUrl: string },
): Promise<{ url: string; createdAt: string }> {
  const token = randomBytes(32).toString("base64url");
  const tokenHash = hashOf(token);
  const [feed] = await db
    .insert(calendarFeeds)
    .values({ userId, tokenHash })
    .onConflictDoUpdate({ target: calendarFeeds.userId, set: { tokenHash, createdAt: sql`now()` } })
    .returning({ createdAt: isoInstant(calendarFeeds.createdAt) });
  if (!feed) throw new Error("the address was not stored");
  return { url: `${publicUrl}${CALENDAR_PATH}${token}.ics`, ...feed };
}

export async function revokeCalendarFeed(db: Db | Tx, { userId }: { userId: string }): Promise<void> {
  await db.delete(calendarFeeds).where(eq(calendarFeeds.userId, userId));
}
