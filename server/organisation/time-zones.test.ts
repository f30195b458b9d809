import { expect, test } from "vitest";
import { matchTimeZone } from "./time-zones";

const MODERN = ["Asia/Kolkata", "EST", "Europe/Kyiv", "UTC", "right/Asia/Tokyo"];

test.each([
  ["Asia/Kolkata", "Asia/Kolkata"],
  ["asia/kolkata", "Asia/Kolkata"],
  // As V8 calls them, and a PostgreSQL without the old names does not.
  ["Asia/Calcutta", "Asia/Kolkata"],
  ["Europe/Kiev", "Europe/Kyiv"],
  ["Asia/Tokyo", null],
  ["EST", null],
  ["Mars/Olympus", null],
])("of the names of a database, %s is %s", (name, present) => {
  expect(matchTimeZone(name, MODERN)).toBe(present);
});

test("an old name that the database has stays", () => {
  expect(matchTimeZone("Asia/Calcutta", ["Asia/Calcutta", "Asia/Kolkata"])).toBe("Asia/Calcutta");
});
