import { expect, test } from "vitest";
import { openIds, toggleOpen } from "./open-projects";

test("a project is shown and hidden again, the others stay", () => {
  expect(toggleOpen(undefined, "a")).toBe("a");
  expect(toggleOpen("a", "b")).toBe("a,b");
  expect(toggleOpen("a,b", "a")).toBe("b");
  expect(toggleOpen("a", "a")).toBeUndefined();
});

test("junk is no project, and what was opened last is never cut off", () => {
  expect(openIds(",a,,b,")).toEqual(["a", "b"]);
  const many = Array.from({ length: 50 }, (_, at) => `p${at}`).join(",");
  expect(openIds(toggleOpen(many, "last"))).toHaveLength(50);
  expect(openIds(toggleOpen(many, "last")).at(-1)).toBe("last");
});
