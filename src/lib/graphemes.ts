import { lazily } from "./lazily";

const segmenter = lazily(() => new Intl.Segmenter("en", { granularity: "grapheme" }));
/** Here each character is a letter of its own. */
const PLAIN = /^[\n -~]*$/;

/** The letters of a text as people see them, in order: an emoji, or a letter with its accents, is one. Joined, they are the text. */
export function* graphemesOf(text: string): Generator<string> {
  if (PLAIN.test(text)) yield* text;
  else for (const { segment } of segmenter().segment(text)) yield segment;
}

/** The first letter of a text; "" of an empty one. */
export function firstGrapheme(text: string): string {
  // What follows a plain letter may belong to it, unless that is plain as well.
  for (const letter of graphemesOf(PLAIN.test(text.slice(0, 2)) ? text.slice(0, 1) : text)) return letter;
  return "";
}
