import type { Task } from "@server/contract/views";
import { useState } from "react";
import { useSetCompleted } from "./use-tasks";

/**
 * The box shows what was wished from the very event on: the cache tells its readers a moment later, and a controlled box
 * would jump back in between.
 */
export function useTick(task: Task) {
  const { mutate, isError, variables } = useSetCompleted(task);
  const [wish, setWish] = useState<boolean | null>(null);
  function tick(completed: boolean): void {
    setWish(completed);
    // Called for the last of several ticks only.
    mutate({ taskId: task.id, completed }, { onSettled: () => setWish(null) });
  }
  // Somebody else may have done it meanwhile: then nothing is left to retry.
  const isRefused = isError && variables !== undefined && variables.completed !== task.completed;
  return { completed: wish ?? task.completed, tick, retry: isRefused ? () => tick(variables.completed) : null };
}
