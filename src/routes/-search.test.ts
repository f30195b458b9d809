import { expect, test } from "vitest";
import { readMessagesParams, readMessagesSearch } from "@/features/chat/messages-address";
import { readBoardSearch } from "@/features/projects/board-search";
import { readOverlays } from "@/features/projects/overlay-search";
import { readRequestSearch } from "@/features/requests/request-search";
import { parseSearch, type RawSearch, stringifySearch } from "@/lib/search";
import { Route as ActivityRoute } from "./_app/admin/activity";
import { Route as AuditRoute } from "./_app/admin/audit";
import { Route as ClientViewRoute } from "./_app/admin/clients.$clientId";
import { Route as AllProjectsRoute } from "./_app/admin/index";
import { Route as InquiriesRoute } from "./_app/admin/inquiries";
import { Route as UsersRoute } from "./_app/admin/users";
import { Route as ClientRoute } from "./_app/client/index";
import { Route as ClientRequestsRoute } from "./_app/client/requests";
import { Route as CalendarRoute } from "./_app/dashboard/calendar";
import { Route as BoardRoute } from "./_app/dashboard/index";
import { Route as TasksRoute } from "./_app/dashboard/tasks";
import { Route as TeamRoute } from "./_app/dashboard/team";

const PROJECT = "0198a000-0000-7000-8000-000000000001";
const OTHER = "0198a000-0000-7000-8000-000000000002";
const TASK = "0198a000-0000-7000-8000-000000000003";

const SINCE = "commits,2026-11-17T18:02:11.412Z";

type Read = (search: RawSearch) => object;

/** Every page with a search of its own: an address in full, and junk for each of its names. */
const PAGES: [name: string, read: Read, full: RawSearch, junk: RawSearch][] = [
  [
    "what lies over any page",
    readOverlays,
    { panel: OTHER, task: "HBP-3", modal: "edit", project: PROJECT },
    { panel: "<script>", task: TASK, modal: "nothing", project: "../etc" },
  ],
  [
    "board",
    readOf(BoardRoute),
    { tab: "completed", filter: "managed", q: "har 12", since: SINCE },
    { tab: "xx", filter: "9", q: "x".repeat(201), since: "commits,yesterday" },
  ],
  ["tasks", readOf(TasksRoute), { tasks: PROJECT }, { tasks: "HBP" }],
  ["team", readOf(TeamRoute), { q: "mit", team: "clients" }, { q: "   ", team: "admins" }],
  ["calendar", readOf(CalendarRoute), { month: "2026-11", calendar: "agenda" }, { month: "2026-13", calendar: "year" }],
  ["messages", readMessagesSearch, { to: PROJECT }, { to: "<b>" }],
  [
    "all projects",
    readOf(AllProjectsRoute),
    { open: `${PROJECT},${OTHER}`, q: "har", status: "on-hold", since: SINCE },
    { open: " ", q: "x".repeat(201), status: "active", since: "all" },
  ],
  [
    "users",
    readOf(UsersRoute),
    { users: "pending", find: "mit", dialog: "invite" },
    { users: "<script>", find: "x".repeat(201), dialog: "erase" },
  ],
  ["activity", readOf(ActivityRoute), { activity: PROJECT }, { activity: "HBP" }],
  ["inquiries", readOf(InquiriesRoute), { inquiries: "new", about: "contact" }, { inquiries: "lost", about: "spam" }],
  ["audit", readOf(AuditRoute), { person: PROJECT, kind: "account.approved" }, { person: "1", kind: "account" }],
  [
    "client view",
    readOf(ClientViewRoute),
    { open: "a,b", request: PROJECT, requests: "asked" },
    { open: "", requests: "todo" },
  ],
  [
    "requests",
    readRequestSearch,
    { request: PROJECT, requests: "declined" },
    { request: "all", requests: "inProgress" },
  ],
  [
    "a client's requests",
    readOf(ClientRequestsRoute),
    { request: PROJECT, requests: "asked", writing: "request" },
    { request: "all", requests: "todo", writing: "letter" },
  ],
  ["a client's projects", readOf(ClientRoute), { open: "a,b", since: SINCE }, { open: " ", since: "2026" }],
];

test.each(PAGES)("an address survives being read and written: %s", (_, read, full) => {
  expect(reread(read, full)).toEqual(full);
});

test.each(PAGES)(
  "junk gives the default, also over the raw address that the router keeps underneath: %s",
  (_, read, __, junk) => {
    expect({ ...junk, ...read(junk) }).toEqual({});
    expect({ ...read({}) }).toEqual({});
  },
);

test.each(PAGES)("changing one parameter never drops another: %s", (_, read, full) => {
  // A dialog needs its project.
  if (read === readOverlays) return;
  for (const name of Object.keys(full)) {
    const { [name]: _dropped, ...rest } = full;
    expect(reread(read, rest)).toEqual(rest);
  }
});

test("defaults are left out of the address", () => {
  expect(stringifySearch(readBoardSearch({ tab: "todo", filter: "all", q: "  " }))).toBe("");
  expect(reread(readOf(UsersRoute), { users: "all" })).toEqual({});
  expect(reread(readOf(InquiriesRoute), { inquiries: "all" })).toEqual({});
});

test("a month is four digits and two, of a year that calendars know", () => {
  for (const month of ["2026-1", "0000-01", "26-01", "2026-00", "2026-01-01", " 2026-01"]) {
    expect(reread(readOf(CalendarRoute), { month })).toEqual({});
  }
});

test("a dialog about a project needs one; the create dialog drops the project; a task is named by its key", () => {
  expect(reread(readOverlays, { modal: "view" })).toEqual({});
  expect(reread(readOverlays, { modal: "edit", project: "junk" })).toEqual({});
  expect(reread(readOverlays, { modal: "create", project: PROJECT })).toEqual({ modal: "create" });
  expect(reread(readOverlays, { project: PROJECT })).toEqual({});
  expect(reread(readOverlays, { task: "hbp-3" })).toEqual({ task: "hbp-3" });
  for (const junk of ["HBP", "-3", "HBP-3-4", "<b>-1", TASK]) expect(reread(readOverlays, { task: junk })).toEqual({});
  // The first release named a task by its id, beside its project's panel.
  expect(reread(readOverlays, { panel: PROJECT, task: TASK })).toEqual({ panel: PROJECT, task: TASK });
});

test("what is no id is no conversation", () => {
  expect(readMessagesParams({ conversationId: "<script>" })).toEqual({});
  expect(readMessagesParams({ conversationId: PROJECT })).toEqual({ conversationId: PROJECT });
  expect(readMessagesParams({})).toEqual({});
});

function reread(read: Read, search: RawSearch) {
  return parseSearch(stringifySearch({ ...read(search) }));
}

function readOf(route: { options: { validateSearch?: unknown } }): Read {
  return route.options.validateSearch as Read;
}
