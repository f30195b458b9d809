import { expect, test } from "vitest";
import { firstGrapheme, graphemesOf } from "./graphemes";

const TEXTS = [
  "",
  "Plain text, 2 lines\nhere",
  "née",
  "e\u0301te",
  "👩‍👩‍👧 went",
  "कि",
  "🇮🇳🇫🇷",
  "a\r\nb",
  "x\u200dy",
  "tab\tbed",
];

test("a text is cut into what people see as letters, plain or not, as the language's own rules do", () => {
  const rules = new Intl.Segmenter("en", { granularity: "grapheme" });
  for (const text of TEXTS)
    expect([...graphemesOf(text)]).toEqual(Array.from(rules.segment(text), ({ segment }) => segment));
});

test("the first letter keeps what belongs to it", () => {
  expect(TEXTS.map(firstGrapheme)).toEqual(["", "P", "n", "e\u0301", "👩‍👩‍👧", "कि", "🇮🇳", "a", "x\u200d", "t"]);
});
