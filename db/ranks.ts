import { type AnyColumn, type SQL, sql } from "drizzle-orm";
import { generateKeyBetween } from "fractional-indexing";

/*
 * The order of a project's tasks: a key of the fractional-indexing package, which compares by its bytes.
 * A new task takes the key of its number, so that one statement appends it without looking for the last one. Whoever moves a
 * task to the end stays below the key that the next new one will take; so two keys are never the same.
 */

const DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const POWERS = [62 ** 3, 62 ** 2, 62, 1] as const;

/** The rank of a project's task that was appended under this number, up to 14,776,335. */
export function appendedRank(number: number): string {
  return `d${POWERS.map((power) => DIGITS.charAt(Math.floor(number / power) % 62)).join("")}`;
}

/** The same, computed by the database from a number that only it knows. */
export function appendedRankOf(number: AnyColumn | SQL<number>): SQL<string> {
  const digits = POWERS.map(
    (power) => sql`substr(${sql.raw(`'${DIGITS}'`)}, ((${number}) / ${sql.raw(String(power))}) % 62 + 1, 1)`,
  );
  return sql`('d' || ${sql.join(digits, sql` || `)})`;
}

/** A rank between two neighbours; null before the first. `lastNumber` is the highest that the project has given out. */
export function rankBetween(
  before: string | null,
  after: string | null,
  { lastNumber }: { lastNumber: number },
): string {
  return generateKeyBetween(before, after ?? appendedRank(lastNumber + 1));
}
