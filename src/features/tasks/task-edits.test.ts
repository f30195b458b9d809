import { describe, expect, test } from "vitest";
import { ASSIGNEES, CHECKLIST, TITLE } from "./task-edits";

describe("two edits of one field", () => {
  test("one that only one side made stands; two alike are one; two that differ have to be chosen from", () => {
    const { merge } = TITLE;
    expect(merge({ base: "a", mine: "b", theirs: "a" })).toBe("b");
    expect(merge({ base: "a", mine: "a", theirs: "b" })).toBe("b");
    expect(merge({ base: "a", mine: "b", theirs: "b" })).toBe("b");
    expect(merge({ base: "a", mine: "b", theirs: "c" })).toBeUndefined();
  });

  test("people that either side added or removed: nobody's choice is lost", () => {
    const { merge } = ASSIGNEES;
    expect(merge({ base: ["a", "b"], mine: ["a", "b", "c"], theirs: ["b", "d"] })).toEqual(["b", "d", "c"]);
    expect(merge({ base: ["a"], mine: [], theirs: ["a", "b"] })).toEqual(["b"]);
    expect(merge({ base: ["a"], mine: ["a", "b"], theirs: ["a", "b"] })).toEqual(["a", "b"]);
  });

  test("lines of a checklist: added, removed, ticked and written on both sides", () => {
    const { merge } = CHECKLIST;
    const item = (id: string, text = id, done = false) => ({ id, text, done });
    const base = [item("a"), item("b"), item("c")];
    const mine = [item("a", "a", true), item("c", "mine"), item("d")];
    const theirs = [item("e"), item("a", "theirs"), item("b"), item("c", "c", true)];
    expect(merge({ base, mine, theirs })).toEqual([
      item("e"),
      item("a", "theirs", true),
      item("c", "mine", true),
      item("d"),
    ]);
  });

  test("lines that were put in another order here keep it, with what was added there at the end", () => {
    const item = (id: string, done = false) => ({ id, text: id, done });
    const base = [item("a"), item("b")];
    const merged = CHECKLIST.merge({
      base,
      mine: [item("b"), item("a")],
      theirs: [item("a", true), item("b"), item("c")],
    });
    expect(merged).toEqual([item("b"), item("a", true), item("c")]);
  });
});
