import type { MyTask, Project } from "@server/contract/views";
import { expect, test } from "vitest";
import { dueLines } from "./due-lines";

const TODAY = "2026-11-20";

test("what is overdue or due within a week stands by day; finished, later and dateless things are left out", () => {
  const projects = [
    project("late", { dueDate: "2026-11-18" }),
    project("cancelled", { dueDate: "2026-11-18", status: "cancelled" }),
    project("completed", { dueDate: "2026-11-21", status: "completed" }),
    project("same", { dueDate: "2026-11-22" }),
    project("never"),
  ];
  const tasks = [
    task("next week", { dueDate: "2026-11-27" }),
    task("beyond", { dueDate: "2026-11-28" }),
    task("same task", { dueDate: "2026-11-22" }),
    task("today", { dueDate: TODAY }),
    task("yesterday", { dueDate: "2026-11-19" }),
    task("done", { dueDate: "2026-11-19", completed: true, status: "completed" }),
  ];
  const { overdue, soon } = dueLines({ tasks, projects, today: TODAY });
  expect(overdue.map(({ title }) => title)).toEqual(["late", "yesterday"]);
  expect(soon.map(({ title }) => title)).toEqual(["today", "same", "same task", "next week"]);
  expect(soon[2]?.subtitle).toBe("HBP-1 Harbour booking portal");
});

function task(title: string, fields: Partial<MyTask>): MyTask {
  return {
    id: title,
    number: 1,
    rank: "a0",
    projectId: "p",
    project: { id: "p", key: "HBP", title: "Harbour booking portal" },
    title,
    description: "What to do",
    status: "todo",
    completed: false,
    dueDate: null,
    priority: "none",
    checklist: [],
    labelIds: [],
    assignedTo: [],
    createdAt: "2026-11-01T00:00:00.000Z",
    createdBy: "someone",
    version: 1,
    ...fields,
  };
}

function project(title: string, fields: Partial<Project> = {}): Project {
  return {
    id: title,
    key: "HBP",
    title,
    description: "What it is for",
    status: "inProgress",
    startDate: "2026-11-01",
    dueDate: null,
    githubRepo: null,
    liveLink: null,
    clientId: null,
    client: null,
    clientPeople: [],
    projectType: null,
    clientCollaboration: false,
    statusReminder: false,
    assignedTo: [],
    managers: [],
    people: [],
    taskCounts: { total: 0, completed: 0 },
    createdAt: "2026-11-01T00:00:00.000Z",
    createdBy: "someone",
    updatedAt: "2026-11-01T00:00:00.000Z",
    version: 1,
    commitView: { mode: "titles", maskedWords: [] },
    canEdit: true,
    ...fields,
  };
}
