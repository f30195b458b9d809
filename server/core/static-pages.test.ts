import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { INQUIRY_FORM_ACTION } from "../contract/inquiry-form";
import { REFERENCE_PAGE } from "../contract/paths";
import type { Visitor } from "./app-documents";
import { staticPages } from "./static-pages";

/** As in development, where nothing is built. */
function pagesFor(visitor: Visitor) {
  const visits = { findVisitor: async () => visitor, readFirst: async () => "{}", draw: async () => null };
  return staticPages({ root: "/nowhere", publicUrl: "https://sangam.example", keptBuilds: "/nowhere", ...visits })
    .routes;
}

test("the link to a task leads to it on the page of whoever follows it, after signing in if need be", async () => {
  const target = async (who: Visitor, path = "/task/hbp-3") => {
    const { status, headers } = await pagesFor(who).request(path);
    return [status, headers.get("location"), headers.get("cache-control")];
  };
  expect(await target("admin")).toEqual([302, "/admin?task=HBP-3", "no-store"]);
  expect(await target("client")).toEqual([302, "/client?task=HBP-3", "no-store"]);
  expect(await target("user")).toEqual([302, "/dashboard?task=HBP-3", "no-store"]);
  expect(await target("unknown")).toEqual([302, "/dashboard?task=HBP-3", "no-store"]);
  expect(await target("signed-out")).toEqual([302, "/login?redirect=%2Ftask%2Fhbp-3", "no-store"]);
  for (const path of ["/task/", "/task/HBP", "/task/HBP-3/x", "/task/%2F%2Fevil-3"])
    expect(await target("user", path)).toEqual([404, null, null]);
});

test("what the server answers without a build reaches it in development", () => {
  const [, list = ""] = /SERVER_PATHS = \[(.*)\];/.exec(readFileSync("scripts/dev.mjs", "utf8")) ?? [];
  const passedOn = [...list.matchAll(/"([^"]+)"/g)].map(([, path = ""]) => path);
  const paths = pagesFor("user").routes.map(({ path }) => path);
  const own = [...paths.filter((path) => path !== "/*"), INQUIRY_FORM_ACTION, REFERENCE_PAGE];
  expect(own.length).toBeGreaterThan(2);
  expect(own.filter((path) => !passedOn.some((start) => path.startsWith(start)))).toEqual([]);
});
