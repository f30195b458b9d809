import type { Calendar, CalendarProject, CalendarTask, Project, Task } from "@server/contract/views";
import { describe, expect, test } from "vitest";
import { byDueDay, describeDue, entriesOf, isOverdue, takeSteps, versionIn } from "./calendar-entries";

const OF_PROJECT = { taskId: null, task: null };

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

describe("a change made elsewhere", () => {
  const shown = { id: "p2", key: "HBP", title: "Harbour booking portal" };
  const p2 = project("p2", shown);
  const calendar: Calendar = {
    projects: [project("p1"), p2],
    tasks: [task("t1", { number: 1 }), task("t2", { number: 2 }), task("t3", { number: 3, dueDate: "2026-11-21" })],
  };
  const november = { from: "2026-10-26", to: "2026-12-06" };
  const taken = ({
    of = {},
    isInvolved = true,
    steps,
  }: {
    of?: Partial<Project>;
    isInvolved?: boolean;
    steps: { taskId: string | null; task: Task | null }[];
  }) =>
    takeSteps(calendar, { steps, project: fullProject({ ...p2, ...of }), isInvolved, viewerId: "me", range: november });
  const idsAfter = (id: string, fields: Partial<Task>, isInvolved = true) =>
    taken({ isInvolved, steps: [{ taskId: id, task: fullTask(id, fields) }] })?.tasks.map((row) => row.id);

  test("puts a task on its day in the server's order: by day, then by key", () => {
    expect(idsAfter("t1", { number: 1, dueDate: "2026-11-21", version: 2 })).toEqual(["t2", "t1", "t3"]);
    expect(idsAfter("new", { number: 10 })).toEqual(["t1", "t2", "new", "t3"]);
    expect(idsAfter("new", { number: 4, dueDate: "2026-11-22" })).toEqual(["t1", "t2", "t3", "new"]);
    const [row] = taken({ steps: [{ taskId: "t1", task: fullTask("t1", { title: "New", version: 2 }) }] })?.tasks ?? [];
    expect(row).toMatchObject({ id: "t1", title: "New", version: 2, canEdit: true, project: shown });
  });

  test("removes a task that is gone, has no day, or is due outside the month's weeks", () => {
    expect(taken({ steps: [{ taskId: "t2", task: null }] })?.tasks.map(({ id }) => id)).toEqual(["t1", "t3"]);
    expect(idsAfter("t2", { dueDate: null, version: 2 })).toEqual(["t1", "t3"]);
    expect(idsAfter("t2", { dueDate: "2026-12-07", version: 2 })).toEqual(["t1", "t3"]);
    expect(idsAfter("t2", { dueDate: "2026-10-25", version: 2 })).toEqual(["t1", "t3"]);
    expect(idsAfter("t2", { number: 2, dueDate: "2026-10-26", version: 2 })).toEqual(["t2", "t1", "t3"]);
    expect(idsAfter("t2", { number: 2, dueDate: "2026-12-06", version: 2 })).toEqual(["t1", "t3", "t2"]);
  });

  test("shows only the own tasks of a project in which the viewer has no other part", () => {
    expect(idsAfter("t2", { number: 2, assignedTo: ["me"], version: 2 }, false)).toEqual(["t1", "t2", "t3"]);
    expect(idsAfter("t2", { number: 2, assignedTo: ["somebody"], version: 2 }, false)).toEqual(["t1", "t3"]);
  });

  test("that is older than what is shown changes nothing", () => {
    expect(idsAfter("t3", { dueDate: "2026-11-01", version: 0 })).toEqual(["t1", "t2", "t3"]);
    expect(taken({ steps: [{ taskId: "t3", task: fullTask("t3", { title: "Old", version: 0 }) }] })).toEqual(calendar);
  });

  test("of the project's status and start is shown at once", () => {
    const changed = { status: "completed", startDate: "2026-11-02", version: 2 } as const;
    expect(taken({ of: changed, steps: [OF_PROJECT] })).toEqual({
      ...calendar,
      projects: [project("p1"), { ...p2, ...changed }],
    });
  });

  test("of where the project stands makes the server be asked", () => {
    const due = (dueDate: string | null, isInvolved = true) =>
      taken({ of: { dueDate }, isInvolved, steps: [OF_PROJECT] });
    expect(due("2026-11-21")).toBeNull();
    expect(due(null)).toBeNull();
    expect(due("2026-12-07")).toBeNull();
    expect(due("2026-11-20", false)).toBeNull();
    expect(taken({ of: { title: "Renamed" }, steps: [OF_PROJECT] })).toBeNull();
    // Neither before nor now in these weeks.
    expect(taken({ of: { id: "p3", dueDate: "2027-01-01" }, steps: [OF_PROJECT] })).toEqual(calendar);
    expect(taken({ of: { id: "p3" }, steps: [OF_PROJECT] })).toBeNull();
  });

  test("comes with others, and all of them are shown", () => {
    const steps = [
      { taskId: "t1", task: null },
      { taskId: "t2", task: fullTask("t2", { number: 2, completed: true, version: 2 }) },
    ];
    const both = taken({ of: { status: "completed", version: 2 }, steps: [...steps, OF_PROJECT] });
    expect(both?.tasks.map(({ id, completed }) => [id, completed])).toEqual([
      ["t2", true],
      ["t3", false],
    ]);
    expect(both?.projects[1]).toMatchObject({ status: "completed", version: 2 });
  });
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

/** As an event carries them. */
function fullTask(id: string, fields: Partial<Task>): Task {
  const { project: _, canEdit: __, ...row } = task(id);
  return {
    ...row,
    rank: "a0",
    description: "What to do",
    priority: "none",
    checklist: [],
    labelIds: [],
    assignedTo: [],
    createdAt: "2026-11-01T00:00:00.000Z",
    createdBy: "someone",
    ...fields,
  };
}

function fullProject(fields: Partial<Project>): Project {
  return {
    ...project("p2"),
    commitView: { mode: "titles", maskedWords: [] },
    description: "What it is about",
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
    createdAt: "2026-11-01T00:00:00.000Z",
    createdBy: "someone",
    updatedAt: "2026-11-01T00:00:00.000Z",
    ...fields,
  };
}
