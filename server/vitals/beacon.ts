import { MESSAGES } from "../contract/messages";
import { vitalsSchema } from "../contract/vitals";
import type { Context } from "../core/context";
import { parseJson } from "../core/parse-json";
import { RateLimitedError } from "../core/rate-limit";
import { insertVitals } from "./queries";

/** A report has five numbers. */
const MAX_CHARACTERS = 1_000;

/**
 * What a page tells of itself when it is left (`navigator.sendBeacon`): nobody reads the answer. Only known pages and sensible
 * numbers are kept, and of one address only so many.
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
