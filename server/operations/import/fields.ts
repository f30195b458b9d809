import { hash } from "node:crypto";
import * as z from "zod/mini";
import { DAY_MS } from "../../contract/days";
import { isBlank, lineOf, linesOf, showsAsItIs } from "../../contract/shown-text";
import { codePoints, daySchema, idSchema } from "../../contract/text";
import { changed, type ImportNote, type Subject, storable, storableParts, unmatched } from "./notes";

export type Take = (note: ImportNote) => void;

const EARLIEST = Date.UTC(1990, 0, 1);
const secondsSchema = z.object({ _seconds: z.number(), _nanoseconds: z.optional(z.number()) });
/** What our own exports say beside what it follows from. */
const DERIVED: Partial<Record<Subject["kind"], readonly string[]>> = {
  comment: ["discussionId", "seq"],
  conversation: ["lowerReadSeq", "higherReadSeq"],
  message: ["seq"],
  file: ["type", "size"],
};
const UTC_MOMENT = /T.*Z$/i;
const MIDNIGHT = "T00:00:00.000Z";
const UNSTORABLE = "characters that cannot be stored were removed";

const withIdSchema = z.object({ id: z.string() });

/**
 * The fields of one thing of the file, each under the first of its names that has something in it. Takes a note of what it cannot keep;
 * `noteRest`, once all are read, of what nobody has asked for.
 */
export function createFields(value: unknown, { subject, take }: { subject: Subject; take: Take }) {
  const fields: Record<string, unknown> =
    typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  /** By the names that were asked for: the one that was read in their place. */
  const asked = new Map<string, string>();
  function find(names: readonly string[]): { name: string; given: unknown } {
    const name = names.find((one) => hasContent(fields[one]));
    for (const one of names) if (one === name || !asked.has(one)) asked.set(one, name ?? one);
    return { name: name ?? names[0] ?? "", given: name === undefined ? undefined : fields[name] };
  }
  const change = (field: string, from: unknown, to: unknown, why: string) =>
    take(changed<string>(subject, field, { from, to, why }));
  const drop = (field: string, given: unknown, why: string) => take(unmatched<string>(subject, field, given, why));

  function instant<Fallback extends string | null>(
    names: readonly string[],
    { fallback }: { fallback: () => Fallback },
  ): string | Fallback {
    const { name, given } = find(names);
    const read = given === undefined ? null : readInstant(given);
    if (read !== null) return read;
    const instead = fallback();
    if (given !== undefined) change(name, given, instead, "it is no moment that could be right");
    return instead;
  }

  return {
    change,
    drop,
    given: (...names: string[]) => find(names).given,

    /** Once all fields are read: what is in none of them. */
    noteRest(): void {
      const [ownId] = subject.id.split("/").slice(-1);
      for (const [name, given] of Object.entries(fields)) {
        const instead = asked.get(name);
        const isSaid = instead === name || DERIVED[subject.kind]?.includes(name) || (name === "id" && given === ownId);
        if (isSaid || !hasContent(given)) continue;
        if (instead === undefined) drop(name, given, "nothing of that name is imported");
        else if (!isSame(given, fields[instead])) drop(name, given, `${instead} is there too`);
      }
    },

    /** Null for none, and for what is neither true nor false, which is noted. */
    flag(name: string): boolean | null {
      const { given } = find([name]);
      if (typeof given === "boolean") return given;
      if (given !== undefined) drop(name, given, "it is neither true nor false");
      return null;
    },

    /** A text as the file has it, less what cannot be stored. */
    stored(name: string, given: string): string {
      const clean = storable(given);
      if (clean !== given) change(name, given, clean, UNSTORABLE);
      return clean;
    },

    /** A text as forms would take it; null for none. */
    text(names: readonly string[], { max, lines }: { max: number; lines: "one" | "many" }): string | null {
      const { name, given } = find(names);
      if (given === undefined) return null;
      if (typeof given !== "string" && typeof given !== "number") {
        drop(name, given, "it is no text");
        return null;
      }
      const whole = String(given).replace(/\r\n?/g, "\n").trim();
      const clean = shownText(whole, lines);
      const cut = codePoints(clean) > max ? [...clean].slice(0, max).join("").trim() : clean;
      if (cut !== clean) change(name, given, cut, `it may have ${max.toLocaleString("en-GB")} characters at most`);
      else if (clean !== whole) change(name, given, clean, "characters that cannot be shown were removed");
      return cut === "" ? null : cut;
    },

    /** One of these words; `fallback` for a missing one, and `unknown` for any other. */
    word<Word extends string, Fallback extends Word | null>(
      names: readonly string[],
      { words, fallback, unknown }: { words: readonly Word[]; fallback: Fallback; unknown: Word },
    ): Word | Fallback {
      const { name, given } = find(names);
      if (given === undefined) return fallback;
      const word = words.find((one) => one === given);
      if (word === undefined) change(name, given, unknown, "that is none of its values");
      return word ?? unknown;
    },

    /** A moment; what `fallback` says for a missing one and for one that is none, which is noted. */
    instant,

    /** A calendar day, of a moment the one that it is in `timeZone`; null for none. */
    day(names: readonly string[], timeZone: string): string | null {
      const { name, given } = find(names);
      if (given === undefined) return null;
      // With an offset, or without one, a text says itself which day it is where it was written.
      const isMoment = typeof given !== "string" || UTC_MOMENT.test(given);
      const moment = isMoment ? readInstant(given) : null;
      const day = daySchema.safeParse(moment === null ? String(given).slice(0, 10) : dayOf(moment, timeZone));
      if (!day.success) drop(name, given, "it is no day between 2000 and 2100");
      return day.success ? day.data : null;
    },

    /** What a schema makes of a field; null for none, and for one that it refuses. */
    checked<Value>(names: readonly string[], schema: z.ZodMiniType<Value>): Value | null {
      const { name, given } = find(names);
      if (given === undefined) return null;
      const clean = storableParts(given);
      if (!isSame(clean, given)) change(name, given, clean, UNSTORABLE);
      const read = schema.safeParse(clean);
      const [issue] = read.success ? [] : read.error.issues;
      if (issue) drop(name, given, `it is not valid: ${issue.message.replace(/\.$/, "")}`);
      return read.success ? read.data : null;
    },

    /** Whom a field names, by id or as an object with one. */
    reference(...names: string[]): string | null {
      const { name, given } = find(names);
      const id = readId(given);
      if (given !== undefined && id === null) drop(name, given, "it names nobody");
      return id;
    },

    references(...names: string[]): string[] {
      const { name, given } = find(names);
      if (given === undefined) return [];
      if (!Array.isArray(given)) {
        drop(name, given, "it is no list");
        return [];
      }
      const ids = given.flatMap((one) => readId(one) ?? []);
      for (const one of given) if (readId(one) === null) drop(name, one, "it names nobody");
      return [...new Set(ids)];
    },
  };
}

