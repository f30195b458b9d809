import type { Task } from "@server/contract/views";
import { expect, test } from "vitest";
import { dropTask, putTask, renewTask, sortTasks, takeStep, tickTask } from "./task-cache";

test("completed tasks stand after open ones, each group by rank", () => {
  const tasks = [task(1, { completed: true }), task(3), task(2), task(4, { completed: true })];
  expect(sortTasks(tasks).map(({ number }) => number)).toEqual([2, 3, 1, 4]);
});

test("ranks compare by code unit: capitals before small letters", () => {
  const tasks = [task(1, { rank: "d0a" }), task(2, { rank: "d0B" }), task(3, { rank: "d0" })];
  expect(sortTasks(tasks).map(({ number }) => number)).toEqual([3, 2, 1]);
});

test("a tick is a completed status, an untick goes back to open", () => {
  const ticked = tickTask([task(1), task(2)], { taskId: "1", completed: true });
  expect(ticked[0]).toMatchObject({ completed: true, status: "completed" });
  expect(ticked[1]).toMatchObject({ completed: false, status: "todo" });
  expect(tickTask(ticked, { taskId: "1", completed: false })[0]).toMatchObject({ completed: false, status: "todo" });
});

test("ticking what is ticked already keeps its status", () => {
  const tasks = [task(1, { status: "inProgress" })];
  expect(tickTask(tasks, { taskId: "1", completed: false })).toEqual(tasks);
});

test("a task comes in once, whoever tells of it first", () => {
  const created = task(2);
  expect(putTask(putTask([task(1)], created), created)).toHaveLength(2);
});

test("the answer to a change does not bring back a task that was deleted meanwhile", () => {
  expect(renewTask([task(1)], task(2, { version: 2 }))).toEqual([task(1)]);
  expect(renewTask([task(1)], task(1, { version: 2 }))).toEqual([task(1, { version: 2 })]);
});

test("an older version never replaces a newer one", () => {
  const tasks = [task(1, { version: 3, title: "Third" })];
  expect(putTask(tasks, task(1, { version: 2, title: "Second" }))).toEqual(tasks);
});

test("an answer to a change, which leaves the commits out, keeps the known ones; a list that was read replaces them", () => {
  const commit = {
    sha: "a1b2c3d4",
    title: "Read the gauges",
    htmlUrl: "https://github.com/konkan/harbour/commit/a1b2c3d4",
    authorName: "Rohan Shah",
    date: "2026-11-20T09:00:00.000Z",
    closes: true,
  };
  const tasks = [task(1, { commits: [commit] })];
  expect(putTask(tasks, task(1, { version: 2, title: "Second" }))[0]).toMatchObject({
    title: "Second",
    commits: [commit],
  });
  expect(putTask(tasks, task(1, { version: 2, commits: [] }))[0]?.commits).toEqual([]);
});

test("dropping a task twice is the same as once", () => {
  const once = dropTask([task(1), task(2)], "1");
  expect(dropTask(once, "1")).toEqual(once);
  expect(once.map(({ id }) => id)).toEqual(["2"]);
});

test("a change made elsewhere puts the task, drops it when it is gone, and one of the project changes no task", () => {
  const tasks = [task(1), task(2)];
  expect(takeStep(tasks, { taskId: "2", task: task(2, { version: 2, title: "New" }) })[1]?.title).toBe("New");
  expect(takeStep(tasks, { taskId: "3", task: task(3) })).toHaveLength(3);
  expect(takeStep(tasks, { taskId: "1", task: null })).toEqual([task(2)]);
  expect(takeStep(tasks, { taskId: null, task: null })).toEqual(tasks);
});

function task(number: number, fields: Partial<Task> = {}): Task {
  return {
    id: String(number),
    number,
    rank: `d000${number}`,
    projectId: "p",
    title: `Task ${number}`,
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
