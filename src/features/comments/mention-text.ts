import { splitMentions, writeMention } from "@server/contract/mentions";

/*
 * In a text field a mention reads "@Meera Rao". Who is meant is kept beside the text, and written into it when it is sent.
 */

export interface Mentioned {
  id: string;
  name: string;
}

/** What is typed, and who was chosen for the names in it. */
export interface MentionText {
  text: string;
  mentioned: readonly Mentioned[];
}

export const EMPTY_TEXT: MentionText = { text: "", mentioned: [] };

/** As a text field shows it. Of two people with one name the second stays as it is sent. */
export function fromSent(sent: string): MentionText {
  const mentioned: Mentioned[] = [];
  const text = splitMentions(sent).map((part) => {
    if (part.type === "text") return part.text;
    const known = mentioned.find(({ name }) => name === part.name);
    if (part.name === "" || (known && known.id !== part.id)) return writeMention(part);
    if (!known) mentioned.push({ id: part.id, name: part.name });
    return `@${part.name}`;
  });
  return { text: text.join(""), mentioned };
}

/** As it is sent: each "@Name" of somebody chosen becomes a mention. */
export function toSent({ text, mentioned }: MentionText): string {
  if (mentioned.length === 0) return text;
  const byName = new Map(mentioned.map((person) => [person.name, person]));
  // The longest first: one name may be the beginning of another.
  const names = [...byName.keys()].sort((one, other) => other.length - one.length).map((name) => escapePattern(name));
  const pattern = new RegExp(`(?<![\\p{L}\\p{N}_])@(${names.join("|")})(?![\\p{L}\\p{N}_])`, "gu");
  return text.replace(pattern, (written, name: string) => {
    const person = byName.get(name);
    return person ? writeMention(person) : written;
  });
}

/** Two texts as paragraphs of one. */
export function joinTexts(one: MentionText, other: MentionText): MentionText {
  return fromSent([one, other].map(toSent).filter(isWritten).join("\n\n"));
}

const isWritten = (text: string) => text.trim() !== "";

/** Whom the text still mentions of those who were chosen. */
export function mentionedIn(value: MentionText): Mentioned[] {
  const ids = new Set(splitMentions(toSent(value)).flatMap((part) => (part.type === "mention" ? part.id : [])));
  return value.mentioned.filter(({ id }) => ids.has(id));
}

/** The "@Mee" that ends at the caret, and where it begins; null when none is being written. */
export function mentionAt(text: string, caret: number): { from: number; query: string } | null {
  const [written, before = "", query = ""] =
    /(^|[\s([{"'])@([^\s@\]()]{0,40}(?: [^\s@\]()]{0,40})?)$/u.exec(text.slice(0, caret)) ?? [];
  return written === undefined ? null : { from: caret - written.length + before.length, query };
}

/** Puts the person in the place of what was written from `from` to the caret. */
export function insertMention(
  { text, mentioned }: MentionText,
  { person, from, caret }: { person: Mentioned; from: number; caret: number },
): MentionText & { caret: number } {
  const known = mentioned.find(({ name }) => name === person.name);
  const isAmbiguous = known !== undefined && known.id !== person.id;
  const written = `${isAmbiguous ? writeMention(person) : `@${person.name}`} `;
  return {
    text: text.slice(0, from) + written + text.slice(caret).replace(/^ /, ""),
    mentioned: known ? mentioned : [...mentioned, { id: person.id, name: person.name }],
    caret: from + written.length,
  };
}

function escapePattern(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