export type Fields = ReturnType<typeof createFields>;

function hasContent(given: unknown): boolean {
  return given !== undefined && given !== null && given !== "" && !(Array.isArray(given) && given.length === 0);
}

/** Whether two names say the same: someone's id, or an object with it. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(readId(one) ?? one) === JSON.stringify(readId(other) ?? other);
}

function shownText(text: string, lines: "one" | "many"): string {
  const stored = storable(text);
  if (showsAsItIs(stored, lines)) return isBlank(stored) ? "" : stored;
  return lines === "one" ? lineOf(stored) : linesOf(stored);
}

function readId(given: unknown): string | null {
  if (typeof given === "string") return storable(given) || null;
  if (typeof given === "number") return String(given);
  const object = withIdSchema.safeParse(given);
  return object.success ? storable(object.data.id) || null : null;
}

/** ISO text, milliseconds, or seconds and nanoseconds, as an ISO text in UTC; null for what was no moment of such a product. */
function readInstant(given: unknown): string | null {
  const ms = typeof given === "string" ? Date.parse(given) : typeof given === "number" ? given : stampMs(given);
  const isLikely = ms >= EARLIEST && ms <= Date.now() + DAY_MS;
  return isLikely ? new Date(ms).toISOString() : null;
}

/**
 * The day of a moment (ISO, UTC) in a time zone. Midnight in UTC is a day that was stored as a moment, and stays it: west of Greenwich
 * it would become the one before.
 */
export function dayOf(moment: string, timeZone: string): string {
  return moment.endsWith(MIDNIGHT) ? moment.slice(0, 10) : dayIn(Date.parse(moment), timeZone);
}

/** The day (YYYY-MM-DD) that it is in a time zone. */
export function dayIn(ms: number, timeZone: string): string {
  return new Intl.DateTimeFormat("sv-SE", { timeZone }).format(ms);
}

function stampMs(given: unknown): number {
  const stamp = secondsSchema.safeParse(given);
  if (!stamp.success) return Number.NaN;
  return stamp.data._seconds * 1000 + Math.floor((stamp.data._nanoseconds ?? 0) / 1_000_000);
}

/** The id of the file where it is a UUID, else one that is the same in each run. */
export function keptId(id: string, ...scope: string[]): string {
  const given = idSchema.safeParse(id);
  if (given.success) return given.data;
  const hex = hash("sha256", ["sangam import", ...scope, id].join("\u0000"));
  // Version 8: made by a rule of one's own.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
