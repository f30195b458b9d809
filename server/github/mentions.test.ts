import { expect, test } from "vitest";
import { parseMentions } from "./mentions";

const named = (message: string) =>
  parseMentions(message).map(
    ({ projectKey, taskNumber, closes }) => `${projectKey}-${taskNumber}${closes ? " closed" : ""}`,
  );

test.each([
  ["HBP-12 Berth calendar", ["HBP-12"]],
  ["Berth calendar (HBP-12)", ["HBP-12"]],
  ["hbp-12 and Hbp-13", ["HBP-12", "HBP-13"]],
  ["HBP-12,HBP-13", ["HBP-12", "HBP-13"]],
  ["#HBP-12: receipts", ["HBP-12"]],
  ["[HBP-12][PR2-7] both", ["HBP-12", "PR2-7"]],
  ["Merge branch 'feature/HBP-12-receipt'", ["HBP-12"]],
  ["See HBP-12.", ["HBP-12"]],
  ["HBP-12\n\nHBP-12 again", ["HBP-12"]],
  ["see https://tasks.example/browse/HBP-12?tab=1", ["HBP-12"]],
  ["HBP-999999999", ["HBP-999999999"]],
])("%s names its tasks, once each", (message, expected) => expect(named(message)).toEqual(expected));

test.each([
  "XHBPQRS-12",
  "preHBP-12",
  "éHBP-12",
  "HBP-12x",
  "HBP-12é",
  "HBP-12_3",
  "HBP-0",
  "HBP-012",
  "H-12",
  "HBP 12",
  "HBP–12",
  "HBP\u201112",
  "HBP\u221212",
  "HBP--12",
  "HBP-\uff11\uff12",
  "HBP-\u0661",
  "\u017fBP-12",
  "\u212aBP-12",
  "HBP-1000000000000",
  "v2-HBP-12",
  "HBP-12.5",
  "HBP-1234567890",
  "",
])("%j names none", (message) => expect(named(message)).toEqual([]));

test.each([
  ["fixes HBP-12", ["HBP-12 closed"]],
  ["Fixes: #HBP-12", ["HBP-12 closed"]],
  ["Closes HBP-12 and HBP-13, HBP-14", ["HBP-12 closed", "HBP-13 closed", "HBP-14 closed"]],
  ["resolve\nHBP-12", ["HBP-12 closed"]],
  ["Resolved HBP-12; see HBP-13", ["HBP-12 closed", "HBP-13"]],
  ["HBP-12: part one\n\nFixes HBP-12", ["HBP-12 closed"]],
  ["HBP-1, fixes HBP-2", ["HBP-1", "HBP-2 closed"]],
  [
    'Revert "Fixes HBP-12 and HBP-13"\n\nThis reverts commit 1f2e3d. Closes HBP-14',
    ["HBP-12", "HBP-13", "HBP-14 closed"],
  ],
  ['Reapply "Fixes HBP-12"', ["HBP-12 closed"]],
  ["Revert to the old sheet, fixes HBP-12", ["HBP-12 closed"]],
])("%s says which it finishes", (message, expected) => expect(named(message)).toEqual(expected));

test.each(["prefix HBP-12", "fixing HBP-12", "fixes the way to HBP-12", "un-fixes HBP-12", "foreclosed HBP-12"])(
  "%s names a task and finishes none",
  (message) => expect(named(message)).toEqual(["HBP-12"]),
);

test("a message of any length is read in a moment, and of a long list fifty are kept", () => {
  const startedAt = performance.now();
  expect(parseMentions(`fixes ${"HBP-1 and ".repeat(50_000)}`)).toHaveLength(1);
  expect(parseMentions("fix ".repeat(100_000) + " ".repeat(100_000))).toEqual([]);
  expect(parseMentions(Array.from({ length: 500 }, (_, at) => `HBP-${at + 1}`).join(" "))).toHaveLength(50);
  expect(performance.now() - startedAt).toBeLessThan(5_000);
});
