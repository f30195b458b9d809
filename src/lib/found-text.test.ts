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
