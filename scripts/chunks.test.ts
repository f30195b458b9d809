import { expect, test } from "vitest";
import { alternativesOf } from "./chunks";

test("every alternative of a rule is a rule of its own, nested ones too; what is excluded stays excluded", () => {
  const sources = (rule: RegExp) => alternativesOf(rule).map(({ source }) => source);
  expect(sources(/^src\/(a\/|ui\/(b|c)\.)(d|e)/)).toEqual([
    String.raw`^src\/a\/d`,
    String.raw`^src\/a\/e`,
    String.raw`^src\/ui\/b\.d`,
    String.raw`^src\/ui\/b\.e`,
    String.raw`^src\/ui\/c\.d`,
    String.raw`^src\/ui\/c\.e`,
  ]);
  expect(sources(/^(a\/(?!x|y)|b)/)).toEqual([String.raw`^a\/(?!x|y)`, "^b"]);
  expect(sources(/^a\/(b\/)?c/)).toEqual([String.raw`^a\/b\/c`, String.raw`^a\/c`]);
  expect(sources(/^a\.m?js$/)).toEqual([String.raw`^a\.m?js$`]);
});
