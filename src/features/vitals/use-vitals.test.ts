import { expect, test } from "vitest";
import { formatVital, isGood, pagesOf } from "./use-vitals";

test("times are told in milliseconds below a second, and shifts as their score", () => {
  expect(formatVital({ vital: "LCP", p75: 820.4 })).toBe("820 ms");
  expect(formatVital({ vital: "LCP", p75: 2_440 })).toBe("2.4 s");
  expect(formatVital({ vital: "CLS", p75: 0.0123 })).toBe("0.012");
});

test("a page is one row, with the visits of the kind that was measured most", () => {
  const pages = pagesOf([
    { route: "/", vital: "INP", p75: 80, count: 2 },
    { route: "/", vital: "LCP", p75: 900, count: 5 },
    { route: "/login", vital: "LCP", p75: 700, count: 1 },
  ]);
  expect(pages.map(({ route, visits }) => [route, visits])).toEqual([
    ["/", 5],
    ["/login", 1],
  ]);
  expect(pages[0]?.vitals.get("INP")?.p75).toBe(80);
});

test("what is over the public threshold does not count as good", () => {
  expect([isGood({ vital: "INP", p75: 200 }), isGood({ vital: "INP", p75: 201 })]).toEqual([true, false]);
});
