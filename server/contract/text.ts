import * as z from "zod/mini";
import { isBlank, showsAsItIs } from "./shown-text";

/** Length in code points: an emoji counts once, whatever its encoding. */
export function codePoints(text: string): number {
  let count = 0;
  for (const _ of text) count += 1;
  return count;
}

/** PostgreSQL refuses U+0000 and lone surrogates: both must be a clear 400, never a 500. */
const isStorable = (text: string) => text.isWellFormed() && !text.includes("\u0000");

/** What a rule that is a function means, in words of JSON Schema, whose lengths count code points too. */
export interface Keywords {
  minLength?: number;
  maxLength?: number;
  format?: "date" | "uri" | "email";
  pattern?: string;
  description?: string;
}

const keywords = new WeakMap<object, Keywords>();

/** For the reference: what was told of a schema. */
export function keywordsOf(schema: object): Keywords | undefined {
  return keywords.get(schema);
}

/** Tells the reference what it cannot read off the schema itself. */
export function describeSchema<Schema extends object>(schema: Schema, meaning: Keywords): Schema {
  keywords.set(schema, meaning);
  return schema;
}

interface TextRule {
  /** 0 lets a text be blank: what shows as nothing becomes an empty text. */
  min?: 0 | 1;
  max: number;
  /** The sentence for a missing or blank value; without one it is the general one. */
  required?: string;
  label: string;
}

/** One line, such as a name or a title: trimmed, storable text of `min` to `max` code points that shows as it is (access.md, Input). */
export function lineSchema(rule: TextRule) {
  return shownText(rule, "one", "has to be one line, without tabs and hidden characters.");
}

/** The same of many lines, such as a description; they end in U+000A, however they were sent. */
export function textSchema(rule: TextRule) {
  return shownText(rule, "many", "contains hidden characters. Type that part anew.");
}

function shownText({ min = 1, max, required, label }: TextRule, lines: "one" | "many", refused: string) {
  // Made when it is needed: the first number that is written in English loads the language's rules, 15 ms of a start.
  const tooLong = () => `${label} may have at most ${max.toLocaleString("en-GB")} characters.`;
  const schema = z.string(required).check(
    z.refine(isStorable, { error: `${label} contains characters that cannot be stored.`, abort: true }),
    z.trim(),
    // Nothing is read closely that is too long in any case: two units a code point, two code points a line end.
    z.refine((text) => text.length <= 4 * max, { error: tooLong, abort: true }),
    z.overwrite((text) => (min === 0 && isBlank(text) ? "" : text.replace(/\r\n?/g, "\n"))),
    z.refine((text) => min === 0 || !isBlank(text), { ...(required && { error: required }), abort: true }),
    z.refine((text) => showsAsItIs(text, lines), { error: `${label} ${refused}` }),
    z.refine((text) => codePoints(text) <= max, { error: tooLong }),
  );
  return describeSchema(schema, { minLength: min, maxLength: max });
}

/** Lower-cased: the same id must not have two spellings when it is compared. */
export const idSchema = z.uuid({ error: "This is not a valid id." }).check(z.toLowerCase());

/** Of reads that an admin may ask for as that client would be answered. Never of a write. */
export const asClientKey = { asClientId: z.optional(idSchema) };

/**
 * Of streams that say what to read again: the `x-live-cursor` of the answer that was read. The first event is then
 * `{type: "resumed"}` when all changes since are among the events that follow, else `{type: "resync"}`.
 */
export const resumeKey = { lastEventId: z.nullish(z.string()) };
export const resumeSchema = z.optional(z.strictObject(resumeKey));

/** A version or count as the database holds it. */
export const versionSchema = z
  .int({ error: "Reload and try again." })
  .check(z.gte(0, { error: "Reload and try again." }), z.lte(2_147_483_647, { error: "Reload and try again." }));

/** A list of distinct ids in the order given. */
export function distinctIdsSchema({ max, tooMany }: { max: number; tooMany: string }) {
  return z.pipe(
    z.array(idSchema, { error: "Choose from the list." }).check(z.maxLength(max, { error: tooMany })),
    z.transform((ids) => [...new Set(ids)]),
  );
}

export const idListSchema = distinctIdsSchema({ max: 200, tooMany: "At most 200 people." });

const DAY = /^(\d{4})-(\d{2})-(\d{2})$/;

/** True for a day that exists, 2000-01-01 to 2100-12-31. */
function isRealDay(text: string): boolean {
  if (!DAY.test(text) || text < "2000-01-01" || text > "2100-12-31") return false;
  const day = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(day.valueOf()) && day.toISOString().startsWith(text);
}

/** A calendar day `YYYY-MM-DD`, no time zone. */
export const daySchema = describeSchema(
  z
    .string({ error: "Enter a date." })
    .check(z.refine(isRealDay, { error: "Enter a real date between 2000 and 2100." })),
  { format: "date", pattern: "^(20\\d\\d|2100)-", description: "A day from 2000-01-01 to 2100-12-31." },
);

/** An optional value in forms and calls alike: null and text without a visible character both mean absent. */
export function orAbsent<Schema extends z.ZodMiniType<string, string>>(schema: Schema) {
  return z.pipe(
    // Whatever else was sent is for the schema to refuse.
    z.transform((value: string | null) => (typeof value === "string" && isBlank(value) ? null : value)),
    z.nullable(schema),
  );
}

/** Text as HTML: of an element, or of an attribute in quotes. */
export function escapeHtml(text: string): string {
  const entities: Record<string, string> = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;", "'": "&#39;" };
  return text.replace(/[&<>"']/g, (character) => entities[character] ?? character);
}
