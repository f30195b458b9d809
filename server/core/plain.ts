import superjson from "superjson";
import { readEnvelope } from "./input-envelope";

type Plain = string | number | boolean | null | undefined;

/** Only values that JSON carries as they are: no `Date`, no `Map`, no `bigint`. */
export type PlainJson<T> = T extends Plain
  ? T
  : T extends Date | bigint | symbol | ((...args: never[]) => unknown)
    ? never
    : { [Key in keyof T]: PlainJson<T[Key]> };

const plainValues = new WeakSet<object>();

/**
 * Marks an answer as plain JSON, so that it passes the transformer untouched. superjson's walk over a board of 200 rows
 * costs more than its query; a value without special types needs none of it. The type refuses anything that would.
 */
export function plain<T extends object>(value: T & PlainJson<T>): T {
  plainValues.add(value);
  return value;
}

/** The text of what many streams tell, once it has been asked for. */
const sharedTexts = new WeakMap<object, string | null>();

/** Like `plain`, for one value that many streams tell: on sockets it is written as text once, and not once a watcher. */
export function plainForMany<T extends object>(value: T & PlainJson<T>): T {
  if (!sharedTexts.has(value)) sharedTexts.set(value, null);
  plainValues.add(value);
  return value;
}

/** A message of a socket as text. */
export function encodeMessage(message: unknown): string {
  const value = sharedValueOf(message);
  if (!isObject(message) || !isObject(message.result) || !value) return JSON.stringify(message);
  const text = sharedTexts.get(value) ?? JSON.stringify(value);
  sharedTexts.set(value, text);
  const { result, ...head } = message;
  const { data: _, ...kind } = message.result;
  // Ends in the braces of `result` and of the message.
  const frame = JSON.stringify({ ...head, result: { ...kind, type: "data" } });
  return `${frame.slice(0, -2)},"data":{"json":${text}}}}`;
}

function sharedValueOf(message: unknown): object | null {
  if (!isObject(message) || !isObject(message.result) || message.result.type !== "data") return null;
  const { data } = message.result;
  const value = isObject(data) ? data.json : null;
  return isObject(value) && sharedTexts.has(value) ? value : null;
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}

/** superjson with a way past it for answers marked by `plain`: `{ json }` without meta is valid superjson. */
export const transformer = {
  input: { serialize: superjson.serialize, deserialize: readEnvelope },
  output: {
    serialize: (value: unknown) =>
      typeof value === "object" && value !== null && plainValues.has(value)
        ? { json: value }
        : superjson.serialize(value),
    deserialize: superjson.deserialize,
  },
};
