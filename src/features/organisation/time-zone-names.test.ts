import { updateOrganisationSchema } from "@server/contract/organisation";
import { expect, test } from "vitest";
import { listTimeZoneNames } from "./time-zone-names";

const zoneOf = (timeZone: string) => new Intl.DateTimeFormat("en", { timeZone }).resolvedOptions().timeZone;

test("zones are offered by their present names, each once, and all are taken", () => {
  const names = listTimeZoneNames();
  expect(names).toEqual(expect.arrayContaining(["America/Argentina/Buenos_Aires", "Asia/Kolkata", "Europe/Kyiv"]));
  expect(names).not.toContain("Asia/Calcutta");
  expect(names.map(zoneOf).toSorted()).toEqual(Intl.supportedValuesOf("timeZone").map(zoneOf).toSorted());
  for (const timeZone of names) expect(updateOrganisationSchema.safeParse({ timeZone }).error).toBeUndefined();
});
