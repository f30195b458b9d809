/* Without schemas: the form's preview and the server mask alike. */

/** Stands for a masked word, and says nothing of its length. */
export const MASK = "•••";

/**
 * A function that replaces these words in a text: whatever their case, in longer words too ("acme" in "AcmeCorp"), and where
 * the word has a space also over a line's end, joined or with a hyphen ("AcmeCorp", "acme-corp"). The longest first, so that nothing is left of one that begins like another. A text
 * without any of them is returned as it is.
 */
export function maskOf(words: readonly string[]): (text: string) => string {
  const patterns = words
    .map((word) => word.normalize("NFC").trim())
    .filter((word) => word !== "")
    .sort((one, other) => other.length - one.length)
    .map((word) => word.split(/\s+/).map(escaped).join("[\\s_-]*"));
  if (patterns.length === 0) return (text) => text;
  const pattern = new RegExp(patterns.join("|"), "giu");
  return (text) => {
    const masked = text.normalize("NFC").replace(pattern, MASK);
    return masked === text.normalize("NFC") ? text : masked;
  };
}

function escaped(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, "\\$&");
}
