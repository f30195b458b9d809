import transliterate from "@sindresorhus/transliterate";

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
