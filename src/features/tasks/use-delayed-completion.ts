import type { MyTask } from "@server/contract/views";
import { useState } from "react";
import { announce } from "@/ui/announce";
import { useMoveTimer } from "./use-delayed-order";

/**
 * The tasks with completion delayed by 400 ms: a task just ticked keeps its place for that time, so that it does not slip away
 * under the pointer. Use it for positions only; checkboxes show the current state. Announces the move.
 */
export function useDelayedCompletion(tasks: readonly MyTask[]): MyTask[] {
  const [done, setDone] = useState<ReadonlyMap<string, boolean>>(() => doneOf(tasks));
  function update(): void {
    for (const task of tasks) announceMove(task, done.get(task.id));
    setDone(doneOf(tasks));
  }
  const goal = tasks.map(({ id, completed }) => `${id}${completed ? "+" : "-"}`).join();
  const isUpToDate = tasks.every(({ id, completed }) => done.get(id) === completed);
  useMoveTimer(isUpToDate, goal, update);
  return tasks.map((task) => ({ ...task, completed: done.get(task.id) ?? task.completed }));
}

function doneOf(tasks: readonly MyTask[]): ReadonlyMap<string, boolean> {
  return new Map(tasks.map(({ id, completed }) => [id, completed]));
}

function announceMove({ title, completed }: MyTask, before: boolean | undefined): void {
  if (before === undefined || before === completed) return;
  announce(completed ? `${title}: moved to Recently completed` : `${title}: moved to the open tasks`);
}
