/** Text as it is compared in searches: case, accents and the space around do not matter. "elan" finds "Élan". */
export function fold(text: string): string {
  return foldLetters(text.trim());
}

/** The same with the space around. */
export function foldLetters(text: string): string {
  return text.normalize("NFKD").replace(ACCENTS, "").replace(SIGNED_LETTER, composed).toLowerCase();
}

/**
 * Accents, Hebrew points, Arabic harakat and how an emoji is drawn. Other marks are letters to their readers: vowels of Hindi and
 * Thai, the dakuten of Japanese.
 */
const ACCENTS = /(?=\p{M})[\u0300-\u036F\u0591-\u05C7\u0610-\u061A\u064B-\u065F\u0670\u06D6-\u06ED]|[\uFE00-\uFE0F]/gu;

/** So that ハ is no part of バ. */
const SIGNED_LETTER = /\P{M}\p{M}+/gu;

function composed(letter: string): string {
  return letter.normalize("NFC");
}
