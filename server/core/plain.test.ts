import superjson from "superjson";
import { expect, test } from "vitest";
import { encodeMessage, plain, plainForMany, transformer } from "./plain";

test("a value for many is written as the same text as any other, whatever it holds", () => {
  const value = { title: 'Quotes " and \\ and }}', list: [1, null, { deep: "é" }], result: { data: "x" } };
  for (const made of [plainForMany(value), plain({ ...value })]) {
    const message = { id: 7, jsonrpc: "2.0", result: { type: "data", data: transformer.output.serialize(made) } };
    expect(JSON.parse(encodeMessage(message))).toEqual(JSON.parse(JSON.stringify(message)));
    expect(encodeMessage(message)).toBe(encodeMessage(message));
  }
});

test("what is not for many, and what is no event, is left to JSON", () => {
  for (const message of [
    { id: 1, result: { type: "started" } },
    { id: null, method: "reconnect" },
    { id: 2, error: superjson.serialize({ message: "no" }) },
    { id: 3, result: { type: "data", data: superjson.serialize({ at: new Date(0) }) } },
  ]) {
    expect(encodeMessage(message)).toBe(JSON.stringify(message));
  }
});
