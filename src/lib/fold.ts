/** Text as it is compared in searches: case, accents and the space around do not matter. "elan" finds "Élan". */
export function fold(text: string): string {
  return foldLetters(text.trim());
}

/** The same with the space around. */
export function foldLetters(text: string): string {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").toLowerCase();
}
