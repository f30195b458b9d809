import type { Task } from "@server/contract/views";
import { expect, test } from "vitest";
import { sortTasks } from "./task-cache";
import { applyMove, moveBeside, moveByOne, type TaskMove } from "./task-order";

const TASKS = [
  task("a", "d0001"),
  task("b", "d0002"),
  task("c", "d0003"),
  task("x", "d0004", true),
  task("y", "d0005", true),
];
const after = (move: TaskMove | null) =>
  move &&
  sortTasks(applyMove(TASKS, move))
    .map(({ id }) => id)
    .join("");

test("a task moves by one within its group, and says where it comes to stand", () => {
  expect(moveByOne(TASKS, "b", 1)).toEqual({ taskId: "b", afterTaskId: "c", position: 3, of: 3 });
  expect(after(moveByOne(TASKS, "b", 1))).toBe("acbxy");
  expect(moveByOne(TASKS, "b", -1)).toEqual({ taskId: "b", afterTaskId: null, position: 1, of: 3 });
  expect(after(moveByOne(TASKS, "b", -1))).toBe("bacxy");
});

test("no task leaves its group", () => {
  expect(moveByOne(TASKS, "a", -1)).toBeNull();
  expect(moveByOne(TASKS, "c", 1)).toBeNull();
  expect(moveByOne(TASKS, "x", -1)).toBeNull();
  expect(moveByOne(TASKS, "nobody", 1)).toBeNull();
  expect(moveBeside(TASKS, { taskId: "a", besideId: "y", where: "after" })).toBeNull();
});

test("a completed task that comes first among its own still stands after the open ones", () => {
  expect(after(moveByOne(TASKS, "y", -1))).toBe("abcyx");
});

test("a drop before or after a row", () => {
  expect(after(moveBeside(TASKS, { taskId: "a", besideId: "c", where: "after" }))).toBe("bcaxy");
  expect(after(moveBeside(TASKS, { taskId: "c", besideId: "a", where: "before" }))).toBe("cabxy");
  expect(after(moveBeside(TASKS, { taskId: "a", besideId: "c", where: "before" }))).toBe("bacxy");
});

test("a drop where it stands already moves nothing", () => {
  expect(moveBeside(TASKS, { taskId: "b", besideId: "a", where: "after" })).toBeNull();
  expect(moveBeside(TASKS, { taskId: "b", besideId: "c", where: "before" })).toBeNull();
  expect(moveBeside(TASKS, { taskId: "b", besideId: "b", where: "after" })).toBeNull();
});

test("many moves between the same two neighbours keep an order", () => {
  let tasks: Task[] = TASKS;
  for (let at = 0; at < 40; at += 1) {
    const move = moveByOne(tasks, sortTasks(tasks)[2]?.id ?? "", -1);
    if (move) tasks = applyMove(tasks, move);
  }
  expect(new Set(tasks.map(({ rank }) => rank)).size).toBe(5);
});

function task(id: string, rank: string, completed = false): Task {
  return {
    id,
    rank,
    number: 1,
    projectId: "p",
    title: id,
    description: "What to do",
    status: completed ? "completed" : "todo",
    completed,
    dueDate: null,
    priority: "none",
    checklist: [],
    labelIds: [],
    assignedTo: [],
    createdAt: "2026-11-01T00:00:00.000Z",
    createdBy: "someone",
    version: 1,
  };
}
