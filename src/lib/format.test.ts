import { expect, test } from "vitest";
import {
  dueState,
  formatCount,
  formatDate,
  formatDay,
  formatInstant,
  formatInstantInText,
  formatInstantLong,
  formatTime,
  initials,
  today,
} from "./format";

test("a calendar day reads the same in every time zone", () => {
  expect(formatDay("2026-11-20")).toBe("20 Nov 2026");
  expect(formatDay("2027-01-08")).toBe("8 Jan 2027");
});

test("what is no calendar day is shown as it is, never as Invalid Date", () => {
  expect(formatDay("soon")).toBe("soon");
  expect(formatDay("2026-02-30")).toBe("2026-02-30");
});

test("a due day always shows its date, and within a week how far away it is", () => {
  const label = (due: string | null) => dueState(due, "2026-11-20").label;
  expect(label(null)).toBe("No due date");
  expect(label("2026-11-19")).toBe("Overdue since 19 Nov");
  expect(label("2025-11-19")).toBe("Overdue since 19 Nov 2025");
  expect(label("2026-11-20")).toBe("20 Nov 2026 · today");
  expect(label("2026-11-21")).toBe("21 Nov 2026 · tomorrow");
  expect(label("2026-11-24")).toBe("24 Nov 2026 · in 4 days");
  expect(label("2026-11-27")).toBe("27 Nov 2026 · in 7 days");
  expect(label("2026-11-28")).toBe("28 Nov 2026");
});

test("days are counted across a clock change", () => {
  expect(dueState("2026-10-27", "2026-10-24")).toEqual({ kind: "soon", label: "27 Oct 2026 · in 3 days" });
});

test("an instant of today says so before its time, an older one is a date", () => {
  const now = new Date(2026, 10, 20, 18, 0);
  expect(formatInstant(new Date(2026, 10, 20, 10, 42), now)).toBe("Today 10:42");
  expect(formatInstantInText(new Date(2026, 10, 20, 10, 42), now)).toBe("today 10:42");
  expect(formatDate(now)).toBe("20 Nov 2026");
  expect(formatTime(now)).toBe("18:00");
  expect(formatInstant(new Date(2026, 10, 19, 10, 42), now)).toBe("19 Nov 2026");
  expect(formatInstantLong(new Date(2026, 10, 19, 9, 5))).toBe("19 Nov 2026, 09:05");
  expect(today(now)).toBe("2026-11-20");
});

test("initials are at most two, from the first and the last word", () => {
  expect(initials("Asha Kulkarni")).toBe("AK");
  expect(initials("asha")).toBe("A");
  expect(initials("Juan Carlos de la Vega")).toBe("JV");
  expect(initials("Élodie O'Brien (you)")).toBe("ÉO");
  expect(initials("  🙂  ")).toBe("?");
  expect(initials("")).toBe("?");
});

test("a badge never shows more than 99+", () => {
  expect([0, 99, 100].map(formatCount)).toEqual(["0", "99", "99+"]);
});
