import { expect, test } from "vitest";
import { parseSearch, stringifySearch } from "@/lib/search";
import { type BoardSearch, readBoardSearch, searchFor, VIEWS } from "./board-search";
import { roomSearch } from "./rooms";

const PROJECT = "0198a000-0000-7000-8000-000000000001";
const OTHER = "0198a000-0000-7000-8000-000000000002";
const TASK = "0198a000-0000-7000-8000-000000000003";
const FULL = {
  view: "settings",
  tab: "completed",
  filter: "managed",
  q: "har 12",
  month: "2026-11",
  calendar: "agenda",
  panel: OTHER,
  task: TASK,
  modal: "edit",
  project: PROJECT,
  c: "0198a000-0000-7000-8000-000000000004",
  to: "0198a000-0000-7000-8000-000000000005",
} as const;
const CHANGES = {
  view: [undefined, "tasks", "overview", "team", "calendar", "messages"],
  tab: [undefined, "inProgress"],
  filter: [undefined, "client", "internal"],
  q: [undefined, "other"],
  month: [undefined, "2027-01"],
  calendar: [undefined, "month"],
  panel: [PROJECT],
  task: [undefined, OTHER],
  modal: ["view"],
  project: [OTHER],
  c: [undefined, OTHER],
  to: [undefined, OTHER],
} as const satisfies Record<keyof BoardSearch, readonly (string | undefined)[]>;

test("an address survives being read and written", () => {
  expect(reread(FULL)).toEqual(FULL);
});

test("changing one param, or any two, never drops another", () => {
  const changes = Object.entries(CHANGES).flatMap(([name, values]) => values.map((value) => ({ [name]: value })));
  for (const one of changes) {
    for (const other of changes) {
      const changed = { ...FULL, ...one, ...other };
      expect(reread(changed)).toEqual(defined(changed));
    }
  }
});

test("going to another room closes what is open over this one and keeps the rest", () => {
  for (const from of VIEWS) {
    for (const to of VIEWS) {
      const { panel: _, task: __, modal: ___, project: ____, ...rest } = FULL;
      const found = roomSearch(readBoardSearch({ ...FULL, view: from }), to);
      const isPeopleSearch = from !== to && (from === "team" || to === "team");
      expect(defined(found)).toEqual(
        defined({ ...rest, view: to === "board" ? undefined : to, q: isPeopleSearch ? undefined : FULL.q }),
      );
    }
  }
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
    month: "2026-13",
    calendar: "year",
    panel: "<script>",
    task: TASK,
    modal: "nothing",
    project: "../etc",
    c: "x",
    to: "<b>",
  };
  expect({ ...junk, ...readBoardSearch(junk) }).toEqual({});
});

test("a month is four digits and two, of a year that calendars know", () => {
  for (const month of ["2026-1", "0000-01", "26-01", "2026-00", "2026-01-01", " 2026-01"]) {
    expect(reread({ month })).toEqual({});
  }
});

test("a dialog about a project needs one, a task needs its panel; the create dialog drops the project", () => {
  expect(reread({ modal: "view" })).toEqual({});
  expect(reread({ modal: "edit", project: "junk" })).toEqual({});
  expect(reread({ modal: "create", project: PROJECT })).toEqual({ modal: "create" });
  expect(reread({ project: PROJECT })).toEqual({});
  expect(reread({ task: TASK })).toEqual({});
});

test("an address keeps nothing of what a client does not have; others keep all of it", () => {
  const client = { accountType: "client" } as const;
  const all = (view: string) => readBoardSearch({ view, q: "har", panel: PROJECT, modal: "create" });
  for (const view of ["tasks", "overview", "team"]) {
    expect(defined(searchFor(client, all(view)))).toEqual({ q: "har", panel: PROJECT });
  }
  expect(defined(searchFor(client, all("calendar")))).toEqual({ view: "calendar", q: "har", panel: PROJECT });
  expect(searchFor(client, readBoardSearch({ modal: "view", project: PROJECT }))).toMatchObject({ modal: "view" });
  for (const accountType of ["user", "admin"] as const) {
    expect(searchFor({ accountType }, all("team"))).toEqual(all("team"));
  }
});

function reread(search: Record<string, string | undefined>) {
  return parseSearch(stringifySearch(readBoardSearch(search)));
}

function defined(search: object) {
  return Object.fromEntries(Object.entries(search).filter(([, value]) => value !== undefined));
}
