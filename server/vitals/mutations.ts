import { sql } from "drizzle-orm";
import type { Db } from "../../db/client";
import { webVitals } from "../../db/schema";
import { rowsOf } from "../../db/writes";
import { MESSAGES } from "../contract/messages";
import { VITALS_DAYS, type VitalsReport, vitalsSchema } from "../contract/vitals";
import type { Context } from "../core/context";
import { parseJson } from "../core/parse-json";
import { RateLimitedError } from "../core/rate-limit";

/** A report has five numbers. */
const MAX_CHARACTERS = 1_000;

/**
 * Stores the measurements that a page sends when it is left (`navigator.sendBeacon`, so nobody reads the response). Accepts
 * known pages and plausible numbers only, rate limited by address.
 */
export async function receiveVitals(
  { db, limits, address }: Pick<Context, "db" | "limits" | "address">,
  body: string,
): Promise<{ status: 200 | 400 | 413 | 429; message: string; retryAfterSeconds?: number }> {
  if (body.length > MAX_CHARACTERS) return { status: 413, message: MESSAGES.general.tooLarge };
  const report = vitalsSchema.safeParse(parseJson(body));
  if (!report.success) return { status: 400, message: MESSAGES.general.unreadable };
  try {
    await limits.consume("vitals", address);
  } catch (error) {
    if (!(error instanceof RateLimitedError)) throw error;
    return { status: 429, message: error.message, retryAfterSeconds: error.retryAfterSeconds };
  }
  await insertVitals(db, report.data);
  return { status: 200, message: "Thank you." };
}

/** Stores the measurements of one visit. */
export async function insertVitals(db: Db, { route, vitals }: VitalsReport): Promise<void> {
  await db.insert(webVitals).values(
    rowsOf(
      webVitals,
      vitals.map(({ vital, value }) => ({ route, vital, value })),
    ),
  );
}

/** Deletes measurements that are older than 28 days. */
export async function deleteOldVitals(db: Db): Promise<void> {
  await db.delete(webVitals).where(sql`${webVitals.at} <= now() - make_interval(days => ${VITALS_DAYS})`);
}
