import { expect, test } from "vitest";
import { formatDay, formatListTime, formatUntil, previewOf, withLinks } from "./chat-format";

test("a preview is 30 letters and three dots, in one line, and never half an emoji", () => {
  expect(previewOf("Can we move the demo to Thursday?")).toBe("Can we move the demo to Thursd...");
  expect(previewOf("x".repeat(30))).toBe("x".repeat(30));
  expect(previewOf("one\n\ntwo")).toBe("one two");
  expect(previewOf(`${"x".repeat(29)}👩‍👩‍👧‍👦y`)).toBe(`${"x".repeat(29)}👩‍👩‍👧‍👦...`);
});

test("the list says the hour of today, the weekday of this week, else the date", () => {
  const at = (text: string) => new Date(text).toISOString();
  expect(formatListTime(at("2026-11-20T09:15"), "2026-11-20")).toBe("09:15");
  expect(formatListTime(at("2026-11-18T09:15"), "2026-11-20")).toBe("Wed");
  expect(formatListTime(at("2026-11-13T09:15"), "2026-11-20")).toBe("13 Nov");
  expect(formatListTime(at("2025-11-14T09:15"), "2026-11-20")).toBe("14 Nov 2025");
});

test("a day is Today, Yesterday or its date", () => {
  expect(formatDay("2026-11-20", "2026-11-20")).toBe("Today");
  expect(formatDay("2026-11-19", "2026-11-20")).toBe("Yesterday");
  expect(formatDay("2026-11-18", "2026-11-20")).toBe("Wednesday, 18 November");
  expect(formatDay("2025-11-18", "2026-11-20")).toBe("Tuesday, 18 November 2025");
});

test("a cover lasts until an hour of today, tomorrow, a day of the week, or a date", () => {
  const until = (text: string) => formatUntil(new Date(text).toISOString(), "2026-11-20");
  expect(until("2026-11-20T18:30")).toBe("18:30");
  expect(until("2026-11-21T00:00")).toBe("tomorrow");
  expect(until("2026-11-26T00:00")).toBe("Thursday");
  expect(until("2026-11-27T00:00")).toBe("27 Nov 2026");
});

test("web addresses become links, without the full stop behind them; nothing else does", () => {
  const text = "See https://sangam.example/a?b=1. Or (https://x.example/y), not javascript:alert(1)";
  const pieces = withLinks(text);
  expect(pieces.map((piece) => piece.text).join("")).toBe(text);
  expect(pieces.flatMap(({ href }) => href ?? [])).toEqual(["https://sangam.example/a?b=1", "https://x.example/y"]);
  expect(withLinks("https://en.example/wiki/Dock_(port)")).toEqual([
    { text: "https://en.example/wiki/Dock_(port)", href: "https://en.example/wiki/Dock_(port)" },
  ]);
  expect(withLinks("nothing")).toEqual([{ text: "nothing", href: null }]);
});
