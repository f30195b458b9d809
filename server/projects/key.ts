import transliterate from "@sindresorhus/transliterate";
import { inArray, sql } from "drizzle-orm";
import type { Tx } from "../../db/client";
import { projects } from "../../db/schema";

/**
 * 2 to 5 capital letters that stand for a title: initials of its words ("Harbour booking portal" gives HBP), or the first
 * three letters of a single word. A title without Latin letters gives PRJ. Unique only once the caller adds a number.
 */
export function keyFromTitle(title: string): string {
  const parts = latin(title)
    .split(/[^A-Z]+/)
    .filter((word) => word !== "");
  const initials = parts.map((word) => word[0] ?? "").join("");
  const letters = parts.length >= 2 ? initials.slice(0, 5) : (parts[0] ?? "").slice(0, 3);
  return letters.length >= 2 ? letters : "PRJ";
}

/** Transliterated capitals: "Łódź élan" gives LODZ ELAN. */
function latin(text: string): string {
  return transliterate(text).toUpperCase();
}

/** A key for each title that no project has now, nor another of these titles gets. Who inserts one may find it taken meanwhile. */
export async function findFreeKeys(tx: Tx, titles: readonly string[]): Promise<string[]> {
  const bases = titles.map(keyFromTitle);
  const rows = await tx
    .select({ key: projects.key })
    .from(projects)
    .where(inArray(sql`rtrim(${projects.key}, '0123456789')`, [...new Set(bases)]));
  const taken = new Set(rows.map(({ key }) => key));
  return bases.map((base) => {
    let key = base;
    for (let suffix = 2; taken.has(key); suffix += 1) key = `${base}${suffix}`;
    taken.add(key);
    return key;
  });
}
