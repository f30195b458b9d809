import type { Task } from "@server/contract/views";
import { generateKeyBetween } from "fractional-indexing";
import { byRank, sortTasks } from "./task-cache";

/* Where a task goes in its list. Pure. Open tasks and completed ones are two groups; nothing moves from one to the other. */

/** A wish to move, as the server takes it, and where the task then stands in its group, from 1. */
export interface TaskMove {
  taskId: string;
  /** Null before all others. */
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

/** Right before or after another task of its group; null when it stands there already, or there is no such task. */
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

/** The list as it will be, ahead of the server's answer: the task takes a rank between its new neighbours. */
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
