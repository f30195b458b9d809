import { expect, test } from "vitest";
import { pagesFor, pagesOnPhone, searchChanges } from "./-pages";

const USER = { accountType: "user", manages: false } as const;
const MANAGER = { accountType: "user", manages: true } as const;
const CLIENT = { accountType: "client", manages: false } as const;

test("the sidebar's entries stand in the specification's order", () => {
  expect(pagesFor(USER).map(({ label }) => label)).toEqual([
    "Tasks",
    "Dashboard",
    "Team",
    "Projects",
    "Calendar",
    "Messages",
    "Settings",
  ]);
});

test("Requests is there for whoever manages a project", () => {
  expect(pagesFor(MANAGER).map(({ label }) => label)).toContain("Requests");
});

test("clients have every page of the specification's sidebar but Team and the staff's Dashboard", () => {
  expect(pagesFor(CLIENT).map(({ label }) => label)).toEqual(["Tasks", "Projects", "Calendar", "Settings"]);
});

test("words that look for people neither come from elsewhere nor go there; other words come along", () => {
  for (const { to } of pagesFor(USER)) {
    for (const { to: from } of pagesFor(USER)) {
      const isOtherSearch = to !== from && (to === "/dashboard/team" || from === "/dashboard/team");
      expect(searchChanges(to, from)).toEqual(isOtherSearch ? { q: undefined } : {});
    }
  }
});

test("a phone's bar has five places, More among them, and no page is lost", () => {
  for (const me of [USER, MANAGER, CLIENT]) {
    const { bar, more } = pagesOnPhone(me);
    expect(bar.length + 1).toBeLessThanOrEqual(5);
    expect(new Set([...bar, ...more])).toEqual(new Set(pagesFor(me)));
  }
});
