/* Without schemas: pages that only show a link do without the code that checks forms. */

/** What a URL must not hold as it is: spaces, hidden characters other than joiners, and the other slash. */
const NOT_IN_URL = /(?![\u200C\u200D])[\s\p{Cc}\p{Cf}]|\\/u;

/**
 * An absolute http(s) URL of at most 2,048 characters that leads where it seems to: no user info, no escapes in the host.
 * `javascript:` and friends are refused.
 */
export function isWebUrl(text: string): boolean {
  if (text.length > 2048 || !text.isWellFormed() || NOT_IN_URL.test(text)) return false;
  if (!/^https?:\/\/[^/?#@%]+(?:[/?#]|$)/i.test(text)) return false;
  return URL.canParse(text) && new URL(text).hostname !== "";
}
