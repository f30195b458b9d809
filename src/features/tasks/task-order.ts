import type { Task } from "@server/contract/views";
import { generateKeyBetween } from "fractional-indexing";
import { byRank, sortTasks } from "./task-cache";

/* The position of a task in its list. Pure functions. Open and completed tasks are two groups; a move stays within its group. */

/** A move as the server's input, and the task's new position in its group, from 1. */
export interface TaskMove {
  taskId: string;
  /** Null moves it to the top. */
  afterTaskId: string | null;
  position: number;
  of: number;
}

/** One place up or down; null at the end of its group. */
export function moveByOne(tasks: readonly Task[], taskId: string, step: -1 | 1): TaskMove | null {
  const group = groupOf(tasks, taskId);
  const to = group.findIndex(({ id }) => id === taskId) + step;
  if (to < 0 || to >= group.length) return null;
  return moveTo(group, taskId, to);
}

/** Right before or after another task of its group; null when it is there already, or there is no such task. */
export function moveBeside(
  tasks: readonly Task[],
  { taskId, besideId, where }: { taskId: string; besideId: string; where: "before" | "after" },
): TaskMove | null {
  const group = groupOf(tasks, taskId);
  const others = group.filter(({ id }) => id !== taskId);
  const beside = others.findIndex(({ id }) => id === besideId);
  if (beside === -1) return null;
  const to = where === "before" ? beside : beside + 1;
  return to === group.findIndex(({ id }) => id === taskId) ? null : moveTo(group, taskId, to);
}

/** The list after an optimistic move: the task gets a rank between its new neighbours. */
export function applyMove(
  tasks: readonly Task[],
  { taskId, afterTaskId }: Pick<TaskMove, "taskId" | "afterTaskId">,
): Task[] {
  const others = tasks.filter(({ id }) => id !== taskId).toSorted(byRank);
  const at = others.findIndex(({ id }) => id === afterTaskId);
  const before = others[at]?.rank ?? null;
  const after = others[at + 1]?.rank ?? null;
  return tasks.map((task) => (task.id === taskId ? { ...task, rank: generateKeyBetween(before, after) } : task));
}

function groupOf(tasks: readonly Task[], taskId: string): Task[] {
  const completed = tasks.find(({ id }) => id === taskId)?.completed;
  return sortTasks(tasks).filter((task) => task.completed === completed);
}

function moveTo(group: readonly Task[], taskId: string, to: number): TaskMove {
  const others = group.filter(({ id }) => id !== taskId);
  return { taskId, afterTaskId: others[to - 1]?.id ?? null, position: to + 1, of: group.length };
}
