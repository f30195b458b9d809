import type { Person, Project } from "@server/contract/views";
import { expect, test } from "vitest";
import { narrowProjects } from "./projects-filter";

const HARBOUR = project({ id: "1", key: "HBP", title: "Harbour booking portal", client: person("Élan Shipping") });
const QUAY = project({ id: "2", key: "QLA", title: "Quay lighting audit", status: "on-hold" });
const ALL = [HARBOUR, QUAY];

test("without a wish the very same list comes back, so that nothing is drawn again", () => {
  expect(narrowProjects(ALL, { q: "  ", status: undefined })).toBe(ALL);
});

test("title, client and key are found, whatever the case and the accents", () => {
  for (const q of ["BOOKING", "elan", "hbp"]) expect(narrowProjects(ALL, { q, status: undefined })).toEqual([HARBOUR]);
  expect(narrowProjects(ALL, { q: "nothing like it", status: undefined })).toEqual([]);
});

test("status and words narrow together", () => {
  expect(narrowProjects(ALL, { q: "", status: "on-hold" })).toEqual([QUAY]);
  expect(narrowProjects(ALL, { q: "harbour", status: "on-hold" })).toEqual([]);
});

function person(name: string): Person {
  return { id: name, name, accountType: "client", profileImgLink: null };
}

function project(own: Pick<Project, "id" | "key" | "title"> & Partial<Project>): Project {
  return {
    description: "",
    status: "todo",
    startDate: "2026-11-01",
    dueDate: null,
    githubRepo: null,
    liveLink: null,
    clientId: null,
    projectType: null,
    clientCollaboration: false,
    statusReminder: false,
    createdBy: "u1",
    version: 1,
    client: null,
    clientPeople: [],
    assignedTo: [],
    managers: [],
    people: [],
    taskCounts: { total: 0, completed: 0 },
    createdAt: "2026-11-01T00:00:00.000Z",
    updatedAt: "2026-11-01T00:00:00.000Z",
    commitView: { mode: "titles", maskedWords: [] },
    canEdit: true,
    ...own,
  };
}
