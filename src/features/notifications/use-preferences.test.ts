import { expect, test } from "vitest";
import { takeBack } from "./use-preferences";

const ON = { inApp: true, mail: "at-once" };
const OFF = { inApp: false, mail: "off" };

test("a refused change of preferences takes back its own kinds, not what was changed after it", () => {
  const before = { mention: ON, comment: ON, request: OFF };
  const shown = { mention: OFF, comment: OFF, request: OFF };
  expect(takeBack(shown, { mention: OFF }, before)).toEqual({ mention: ON, comment: OFF, request: OFF });
  expect(takeBack(shown, { mention: OFF }, undefined)).toEqual(shown);
});
