import superjson from "superjson";
import { expect, test } from "vitest";
import { transformer } from "./transformer";

test("one list given for two fields is sent twice, without a note that it is one", () => {
  const people = ["a"];
  const input = { assignedTo: people, managers: people };
  expect(superjson.serialize(input).meta?.referentialEqualities).toBeDefined();
  expect(transformer.input.serialize(input)).toEqual({ json: input, meta: { v: 1 } });
});

test("dates and undefined keep their meaning", () => {
  const day = new Date(0);
  const input = { from: day, to: day, q: undefined };
  expect(superjson.deserialize(transformer.input.serialize(input))).toEqual(input);
  expect(superjson.deserialize(transformer.input.serialize(undefined))).toBeUndefined();
});
