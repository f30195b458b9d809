const EXCERPT_LETTERS = 120;
const LETTERS_BEFORE = 16;

/** One line about where the query stands in a text, else about its first word that does, else its beginning. */
export function excerptOf(text: string, q: string): string {
  const line = text.replace(/\s+/g, " ");
  const at = [q, ...q.split(/\s+/)].map((part) => line.toLowerCase().indexOf(part.toLowerCase())).find((it) => it >= 0);
  const from = at === undefined || at <= LETTERS_BEFORE ? 0 : startOf(line, at);
  const shown = [...line.slice(from)].slice(0, EXCERPT_LETTERS).join("");
  return `${from > 0 ? "…" : ""}${shown}${from + shown.length < line.length ? "…" : ""}`;
}

/** The beginning of the word some letters before that place; of a word longer than that, the place itself. */
function startOf(line: string, at: number): number {
  const space = line.indexOf(" ", at - LETTERS_BEFORE);
  return space >= 0 && space < at ? space + 1 : at;
}
