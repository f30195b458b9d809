import { expect, test } from "vitest";
import { isComposing } from "./is-composing";

const keyOf = (isComposing: boolean, keyCode: number) => ({ keyCode, nativeEvent: { isComposing } as KeyboardEvent });

test("a key of an input method counts as one in every browser, also where the composition has ended before it", () => {
  expect(isComposing(keyOf(true, 229))).toBe(true);
  expect(isComposing(keyOf(true, 13))).toBe(true);
  expect(isComposing(keyOf(false, 229))).toBe(true);
  expect(isComposing(keyOf(false, 13))).toBe(false);
});
