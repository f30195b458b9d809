import { expect, test } from "vitest";
import { checkCoverDay, firstCoverDay } from "./cover-day";

test("a day until which somebody covers is tomorrow or later", () => {
  expect(firstCoverDay(new Date("2026-12-31T23:30"))).toBe("2027-01-01");
  const now = new Date("2026-11-20T09:00");
  const after = { until: "Choose a day after today." };
  expect(["", "2026-11-19", "2026-11-20", "2026-11-21"].map((day) => checkCoverDay(day, now))).toEqual([
    {},
    after,
    after,
    {},
  ]);
});
