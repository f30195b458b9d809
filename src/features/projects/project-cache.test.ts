import type { Project, ProjectPage } from "@server/contract/views";
import { expect, test } from "vitest";
import { belongsTo, dropProject, inputOf, putProject, settleIn, settleProject } from "./project-cache";

const ME = { id: "me", accountType: "user" } as const;

test("a changed project takes its old place, and its new tab's count", () => {
  const page = pageOf([project({ id: "b", createdAt: "2026-11-02" }), project({ id: "a", createdAt: "2026-11-01" })]);
  const merged = putProject(page, project({ id: "a", createdAt: "2026-11-01", status: "completed", version: 2 }));
  expect(merged.items.map(({ id, status }) => [id, status])).toEqual([
    ["b", "todo"],
    ["a", "completed"],
  ]);
  expect(merged.counts).toEqual({ todo: 1, inProgress: 0, completed: 1 });
});

test("a new project stands where its age puts it, ties by id", () => {
  const page = pageOf([project({ id: "d", createdAt: "2026-11-03" }), project({ id: "b", createdAt: "2026-11-01" })]);
  const ids = (created: Project) => putProject(page, created).items.map(({ id }) => id);
  expect(ids(project({ id: "e", createdAt: "2026-11-04" }))).toEqual(["e", "d", "b"]);
  expect(ids(project({ id: "c", createdAt: "2026-11-01" }))).toEqual(["d", "c", "b"]);
  expect(ids(project({ id: "a", createdAt: "2026-11-01" }))).toEqual(["d", "b", "a"]);
});

test("an older version never replaces a newer one", () => {
  const page = pageOf([project({ id: "a", version: 3, title: "Third" })]);
  expect(putProject(page, project({ id: "a", version: 2, title: "Second" }))).toBe(page);
});

test("with equal versions the later reading wins: task counts do not raise the version", () => {
  const page = pageOf([project({ id: "a", taskCounts: { total: 1, completed: 0 } })]);
  const merged = putProject(page, project({ id: "a", taskCounts: { total: 2, completed: 1 } }));
  expect(merged.items[0]?.taskCounts).toEqual({ total: 2, completed: 1 });
});

test("on hold and cancelled count under To Do", () => {
  const page = pageOf([project({ id: "a" })]);
  expect(putProject(page, project({ id: "b", status: "on-hold" })).counts.todo).toBe(2);
  expect(putProject(page, project({ id: "b", status: "cancelled" })).counts.todo).toBe(2);
});

test("a project beyond the end of an unfinished list is counted, not listed", () => {
  const page = { ...pageOf([project({ id: "b", createdAt: "2026-11-02" })]), nextCursor: "more" };
  const merged = putProject(page, project({ id: "a", createdAt: "2026-11-01" }));
  expect(merged.items).toHaveLength(1);
  expect(merged.counts.todo).toBe(2);
});

test("a dropped project leaves its count; dropping a stranger changes nothing", () => {
  const page = pageOf([project({ id: "a", status: "inProgress" })]);
  expect(dropProject(page, "a")).toEqual(pageOf([]));
  expect(dropProject(page, "x")).toBe(page);
});

test("the list of my projects lets go of one that no longer names me, the list of all keeps it", () => {
  const page = pageOf([project({ id: "a", assignedTo: ["me"] })]);
  const changed = project({ id: "a", assignedTo: ["someone"], version: 2 });
  expect(settleProject(page, { project: changed, scope: "mine", viewer: ME }).items).toEqual([]);
  expect(settleProject(page, { project: changed, scope: "all", viewer: ME }).items).toEqual([changed]);
});

test("an admin's own list takes only what the admin takes part in", () => {
  const admin = { id: "me", accountType: "admin" } as const;
  expect(belongsTo("mine", project({ id: "a" }), admin)).toBe(false);
  expect(belongsTo("mine", project({ id: "a", managers: ["me"] }), admin)).toBe(true);
  expect(belongsTo("all", project({ id: "a" }), admin)).toBe(true);
});

