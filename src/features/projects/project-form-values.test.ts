import { projectFormSchema } from "@server/contract/projects";
import type { Project } from "@server/contract/views";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import { blankForm, clientPeopleOf, formOf, patchOf } from "./project-form-values";

test("an untouched edit form changes nothing", () => {
  expect(patchOf(formOf(HARBOUR), z.parse(projectFormSchema, formOf(HARBOUR)))).toEqual({});
});

test("an edit sends what differs, and null for what was emptied", () => {
  const form = { ...formOf(HARBOUR), title: "Harbour desk", dueDate: "", managers: [] };
  expect(patchOf(formOf(HARBOUR), z.parse(projectFormSchema, form))).toEqual({
    title: "Harbour desk",
    dueDate: null,
    managers: [],
  });
});

test("every field of the form can be changed", () => {
  const other = "0198a000-0000-7000-8000-000000000009";
  const form = {
    title: "Other",
    description: "Other",
    status: "completed" as const,
    startDate: "2026-11-05",
    dueDate: "2026-11-30",
    clientId: other,
    clientPeople: [ROHAN],
    githubRepo: "https://github.com/other/repo",
    liveLink: "https://other.example",
    projectType: "Other",
    assignedTo: [other],
    managers: [other],
    clientCollaboration: "on" as const,
  };
  expect(patchOf(formOf(HARBOUR), z.parse(projectFormSchema, form))).toEqual({ ...form, clientCollaboration: true });
  expect(Object.keys(form).toSorted()).toEqual(Object.keys(blankForm()).toSorted());
});

test("another client brings no people along, a colleague keeps the others, and the project's own client has them back", () => {
  const project = { clientId: ROHAN, clientPeople: [MITALI] };
  expect(clientPeopleOf("", [MITALI], project)).toEqual([]);
  expect(clientPeopleOf(HARBOUR.id, [MITALI], project)).toEqual([]);
  expect(clientPeopleOf(MITALI, [MITALI, HARBOUR.id], project)).toEqual([HARBOUR.id]);
  expect(clientPeopleOf(ROHAN, [], project)).toEqual([MITALI]);
});

test("a new project starts today and is to do", () => {
  expect(blankForm()).toMatchObject({
    status: "todo",
    assignedTo: [],
    startDate: expect.stringMatching(/^\d{4}-\d\d-\d\d$/),
  });
});

const ROHAN = "0198a000-0000-7000-8000-000000000001";
const MITALI = "0198a000-0000-7000-8000-000000000002";
const HARBOUR: Project = {
  id: "0198a000-0000-7000-8000-000000000000",
  key: "HBP",
  title: "Harbour booking portal",
  description: "Slot booking",
  status: "todo",
  startDate: "2026-11-01",
  dueDate: "2026-12-12",
  githubRepo: null,
  liveLink: null,
  clientId: null,
  client: null,
  clientPeople: [],
  assignedTo: [ROHAN],
  managers: [MITALI],
  people: [],
  projectType: null,
  clientCollaboration: false,
  statusReminder: false,
  taskCounts: { total: 0, completed: 0 },
  createdAt: "2026-11-01T00:00:00.000Z",
  createdBy: ROHAN,
  updatedAt: "2026-11-01T00:00:00.000Z",
  version: 1,
  commitView: { mode: "titles", maskedWords: [] },
  canEdit: true,
};
