import superjson from "superjson";
import { expect, test } from "vitest";
import { transformer } from "./transformer";

const { serialize, deserialize } = transformer.output;

test.each([
  ["a view", { id: "a", dueDate: null, counts: [1, 0.5, { done: true }], createdAt: "2026-11-20T10:42:00.000Z" }],
  ["a row without a prototype", Object.assign(Object.create(null), { id: "a" })],
  ["nothing found", null],
])("%s is not copied", (_name, value) => {
  const envelope = serialize(value);
  expect(envelope).toEqual({ json: value });
  expect(envelope.json).toBe(value);
});

test.each([
  ["an instant", { at: new Date(0) }],
  ["undefined", undefined],
  ["undefined in an object", [{ reason: undefined }]],
  ["numbers that JSON has no text for", [Number.NaN, -0, Number.POSITIVE_INFINITY]],
  ["a map", { of: new Map([["a", 1]]) }],
  ["a big integer", { size: 1n }],
])("%s arrives as it was", (_name, value) => {
  expect(serialize(value)).toEqual(superjson.serialize(value));
  expect(deserialize(JSON.parse(JSON.stringify(serialize(value))))).toEqual(value);
});