test("a client keeps nothing by having created a project", () => {
  const client = { id: "me", accountType: "client" } as const;
  expect(belongsTo("mine", project({ id: "a", createdBy: "me" }), client)).toBe(false);
  expect(belongsTo("mine", project({ id: "a", clientId: "me" }), client)).toBe(true);
  expect(belongsTo("mine", project({ id: "a", createdBy: "me" }), ME)).toBe(true);
});

test("merging leaves the page it was given as it was", () => {
  const page = pageOf([project({ id: "a" })]);
  const before = structuredClone(page);
  putProject(page, project({ id: "b", createdAt: "2027-01-01" }));
  putProject(page, project({ id: "a", status: "completed", version: 2 }));
  dropProject(page, "a");
  expect(page).toEqual(before);
});

test("a change made elsewhere is put in a list as its reader sees it", () => {
  const mine = project({ id: "a", assignedTo: ["me"], clientId: "meera" });
  const page = pageOf([mine]);
  const settle = (changed: Partial<Project>, input: { scope?: string; asClientId?: string } = { scope: "mine" }) =>
    settleIn(page, { projectId: "a", project: { ...mine, version: 2, ...changed }, input, me: ME });
  expect(settle({ title: "Renamed" })?.items).toMatchObject([{ title: "Renamed", canEdit: true }]);
  expect(settle({ assignedTo: [] })?.items).toEqual([]);
  expect(settle({ assignedTo: [] }, {})?.items).toEqual([]);
  expect(settle({ assignedTo: [] }, { scope: "all" })?.items).toHaveLength(1);
});

test("what an admin reads as a client has the server asked: the client may not see the repository", () => {
  const page = pageOf([project({ id: "a", clientId: "meera", canEdit: false })]);
  const changed = project({ id: "a", clientId: "meera", githubRepo: "https://x/y", version: 2 });
  const me = { id: "me", accountType: "admin" } as const;
  expect(settleIn(page, { projectId: "a", project: changed, input: { asClientId: "meera" }, me })).toBeNull();
});

test("a project that is gone leaves every list, and who is not known has the server asked", () => {
  const page = pageOf([project({ id: "a" })]);
  const gone = { projectId: "a", project: null, me: null };
  expect(settleIn(page, { ...gone, input: { scope: "all" } })?.items).toEqual([]);
  expect(settleIn(page, { ...gone, input: { asClientId: "meera" } })?.items).toEqual([]);
  expect(settleIn(page, { ...gone, project: project({ id: "a", version: 2 }), input: { scope: "all" } })).toBeNull();
});

test("what a list was asked for is in its key", () => {
  expect(inputOf([["projects", "list"], { input: { scope: "mine", q: "quay" }, type: "query" }])).toEqual({
    scope: "mine",
    q: "quay",
  });
  expect(inputOf([["projects", "list"]])).toEqual({});
});

function pageOf(items: Project[]): ProjectPage {
  const inTab = (...statuses: string[]) => items.filter(({ status }) => statuses.includes(status)).length;
  return {
    items,
    nextCursor: null,
    counts: {
      todo: inTab("todo", "on-hold", "cancelled"),
      inProgress: inTab("inProgress"),
      completed: inTab("completed"),
    },
  };
}

function project(fields: Partial<Project> & { id: string }): Project {
  return {
    key: "PRJ",
    title: "A project",
    description: "What it is about",
    status: "todo",
    startDate: "2026-11-01",
    dueDate: null,
    githubRepo: null,
    liveLink: null,
    clientId: null,
    client: null,
    clientPeople: [],
    assignedTo: [],
    managers: [],
    people: [],
    projectType: null,
    clientCollaboration: false,
    statusReminder: false,
    taskCounts: { total: 0, completed: 0 },
    createdAt: "2026-11-01",
    createdBy: "someone",
    updatedAt: "2026-11-01",
    version: 1,
    commitView: { mode: "titles", maskedWords: [] },
    canEdit: true,
    ...fields,
  };
}
