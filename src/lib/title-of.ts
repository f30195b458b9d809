const MAX_LENGTH = 200;

/**
 * The title that a text begins with, as of a message that becomes a task or a request: its first line, cut where titles end, never within
 * a letter.
 */
export function titleOf(text: string): string {
  const [line = ""] = text.trim().split("\n");
  return [...line].slice(0, MAX_LENGTH).join("").trim();
}
