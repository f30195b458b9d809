import { expect, test } from "vitest";
import { isolate } from "./bidi";

test("a text from right to left is isolated from its sentence; others are left alone", () => {
  for (const text of ["بوابة الميناء", "HBP שלום", "abc \u202e def"]) expect(isolate(text)).toBe(`\u2068${text}\u2069`);
  for (const text of ["", "Harbour booking portal", "बंदरगाह", "港口", "🚢"]) expect(isolate(text)).toBe(text);
});
