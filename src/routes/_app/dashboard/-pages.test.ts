import { expect, test } from "vitest";
import { roomFor, roomsFor, roomsOnPhone } from "./rooms";

const USER = { accountType: "user" } as const;
const CLIENT = { accountType: "client" } as const;

test("the sidebar's entries stand in the specification's order", () => {
  expect(roomsFor(USER).map(({ label }) => label)).toEqual([
    "Tasks",
    "Dashboard",
    "Team",
    "Projects",
    "Calendar",
    "Messages",
    "Settings",
  ]);
});

test("clients have the rooms that make sense for them; an address of another one shows the board", () => {
  expect(roomsFor(CLIENT).map(({ label }) => label)).toEqual(["Projects", "Calendar", "Settings"]);
  expect(roomFor(CLIENT, "team")).toBe("board");
  expect(roomFor(CLIENT, "messages")).toBe("board");
  expect(roomFor(CLIENT, "calendar")).toBe("calendar");
  expect(roomFor(USER, "team")).toBe("team");
});

test("a phone's bar has five places, More among them, and no room is lost", () => {
  for (const me of [USER, CLIENT]) {
    const { bar, more } = roomsOnPhone(me);
    expect(bar.length + 1).toBeLessThanOrEqual(5);
    expect(new Set([...bar, ...more])).toEqual(new Set(roomsFor(me)));
  }
});
