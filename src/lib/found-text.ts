import { fold, foldLetters } from "./fold";

/** A piece of a text, and whether it is one of the words that were looked for. */
export type TextPart = { text: string; isFound: boolean };

const WORD_SIGN = /[\p{L}\p{M}\p{N}]/u;
/** A letter with the marks on it, which may be one letter when folded. */
const LETTER = /.\p{M}*/gsu;
/** From here on the search finds pieces of words, below it whole words. */
const MIN_PIECE = 3;

/**
 * Cuts a text around what a query found in it, as `fold` compares: the query as a whole where it stands so, else each of its words.
 * The parts together are the text.
 */
export function partsOf(text: string, query: string): TextPart[] {
  const { folded, letters } = foldWithLetters(text);
  const whole = placesOf(folded, fold(query));
  const places = whole.length > 0 ? whole : query.split(/\s+/).flatMap((word) => placesOf(folded, fold(word)));
  const isFound = new Uint8Array(text.length);
  for (const [from, to] of places) isFound.fill(1, letters[from]?.start, letters[to - 1]?.end);
  const parts: TextPart[] = [];
  for (let at = 0; at < text.length; at += 1) {
    const last = parts.at(-1);
    if (last && last.isFound === (isFound[at] === 1)) last.text += text[at];
    else parts.push({ text: text[at] ?? "", isFound: isFound[at] === 1 });
  }
  return parts;
}

/** A text as `fold` writes it but for the space around, and of each of its signs which letter of the text it comes from. */
function foldWithLetters(text: string): { folded: string; letters: { start: number; end: number }[] } {
  let folded = "";
  const letters: { start: number; end: number }[] = [];
  for (const { 0: letter, index: start } of text.matchAll(LETTER)) {
    const written = foldLetters(letter);
    for (let n = 0; n < written.length; n += 1) letters.push({ start, end: start + letter.length });
    folded += written;
  }
  return { folded, letters };
}

function placesOf(folded: string, wanted: string): [from: number, to: number][] {
  const places: [from: number, to: number][] = [];
  if (wanted === "") return places;
  const isPiece = [...wanted].length >= MIN_PIECE;
  for (let from = folded.indexOf(wanted); from >= 0; from = folded.indexOf(wanted, from + wanted.length)) {
    const to = from + wanted.length;
    const stands = !(WORD_SIGN.test(folded[from - 1] ?? "") || WORD_SIGN.test(folded[to] ?? ""));
    if (isPiece || stands) places.push([from, to]);
  }
  return places;
}
