import { expect, test } from "vitest";
import { createFaceFinder } from "./pdf-text";

test.each([
  ["regular", ["a", "É", "E\u0301", "₹", "दी", "©", "1", "#"]],
  ["emoji", ["😀", "✅", "❤️", "👍🏽", "👨‍👩‍👧", "🇮🇳", "1️⃣", "©️", "🫨"]],
  ["fallback", ["日", "க", "→", "\u{10FFFD}"]],
])("what is written in the font %s has a sign there", (face, letters) => {
  const faceOf = createFaceFinder();
  expect(letters.map((letter) => [letter, faceOf(letter)])).toEqual(letters.map((letter) => [letter, face]));
});
