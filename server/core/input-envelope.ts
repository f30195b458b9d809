import superjson, { type SuperJSONResult } from "superjson";
import { DomainError } from "./errors";

/*
 * An input on the wire is superjson's envelope, `{ json, meta? }`. superjson carries out whatever `meta` says, before any schema
 * is asked: a typed array made of a number allocates it, and an annotation past the end of a list makes it four thousand million
 * long. So the envelope is checked first, and only what inputs need is ever deserialised: dates and `undefined`.
 */

/** What the longest call holds is a tenth of it. Checking more takes longer than any call should. */
const MAX_VALUES = 10_000;
const MAX_DEPTH = 32;
const MAX_ANNOTATIONS = 2_000;
const MAX_PATH_LENGTH = 200;
/** An ISO-8601 instant has 24 characters; the engine's reader of dates takes any text. */
const MAX_DATE_LENGTH = 40;

const UNSUPPORTED =
  "An input may hold JSON values, dates and undefined only, each written out where it stands, and no more than a call needs.";
const UNWRAPPED = 'Wrap the input in an object with the key "json": {"json": {…}}.';

const REFUSAL = Symbol("refusal");

/**
 * The input of an envelope. One that is refused becomes a value that holds its refusal, for `refusalOf`: tRPC reads the inputs
 * of a whole batch or message at once, and an error thrown here would refuse the calls beside it too.
 */
export function readEnvelope(sent: unknown): unknown {
  if (sent === undefined || isEmptyObject(sent)) return undefined;
  try {
    return superjson.deserialize(checkEnvelope(sent), { inPlace: true });
  } catch (error) {
    return { [REFUSAL]: error instanceof DomainError ? error : unsupported() };
  }
}

/** Why an input from `readEnvelope` is refused; also once tRPC has copied it to add the id of the last event. */
export function refusalOf(input: unknown): DomainError | null {
  const refusal = isObject(input) && REFUSAL in input ? input[REFUSAL] : null;
  return refusal instanceof DomainError ? refusal : null;
}

type Json = SuperJSONResult["json"];
/** The annotations that inputs need, each the only word of its leaf. */
type Annotation = ["Date"] | ["undefined"];

function unsupported(): DomainError {
  return new DomainError("BAD_REQUEST", UNSUPPORTED, { reason: "unsupported-input" });
}

function checkEnvelope(sent: unknown): SuperJSONResult {
  if (!isObject(sent) || !Object.hasOwn(sent, "json"))
    throw new DomainError("BAD_REQUEST", UNWRAPPED, { reason: "missing-envelope" });
  const { json, meta } = sent;
  if (!isModest(json)) throw unsupported();
  if (meta === undefined || meta === null) return { json };
  if (!isObject(meta) || Object.keys(meta).some((key) => key !== "values" && key !== "v")) throw unsupported();
  return { json, meta: { values: readAnnotations(json, meta.values ?? {}), v: 1 } };
}

/** Of the value itself, or of parts of it by their paths. superjson nests them only below what inputs do not need. */
function readAnnotations(json: Json, sent: unknown): Annotation | Record<string, Annotation> {
  if (Array.isArray(sent)) return readAnnotation(json, sent);
  if (!isObject(sent)) throw unsupported();
  const paths = Object.keys(sent);
  if (paths.length > MAX_ANNOTATIONS) throw unsupported();
  return Object.fromEntries(paths.map((path) => [path, readAnnotation(valueAt(json, path), sent[path])]));
}

function readAnnotation(value: unknown, sent: unknown): Annotation {
  const kind: unknown = Array.isArray(sent) && sent.length === 1 ? sent[0] : null;
  if (kind === "undefined" && value === null) return ["undefined"];
  if (kind === "Date" && typeof value === "string" && value.length <= MAX_DATE_LENGTH) return ["Date"];
  throw unsupported();
}

/** No name of an input has a dot or a backslash, so none is escaped; what is missing or inherited has no path. */
function valueAt(json: Json, path: string): unknown {
  if (path.length > MAX_PATH_LENGTH || path.includes("\\")) throw unsupported();
  let value: unknown = json;
  for (const key of path.split(".")) {
    if (typeof value !== "object" || value === null || !Object.hasOwn(value, key) || RESERVED.has(key))
      throw unsupported();
    value = Object.getOwnPropertyDescriptor(value, key)?.value;
  }
  return value;
}

const RESERVED = new Set(["__proto__", "constructor", "prototype"]);

/** Whether a value that came out of a JSON text is of a size and depth that a call may have; counted without recursion. */
function isModest(json: unknown): json is Json {
  let count = 0;
  let level = holdersIn([json]);
  for (let depth = 1; level.length > 0; depth += 1) {
    if (depth > MAX_DEPTH) return false;
    const below: object[] = [];
    for (const holder of level) {
      const values: unknown[] = Object.values(holder);
      count += values.length;
      if (count > MAX_VALUES) return false;
      below.push(...holdersIn(values));
    }
    level = below;
  }
  return true;
}

function holdersIn(values: readonly unknown[]): object[] {
  return values.filter((value) => typeof value === "object" && value !== null);
}

function isObject(value: unknown): value is Record<PropertyKey, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isEmptyObject(value: unknown): boolean {
  return isObject(value) && Object.keys(value).length === 0;
}
