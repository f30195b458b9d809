import { expect, test } from "vitest";
import { maskOf } from "./masking";

test.each([
  ["whatever their case", ["acme"], "ACME, Acme and acme", "•••, ••• and •••"],
  ["inside longer words", ["acme"], "AcmeCorp/acme-api", "•••Corp/•••-api"],
  ["the longest first", ["acme", "acme corp"], "Acme Corp and Acme", "••• and •••"],
  ["joined and with hyphens, as accounts have them", ["Acme Corp"], "AcmeCorp, acme-corp/acme_corp", "•••, •••/•••"],
  ["over the end of a line", ["Acme Corp"], "For Acme\n\tCorp", "For •••"],
  [
    "as they are, not as patterns",
    ["a.b", "(x)", "$1", "c\\d", "[e]"],
    "a.b axb (x) $1 c\\d [e]",
    "••• axb ••• ••• ••• •••",
  ],
  ["in any normal form", ["José"], "Jose\u0301 and JOSÉ", "••• and •••"],
  ["in other scripts", ["Ωμέγα", "हार्बर"], "ΩΜΈΓΑ हार्बर", "••• •••"],
])("words are masked %s", (_, words, text, expected) => {
  expect(maskOf(words)(text)).toBe(expected);
});

test("a text without them stays as it is, and so does any text without words to mask", () => {
  expect(maskOf(["acme"])("Jose\u0301")).toBe("Jose\u0301");
  expect(maskOf([])("Acme")).toBe("Acme");
  expect(maskOf(["", "  "])("Acme")).toBe("Acme");
});
