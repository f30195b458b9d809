/*
 * What a text shows, whatever it holds.
 * Every script and every emoji stays legal: joiners, variation selectors and direction marks (U+200E, U+200F, U+061C) do too.
 */

/** Something to see of its own: no space, no mark without its letter, nothing that fonts draw as nothing. */
const VISIBLE = /[^\s\p{M}\p{Cc}\p{Cf}\p{DI}\u2800\uFFFC]/u;

/** Controls, line separators, all that turns or hides text: embeddings, overrides, isolates, annotations. */
const NOT_IN_LINE = /[\p{Cc}\u2028-\u202E\u2066-\u206F\uFFF9-\uFFFB]/u;

/** In longer texts lines, tabs, embeddings and isolates are at home; overrides show letters in an order that is not theirs. */
const NOT_IN_LINES = /(?![\t\n])\p{Cc}|[\u202D\u202E\u206A-\u206F\uFFF9-\uFFFB]/u;

/** Letters that nobody sees and programs read; in the flags of England, Scotland and Wales they are part of one emoji. */
const TAG = /[\u{E0000}-\u{E007F}]/u;
const FLAG = /\u{1F3F4}[\u{E0030}-\u{E007A}]{2,6}\u{E007F}/gu;

/** Whether a text shows as nothing. */
export function isBlank(text: string): boolean {
  return !VISIBLE.test(text);
}

/** Whether a text of one line, or of many, shows as it is. */
export function showsAsItIs(text: string, lines: "one" | "many"): boolean {
  return !(lines === "one" ? NOT_IN_LINE : NOT_IN_LINES).test(text) && !TAG.test(text.replace(FLAG, ""));
}

/** What is left of a name from elsewhere without all that a line must not hold; possibly nothing. */
export function lineOf(text: string): string {
  const left = text.replace(new RegExp(`${NOT_IN_LINE.source}|${TAG.source}`, "gu"), " ").trim();
  return isBlank(left) ? "" : left;
}

/** The same of many lines. */
export function linesOf(text: string): string {
  const left = text.replace(new RegExp(`${NOT_IN_LINES.source}|${TAG.source}`, "gu"), "").trim();
  return isBlank(left) ? "" : left;
}
