import { type AnyColumn, and, ilike, type SQL, sql } from "drizzle-orm";
import { containsPattern, wordsOf } from "../../db/expressions";
import { codePoints } from "../contract/text";

/** What a trigram is made of. */
const MIN_LETTERS = 3;

type Text = AnyColumn | SQL<string>;
type Condition = (text: Text) => SQL;

/**
 * Whether a text holds every word of the query, in any order. The words after the longest are looked for in `others`, which is the
 * same text: the indexed one is found by its index, another expression of it is looked through. PostgreSQL expects so few texts with
 * two words that it no longer combines their index with the one of what the actor sees, so that there only the longest word, likely
 * the rarest, goes by the index.
 *
 * From three letters on as a piece of any word, by trigrams; shorter ones as whole words, by full text. To ask for both of each word
 * made PostgreSQL read the words of every row that it found: seven times as long.
 */
export function matcherOf(q: string): (text: Text, others?: Text) => SQL | undefined {
  const words = wordsIn(q);
  const long = words.filter(isLong).toSorted((one, other) => other.length - one.length);
  const short = words.filter((word) => !isLong(word));
  const conditions = long.map(
    (word): Condition =>
      (text) =>
        ilike(text, unforeseen(containsPattern(word))),
  );
  if (short.length > 0) {
    conditions.push((text) => sql`${wordsOf(text)} @@ plainto_tsquery('simple', ${unforeseen(short.join(" "))})`);
  }
  // Signs alone are in no index.
  const [first = (text) => sql`strpos(${text} || '', ${q}) > 0`, ...others] = conditions;
  return (text, rest = text) => and(first(text), ...others.map((holds) => holds(rest)));
}

function wordsIn(q: string): string[] {
  return q.split(/\s+/).filter((word) => /[\p{L}\p{N}]/u.test(word));
}

function isLong(word: string): boolean {
  return codePoints(word) >= MIN_LETTERS;
}

/**
 * A value that plans do not depend on. Of a word that it takes for common PostgreSQL reads all texts that the actor sees, or all there
 * are; taken for rare, the indexes of words and of what the actor sees are combined before a text is read.
 */
function unforeseen(text: string): SQL {
  return sql`(select ${text}::text)`;
}
