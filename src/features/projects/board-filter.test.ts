import type { Person, Project } from "@server/contract/views";
import { expect, test } from "vitest";
import { countLabel, filterProjects, groupByTab } from "./board-filter";

const CLIENT: Person = { id: "client", name: "Élan Ports", accountType: "client", profileImgLink: null };
const PROJECTS = [
  project("Harbour portal", { clientId: "client", client: CLIENT, assignedTo: ["me"] }),
  project("Geofence", { description: "Radius per campus", managers: ["me"], status: "inProgress" }),
  project("Seeds", { status: "on-hold" }),
  project("Ledger", { status: "cancelled", clientId: "client", client: CLIENT }),
];

test("each filter keeps what its words say", () => {
  expect(titles("all")).toEqual(["Harbour portal", "Geofence", "Seeds", "Ledger"]);
  expect(titles("client")).toEqual(["Harbour portal", "Ledger"]);
  expect(titles("internal")).toEqual(["Geofence", "Seeds"]);
  expect(titles("assigned")).toEqual(["Harbour portal"]);
  expect(titles("managed")).toEqual(["Geofence"]);
});

test("the search reads title, description and client, whatever the case and the accents", () => {
  expect(titles("all", "HARBOUR")).toEqual(["Harbour portal"]);
  expect(titles("all", "campus")).toEqual(["Geofence"]);
  expect(titles("all", " elan ")).toEqual(["Harbour portal", "Ledger"]);
  expect(titles("assigned", "elan")).toEqual(["Harbour portal"]);
  expect(titles("all", "nothing like it")).toEqual([]);
});

test("what the server found in titles of tasks is there too, in its place, where the filter lets it pass", () => {
  const foundIds = new Set(["Seeds", "Harbour portal"]);
  const found = (filter: "all" | "internal", q: string) =>
    filterProjects(PROJECTS, { filter, q, viewerId: "me", foundIds }).map(({ title }) => title);
  expect(found("all", "campus")).toEqual(["Harbour portal", "Geofence", "Seeds"]);
  expect(found("internal", "campus")).toEqual(["Geofence", "Seeds"]);
  expect(found("all", "")).toHaveLength(PROJECTS.length);
});

test("a changed project is searched anew", () => {
  const renamed = PROJECTS.map((one) => (one.title === "Seeds" ? { ...one, title: "Grain" } : one));
  expect(titles("all", "grain")).toEqual([]);
  expect(filterProjects(renamed, { filter: "all", q: "grain", viewerId: "me" })).toHaveLength(1);
});

test("on hold, cancelled and unheard-of statuses stand under To Do", () => {
  const groups = groupByTab(PROJECTS);
  expect(groups.todo.map(({ title }) => title)).toEqual(["Harbour portal", "Seeds", "Ledger"]);
  expect(groups.inProgress).toHaveLength(1);
  expect(groups.completed).toEqual([]);
});

test("one project is not 1 projects", () => {
  expect([0, 1, 6].map(countLabel)).toEqual(["0 projects", "1 project", "6 projects"]);
});

function titles(filter: Parameters<typeof filterProjects>[1]["filter"], q = ""): string[] {
  return filterProjects(PROJECTS, { filter, q, viewerId: "me" }).map(({ title }) => title);
}

function project(title: string, fields: Partial<Project>): Project {
  return {
    id: title,
    key: "PRJ",
    title,
    description: "",
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
