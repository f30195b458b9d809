/** Letters that are written from right to left, and the controls that turn a text that way. */
const RIGHT_TO_LEFT =
  /[\u0590-\u08FF\uFB1D-\uFDFF\uFE70-\uFEFC\u{10800}-\u{10FFF}\u{1E800}-\u{1EEFF}\u200F\u202B\u202E\u2067]/u;

/**
 * A title or a name for the middle of a sentence that is one string: from right to left it would draw the words around it
 * into its own order. What `<bdi>` is in the page. A text without such letters comes back as it is.
 */
export function isolate(text: string): string {
  return RIGHT_TO_LEFT.test(text) ? `\u2068${text}\u2069` : text;
}
