import { expect, test } from "vitest";
import { parseSearch, stringifySearch } from "@/lib/search";
import { readBoardSearch } from "./board-search";

const PROJECT = "0198a000-0000-7000-8000-000000000001";
const OTHER = "0198a000-0000-7000-8000-000000000002";
const FULL = {
  view: "settings",
  tab: "completed",
  filter: "managed",
  q: "har 12",
  panel: OTHER,
  modal: "edit",
  project: PROJECT,
} as const;

test("an address survives being read and written", () => {
  expect(reread(FULL)).toEqual(FULL);
});

test("changing one param never drops another", () => {
  const changes = [
    { view: undefined },
    { tab: "inProgress" },
    { filter: "client" },
    { q: "other" },
    { panel: PROJECT },
    { modal: "view" },
    { project: OTHER },
  ] as const;
  for (const change of changes) expect(reread({ ...FULL, ...change })).toEqual({ ...FULL, ...change });
});

test("defaults are left out of the address", () => {
  expect(stringifySearch(readBoardSearch({ tab: "todo", view: "board", filter: "all", q: "  " }))).toBe("");
});

test("junk gives the default view, also over the raw address that the router keeps underneath", () => {
  const junk = {
    view: "xx",
    tab: "xx",
    filter: "9",
    q: "x".repeat(201),
    panel: "<script>",
    modal: "nothing",
    project: "../etc",
  };
  expect({ ...junk, ...readBoardSearch(junk) }).toEqual({});
});

test("a dialog about a project needs one; the create dialog drops it", () => {
  expect(reread({ modal: "view" })).toEqual({});
  expect(reread({ modal: "edit", project: "junk" })).toEqual({});
  expect(reread({ modal: "create", project: PROJECT })).toEqual({ modal: "create" });
  expect(reread({ project: PROJECT })).toEqual({});
});

function reread(search: Record<string, string | undefined>) {
  return parseSearch(stringifySearch(readBoardSearch(search)));
}
