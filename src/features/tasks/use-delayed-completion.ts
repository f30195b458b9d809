import type { MyTask } from "@server/contract/views";
import { useEffect, useRef, useState } from "react";
import { announce } from "@/ui/announce";

const DELAY_MS = 400;

/**
 * The same tasks as they stood 400 ms after the last tick: what has just been ticked keeps its place so long, so that it
 * does not slip away under the pointer. Only where tasks stand may follow this; their boxes show what is. The move is announced.
 */
export function useDelayedCompletion(tasks: readonly MyTask[]): MyTask[] {
  const [done, setDone] = useState<ReadonlyMap<string, boolean>>(() => doneOf(tasks));
  const latest = useRef(tasks);
  useEffect(() => {
    latest.current = tasks;
  });
  const goal = tasks.map(({ id, completed }) => `${id}${completed ? "+" : "-"}`).join();
  const isUpToDate = tasks.every(({ id, completed }) => done.get(id) === completed);
  useEffect(() => {
    if (isUpToDate) return undefined;
    // A further tick within the 400 ms changes the goal, and starts them anew.
    const timer = setTimeout(
      () => {
        setDone((before) => {
          for (const task of latest.current) sayMove(task, before.get(task.id));
          return doneOf(latest.current);
        });
      },
      goal === "" ? 0 : DELAY_MS,
    );
    return () => clearTimeout(timer);
  }, [isUpToDate, goal]);
  return tasks.map((task) => ({ ...task, completed: done.get(task.id) ?? task.completed }));
}

function doneOf(tasks: readonly MyTask[]): ReadonlyMap<string, boolean> {
  return new Map(tasks.map(({ id, completed }) => [id, completed]));
}

function sayMove({ title, completed }: MyTask, before: boolean | undefined): void {
  if (before === undefined || before === completed) return;
  announce(completed ? `${title}: moved to Done lately` : `${title}: moved to the open tasks`);
}
