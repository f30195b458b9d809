import type { MyTask, MyTasks } from "@server/contract/views";
import { expect, test } from "vitest";
import { groupMyTasks, groupOf, putMine, takeSteps, tickMine } from "./my-tasks";

/** A Sunday. */
const TODAY = "2026-11-22";

test("tasks stand under when they are due, in the order of the groups; empty groups are not there", () => {
  const tasks = [
    task("late", { dueDate: "2026-11-21" }),
    task("now", { dueDate: TODAY }),
    task("monday", { dueDate: "2026-11-23" }),
    task("tuesday", { dueDate: "2026-11-24" }),
    task("sunday", { dueDate: "2026-11-29" }),
    task("far", { dueDate: "2026-11-30" }),
    task("whenever"),
    task("done", { dueDate: "2026-11-01", completed: true, status: "completed" }),
  ];
  expect(
    groupMyTasks(tasks.toReversed(), TODAY).map(({ name, tasks: held }) => [name, held.map(({ id }) => id)]),
  ).toEqual([
    ["Overdue", ["late"]],
    ["Today", ["now"]],
    ["Tomorrow", ["monday"]],
    ["Next 7 days", ["sunday", "tuesday"]],
    ["Later", ["far"]],
    ["No date", ["whenever"]],
    ["Recently completed", ["done"]],
  ]);
  expect(groupMyTasks([task("whenever")], TODAY).map(({ name }) => name)).toEqual(["No date"]);
});

test("the next 7 days are counted from today on every weekday, across months, years and clock changes", () => {
  const cases = [
    { today: "2026-11-22", tomorrow: "2026-11-23", last: "2026-11-29", next: "2026-11-30" },
    { today: "2026-11-23", tomorrow: "2026-11-24", last: "2026-11-30", next: "2026-12-01" },
    { today: "2026-12-30", tomorrow: "2026-12-31", last: "2027-01-06", next: "2027-01-07" },
    { today: "2026-10-24", tomorrow: "2026-10-25", last: "2026-10-31", next: "2026-11-01" },
    { today: "2028-02-28", tomorrow: "2028-02-29", last: "2028-03-06", next: "2028-03-07" },
  ];
  for (const { today, tomorrow, last, next } of cases) {
    const group = (dueDate: string) => groupOf({ completed: false, dueDate }, today);
    expect([today, tomorrow, last, next].map(group)).toEqual(["Today", "Tomorrow", "Next 7 days", "Later"]);
  }
});

test("what is done is never overdue", () => {
  expect(groupOf({ completed: true, dueDate: "2026-01-01" }, TODAY)).toBe("Recently completed");
});

test("a tick changes the task and the number of open ones; ticking what is ticked changes nothing", () => {
  const mine: MyTasks = { items: [task("a"), task("b")], open: 2 };
  const ticked = tickMine(mine, { taskId: "a", completed: true });
  expect(ticked.open).toBe(1);
  expect(ticked.items[0]).toMatchObject({ completed: true, status: "completed" });
  expect(tickMine(ticked, { taskId: "a", completed: true })).toBe(ticked);
  expect(tickMine(ticked, { taskId: "a", completed: false })).toEqual(mine);
  expect(tickMine(mine, { taskId: "elsewhere", completed: true })).toBe(mine);
});

function task(id: string, fields: Partial<MyTask> = {}): MyTask {
  return {
    id,
    number: 1,
    rank: "a0",
    projectId: "p",
    project: { id: "p", key: "HBP", title: "Harbour booking portal" },
    title: id,
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

test("a change made elsewhere is put in its place, or says that only the server knows the list", () => {
  const [own, later] = [task("own", { assignedTo: ["me"], dueDate: TODAY }), task("later", { assignedTo: ["me"] })];
  const mine: MyTasks = { items: [own, later], open: 2 };
  const viewer = { id: "me", accountType: "user" } as const;
  const { project } = own;
  const put = (changed: Partial<MyTask>) => putMine(mine, { task: { ...own, ...changed }, project, viewer });
  const idsAfter = (changed: Partial<MyTask>) => put(changed)?.items.map(({ id }) => id);
  expect(put({ title: "Renamed", version: 2 })).toMatchObject({
    items: [{ id: "own", title: "Renamed", project }, { id: "later" }],
    open: 2,
  });
  expect(put({ completed: true, status: "completed", version: 2 })).toMatchObject({
    items: [{ id: "later" }, { id: "own", completed: true }],
    open: 1,
  });
  expect(put({ version: own.version - 1 })).toBe(mine);
  expect(put({ id: "another", assignedTo: ["somebody"] })).toBe(mine);
  expect(put({ id: "another" })).toMatchObject({ items: [{ id: "another", project }, own, later], open: 3 });
  expect(put({ assignedTo: [] })).toEqual({ items: [later], open: 1 });
  expect(idsAfter({ dueDate: "2027-01-01" })).toEqual(["own", "later"]);
  expect(idsAfter({ dueDate: null, createdAt: "2026-12-01T00:00:00.000Z" })).toEqual(["later", "own"]);
  // When it was completed only the server knows, and what follows 500 too.
  expect(put({ id: "another", completed: true })).toBeNull();
  const full = { items: Array.from({ length: 500 }, (_, at) => task(`task ${at}`)), open: 600 };
  expect(putMine(full, { task: { ...own, id: "another" }, project, viewer })).toBeNull();
  expect(putMine(mine, { task: { ...own, id: "another" }, project: undefined, viewer })).toBeNull();
  // A client's list holds every task of the own projects.
  const client = { id: "client", accountType: "client" } as const;
  const another = { ...own, id: "another", assignedTo: [] };
  expect(putMine(mine, { task: another, project, viewer: client })?.open).toBe(3);
  expect(putMine(mine, { task: { ...own, assignedTo: [], version: 2 }, project, viewer: client })?.items).toHaveLength(
    2,
  );
});

test("several changes made at once are taken together: of tasks, of one that is gone, and of the project's name", () => {
  const [one, two] = [task("one", { assignedTo: ["me"] }), task("two", { assignedTo: ["me"] })];
  const taken = takeSteps(
    { items: [one, two], open: 2 },
    {
      project: { ...one.project, title: "Renamed" },
      viewer: { id: "me", accountType: "user" },
      steps: [
        { taskId: "one", task: { ...one, completed: true, status: "completed", version: 2 } },
        { taskId: "two", task: null },
        { taskId: null, task: null },
      ],
    },
  );
  expect(taken).toMatchObject({ items: [{ id: "one", completed: true, project: { title: "Renamed" } }], open: 0 });
});
