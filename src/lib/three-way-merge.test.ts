import { expect, test } from "vitest";
import { changedFields, mergeEdits, typedSince } from "./three-way-merge";

const FIELDS = ["title", "note", "people"] as const;
const BASE: Values = { title: "Harbour", note: "Slots", people: ["a", "b"] };

type Values = { title: string; note: string; people: readonly string[] };
const merge = (mine: Partial<Values>, theirs: Partial<Values>) =>
  mergeEdits<Values>(FIELDS, { base: BASE, mine: { ...BASE, ...mine }, theirs: { ...BASE, ...theirs } });

test("what only they changed is taken over, what only I changed stays mine", () => {
  expect(merge({ title: "Harbour desk" }, { note: "Slots and tides" })).toEqual({
    merged: { title: "Harbour desk", note: "Slots and tides", people: ["a", "b"] },
    taken: ["note"],
    conflicts: [],
  });
});

test("what both changed differently is a conflict, and mine stands until somebody chooses", () => {
  expect(merge({ title: "Mine", note: "" }, { title: "Theirs", note: "Tides" })).toEqual({
    merged: { ...BASE, title: "Mine", note: "" },
    taken: [],
    conflicts: ["title", "note"],
  });
});

test("the same change by both is no conflict", () => {
  expect(merge({ title: "Same" }, { title: "Same" })).toMatchObject({ taken: [], conflicts: [] });
});

test("a change that I took back is nothing of mine: theirs is taken over", () => {
  expect(merge({ title: "Harbour" }, { title: "Theirs" })).toMatchObject({
    merged: { title: "Theirs" },
    taken: ["title"],
  });
});

test("lists are the same whatever their order, and conflict as a whole", () => {
  expect(merge({ people: ["b", "a"] }, { people: ["a", "b", "c"] })).toMatchObject({ taken: ["people"] });
  expect(merge({ people: ["a"] }, { people: ["b", "a"] })).toMatchObject({ taken: [], conflicts: [] });
  expect(merge({ people: ["a"] }, { people: ["a", "b", "c"] })).toMatchObject({ conflicts: ["people"] });
  expect(merge({ people: [] }, { people: ["c"] })).toMatchObject({ conflicts: ["people"] });
});

test("nothing that it is given is changed", () => {
  const mine = { ...BASE, title: "Mine" };
  const theirs = { ...BASE, note: "Theirs" };
  const before = structuredClone([BASE, mine, theirs]);
  mergeEdits<Values>(FIELDS, { base: BASE, mine, theirs });
  expect([BASE, mine, theirs]).toEqual(before);
});

test("changed fields come in the order of the form", () => {
  expect(changedFields<Values>(FIELDS, BASE, { title: "x", note: "Slots", people: [] })).toEqual(["title", "people"]);
});

test("what is typed while a form is saved stays, over the row as it was saved", () => {
  const since = (mine: Partial<Values>) =>
    typedSince<Values>(FIELDS, {
      sent: BASE,
      mine: { ...BASE, ...mine },
      saved: { ...BASE, title: "Harbour, trimmed" },
    });
  expect(since({ people: ["b", "a"] })).toBeNull();
  expect(since({ note: "Slots and tides" })).toEqual({ ...BASE, title: "Harbour, trimmed", note: "Slots and tides" });
  expect(since({ title: "Harbour II" })).toEqual({ ...BASE, title: "Harbour II" });
});
