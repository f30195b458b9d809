import { expect, test } from "vitest";
import { fromAddress, toAddress } from "@/features/overview/since-search";
import { today } from "@/lib/format";
import { describeSince, partsOf } from "./since-text";

const count = (count: number) => ({ count, ids: [] });
const NEWS = {
  since: "2026-11-17T18:02:11.412Z",
  upTo: "2026-11-20T09:00:00.000Z",
  tasksDone: count(3),
  datesMoved: count(1),
  commits: count(7),
  messages: count(0),
};

test("the sentence leaves out what there is none of, and speaks to clients in their words", () => {
  const texts = (side: "firm" | "client") => partsOf(NEWS, side).map(({ text }) => text);
  expect(texts("firm")).toEqual(["3 tasks done", "1 date moved", "7 commits"]);
  expect(texts("client")).toEqual(["3 tasks finished", "1 date moved", "7 code changes"]);
  expect(partsOf({ ...NEWS, commits: null }, "firm")).toHaveLength(2);
});

test.each([
  [new Date(2026, 10, 20, 8, 5), "08:05"],
  [new Date(2026, 10, 19, 23, 59), "yesterday"],
  [new Date(2026, 10, 17, 18, 2), "Tuesday"],
  [new Date(2026, 10, 14, 0, 0), "Saturday"],
  [new Date(2026, 10, 13, 23, 0), "13 Nov"],
  [new Date(2025, 11, 31, 12, 0), "31 Dec 2025"],
])("since %s is called %s", (since, text) => {
  expect(describeSince(since, { today: "2026-11-20", day: today(since) })).toBe(text);
});

test("an address names a kind and an instant; anything else is no list", () => {
  const asked = { kind: "tasksDone", since: NEWS.since } as const;
  expect(fromAddress(toAddress(asked))).toEqual(asked);
  const since = NEWS.since;
  for (const junk of [
    undefined,
    "",
    "tasksDone",
    `all,${since}`,
    "commits,yesterday",
    `commits,${since},1`,
    "commits,2026-13-99T99:99Z",
  ])
    expect(fromAddress(junk)).toBeUndefined();
});
