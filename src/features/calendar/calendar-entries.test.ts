import type { Calendar, CalendarProject, CalendarTask } from "@server/contract/views";
import { expect, test } from "vitest";
import { byDueDay, describeDue, entriesOf, isOverdue, versionIn } from "./calendar-entries";

const CALENDAR: Calendar = {
  projects: [project("p1", { status: "completed" }), project("p2")],
  tasks: [task("t1", { completed: true, status: "completed" }), task("t2"), task("t3", { dueDate: "2026-11-21" })],
};

test("a day shows what is still to be done first, projects before tasks", () => {
  const days = byDueDay(entriesOf(CALENDAR));
  expect(days.get("2026-11-20")?.map(({ id }) => id)).toEqual(["p2", "t2", "p1", "t1"]);
  expect(days.get("2026-11-21")?.map(({ id }) => id)).toEqual(["t3"]);
});

test("what is being moved stands where it is wished, and back where it was without the wish", () => {
  const moved = entriesOf(CALENDAR, [
    { key: "task-t2", day: "2026-11-24" },
    { key: "task-t2", day: "2026-11-25" },
  ]);
  expect(moved.find(({ id }) => id === "t2")?.due).toBe("2026-11-25");
  expect(entriesOf(CALENDAR).find(({ id }) => id === "t2")?.due).toBe("2026-11-20");
});

test("only what is unfinished is overdue, from the day after it was due", () => {
  const entries = entriesOf(CALENDAR);
  const late = (today: string) => entries.filter((entry) => isOverdue(entry, today)).map(({ id }) => id);
  expect(late("2026-11-20")).toEqual([]);
  expect(late("2026-11-21")).toEqual(["p2", "t2"]);
  expect(describeDue(entries, "2026-11-21")).toBe("5 due, 2 overdue");
  expect(describeDue(entries, "2026-11-20")).toBe("5 due");
  expect(describeDue([], "2026-11-20")).toBe("nothing due");
});

test("a project and a task of one id are told apart", () => {
  const calendar = { projects: [project("same", { version: 4 })], tasks: [task("same", { version: 7 })] };
  expect(versionIn(calendar, { kind: "project", id: "same" })).toBe(4);
  expect(versionIn(calendar, { kind: "task", id: "same" })).toBe(7);
  expect(new Set(entriesOf(calendar).map(({ key }) => key)).size).toBe(2);
});

function project(id: string, fields: Partial<CalendarProject> = {}): CalendarProject {
  return {
    id,
    key: "HBP",
    title: id,
    status: "inProgress",
    startDate: "2026-11-01",
    dueDate: "2026-11-20",
    version: 1,
    canEdit: true,
    ...fields,
  };
}

function task(id: string, fields: Partial<CalendarTask> = {}): CalendarTask {
  return {
    id,
    projectId: "p2",
    number: 1,
    title: id,
    status: "todo",
    completed: false,
    dueDate: "2026-11-20",
    version: 1,
    project: { id: "p2", key: "HBP", title: "Harbour booking portal" },
    canEdit: true,
    ...fields,
  };
}
