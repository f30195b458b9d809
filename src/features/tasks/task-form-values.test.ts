import { taskPatchSchema } from "@server/contract/tasks";
import type { Person, Project, Task } from "@server/contract/views";
import { expect, test } from "vitest";
import * as z from "zod/mini";
import {
  assigneesFor,
  describeTaskField,
  editionOf,
  parseTaskDraft,
  type TaskFormValues,
  taskPatchOf,
} from "./task-form-values";

const ROHAN = "0198a000-0000-7000-8000-000000000001";
const MITALI = "0198a000-0000-7000-8000-000000000002";
const TASK: Task = {
  id: "0198a000-0000-7000-8000-00000000000a",
  number: 3,
  rank: "d0003",
  projectId: "0198a000-0000-7000-8000-000000000000",
  title: "Receipt PDF",
  description: "On one page",
  status: "todo",
  completed: false,
  dueDate: "2026-12-01",
  priority: "none",
  checklist: [],
  labelIds: [],
  assignedTo: [ROHAN],
  createdAt: "2026-11-01T00:00:00.000Z",
  createdBy: ROHAN,
  version: 4,
};
const BEFORE = editionOf(TASK).values;
const patchOf = (typed: Partial<TaskFormValues>) =>
  taskPatchOf(BEFORE, z.parse(taskPatchSchema, { ...BEFORE, ...typed }));

test("an untouched edit changes nothing", () => {
  expect(patchOf({})).toEqual({});
  expect(patchOf({ title: " Receipt PDF " })).toEqual({});
});

test("an edit sends what differs, and null for a due date that was taken away", () => {
  expect(patchOf({ title: "Receipt", dueDate: "", assignedTo: [] })).toEqual({
    title: "Receipt",
    dueDate: null,
    assignedTo: [],
  });
});

test("every field of the form can be changed", () => {
  const typed = {
    title: "Other",
    description: "Other",
    dueDate: "2026-12-24",
    status: "inProgress",
    assignedTo: [MITALI, ROHAN],
  } as const;
  expect(patchOf({ ...typed, assignedTo: [...typed.assignedTo] })).toEqual(typed);
});

test("a draft comes back as it was typed, valid or not; anything else is nothing", () => {
  const draft = { base: editionOf(TASK), typed: { ...BEFORE, title: "" } };
  expect(parseTaskDraft(JSON.parse(JSON.stringify(draft)))).toEqual(draft);
  expect(parseTaskDraft({ typed: BEFORE })).toBeNull();
  expect(parseTaskDraft({ ...draft, typed: { ...BEFORE, status: "unheard" } })).toBeNull();
});

test("a task goes to people of its project and to admins, not to its client and not to strangers", () => {
  const person = (id: string, accountType: Person["accountType"]): Person => ({
    id,
    name: id,
    accountType,
    profileImgLink: null,
  });
  const people = [person("creator", "user"), person("manager", "user"), person("client", "client")];
  const project = { createdBy: "creator", assignedTo: ["client"], managers: ["manager"], people } as unknown as Project;
  const active = [person("creator", "user"), person("stranger", "user"), person("boss", "admin")];
  const ids = (list: readonly Person[] | undefined) => assigneesFor(project, list).map(({ id }) => id);
  expect(ids(active)).toEqual(["creator", "boss"]);
  expect(ids(undefined)).toEqual(["creator", "manager"]);
});

test("every field has a text", () => {
  const people = [{ id: ROHAN, name: "Rohan Shah", accountType: "user", profileImgLink: null }] as const;
  const describe = (field: keyof TaskFormValues) => describeTaskField(field, BEFORE, { people: [...people] });
  expect([describe("assignedTo"), describe("dueDate"), describe("status"), describe("title")]).toEqual([
    "Rohan Shah",
    "1 Dec 2026",
    "To Do",
    "Receipt PDF",
  ]);
});
