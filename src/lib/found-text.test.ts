import { expect, test } from "vitest";
import { partsOf } from "./found-text";

/** The parts with what was found in brackets. */
const marked = (text: string, query: string) =>
  partsOf(text, query)
    .map((part) => (part.isFound ? `[${part.text}]` : part.text))
    .join("");

test.each([
  ["the query as a whole, where it stands so", "Harbour booking", "harbour book", "[Harbour book]ing"],
  ["else each of its words, in any order", "the barometer at the quay", "quay BAROM", "the [barom]eter at the [quay]"],
  ["every place, also beside each other", "papapa", "pap", "[pap]apa"],
  ["pieces of three letters and more, shorter ones as whole words", "go and forgo v2", "go", "[go] and forgo v2"],
  ["letters with accents, composed or not", "Élan, E\u0301lan", "elan", "[Élan], [E\u0301lan]"],
  ["letters that fold to more than one", "ﬁle & straße", "file", "[ﬁle] & straße"],
  ["letters of two units behind others", "50 🚢 afloat", "afloat", "50 🚢 [afloat]"],
  ["letters that their signs change", "दान, दिन", "दिन", "दान, [दिन]"],
  ["kana composed or not", "ハス ハ\u3099ス, バス停", "バス", "ハス [ハ\u3099ス], バス停"],
  ["pieces behind letters of several units", "ハ\u3099ス停 12", "バス停", "[ハ\u3099ス停] 12"],
  [
    "Hangul composed or not",
    "한글 문서".normalize("NFD"),
    "문서입".slice(0, 2),
    `${"한글".normalize("NFD")} [${"문서".normalize("NFD")}]`,
  ],
  ["letters with all their signs", "दिनों में", "दिन", "[दिनों] में"],
  ["no letter without the sign that it has", "नों न", "न", "नों [न]"],
  ["nothing of a title that was found by its key", "Tides", "HBP-12", "Tides"],
  ["nothing of a blank query", "Tides", "  ", "Tides"],
  ["signs as they are, and never as patterns", "at 100% (.*)", "(.*)", "at 100% [(.*)]"],
])("marks %s", (_what, text, query, wanted) => {
  expect(marked(text, query)).toBe(wanted);
  expect(
    partsOf(text, query)
      .map((part) => part.text)
      .join(""),
  ).toBe(text);
});
