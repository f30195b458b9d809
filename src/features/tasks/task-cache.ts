import type { ProjectChangeStep, Task } from "@server/contract/views";

/* Changes to a cached list of tasks. Pure functions. */

/**
 * Replaces the task, or adds it. An older version than the known one is ignored. Only a fetched list includes a task's commits:
 * the answer to a change keeps the known ones.
 */
export function putTask(tasks: readonly Task[], task: Task): Task[] {
  const known = tasks.find(({ id }) => id === task.id);
  if (!known) return [...tasks, task];
  return tasks.map((item) => (item === known && known.version <= task.version ? { ...known, ...task } : item));
}

/** The answer to a change: one that comes after the task's deletion does not bring it back. */
export function renewTask(tasks: readonly Task[], task: Task): Task[] {
  return tasks.some(({ id }) => id === task.id) ? putTask(tasks, task) : [...tasks];
}

export function dropTask(tasks: readonly Task[], taskId: string): Task[] {
  return tasks.filter(({ id }) => id !== taskId);
}

/** What has become of a task elsewhere. */
export function takeStep(tasks: readonly Task[], { taskId, task }: Omit<ProjectChangeStep, "kind">): Task[] {
  if (taskId === null) return [...tasks];
  return task ? putTask(tasks, task) : dropTask(tasks, taskId);
}

/** An optimistic tick. The server decides which status unticking restores; until its answer it is To Do. */
export function tickTask(
  tasks: readonly Task[],
  { taskId, completed }: { taskId: string; completed: boolean },
): Task[] {
  return tasks.map((task) =>
    task.id === taskId && task.completed !== completed
      ? { ...task, completed, status: completed ? "completed" : "todo" }
      : task,
  );
}

/** Open ones first, each group by rank. Spec 4. */
export function sortTasks(tasks: readonly Task[]): Task[] {
  return tasks.toSorted((one, other) => Number(one.completed) - Number(other.completed) || byRank(one, other));
}

/** Ranks compare by code units, as in the database; a locale's order would mix upper and lower case. */
export function byRank(one: Task, other: Task): number {
  if (one.rank === other.rank) return one.number - other.number;
  return one.rank < other.rank ? -1 : 1;
}
