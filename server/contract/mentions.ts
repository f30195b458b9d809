/*
 * A mention in a text: `@[Name](person:ID)`, with `\` before `]` and `\` of the name. It is stored by id alone, `@[](person:ID)`,
 * so that whoever reads it gets the present name. What is not exactly of this form is plain text.
 */

/** Twice the longest name, for its backslashes. The bound keeps a text of nothing but beginnings cheap to read. */
const MENTION =
  /@\[((?:[^\]\\\n]|\\[\]\\]){0,400})\]\(person:([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\)/gi;

/** A text in its parts, in order. */
export type TextPart = { type: "text"; text: string } | { type: "mention"; id: string; name: string };

/** The mentions of a text and what stands between them; joined again by `writeMention` they are the text. */
export function splitMentions(text: string): TextPart[] {
  const parts: TextPart[] = [];
  let end = 0;
  for (const { index, 0: whole, 1: name = "", 2: id = "" } of text.matchAll(MENTION)) {
    if (index > end) parts.push({ type: "text", text: text.slice(end, index) });
    parts.push({ type: "mention", id: id.toLowerCase(), name: name.replace(/\\(.)/g, "$1") });
    end = index + whole.length;
  }
  if (end < text.length) parts.push({ type: "text", text: text.slice(end) });
  return parts;
}

/** Whom a text mentions, each once, in order. */
export function mentionedIds(text: string): string[] {
  return [...new Set(splitMentions(text).flatMap((part) => (part.type === "mention" ? part.id : [])))];
}

/** A person as a text mentions them. */
export function writeMention({ id, name }: { id: string; name: string }): string {
  return `@[${name.replace(/[\]\\]/g, "\\$&")}](person:${id})`;
}

/** The same text with other names: those that `nameOf` gives, for an id and the name in the text. */
export function renameMentions(text: string, nameOf: (id: string, name: string) => string): string {
  return splitMentions(text)
    .map((part) => (part.type === "text" ? part.text : writeMention({ id: part.id, name: nameOf(part.id, part.name) })))
    .join("");
}
