import { useMutationState } from "@tanstack/react-query";
import { getMutationKey } from "@trpc/react-query";
import { trpc } from "@/lib/trpc";
import { tickMine } from "./my-tasks";

/**
 * The signed-in person's tasks in all projects. `useProjectChanges` of the page keeps them true; ticks on their way stand
 * over whatever is read meanwhile.
 */
export function useMyTasks() {
  const query = trpc.tasks.mine.useQuery();
  const { pending } = useTicks();
  const { data } = query;
  return {
    ...query,
    data: data && [...pending].reduce((mine, [taskId, completed]) => tickMine(mine, { taskId, completed }), data),
  };
}

/**
 * What was wished for tasks and is under way, or was refused, by task. Not kept in the rows: a ticked row has moved to another
 * list, as another row, by the time that a slow refusal comes.
 */
export function useTicks(): { pending: ReadonlyMap<string, boolean>; refused: ReadonlyMap<string, boolean> } {
  const attempts = useMutationState({
    filters: { mutationKey: getMutationKey(trpc.tasks.setCompleted) },
    select: ({ state }) => ({ wish: state.variables, status: state.status }),
  });
  const pending = new Map<string, boolean>();
  const refused = new Map<string, boolean>();
  for (const { wish, status } of attempts) {
    if (!isTick(wish)) continue;
    const { taskId, completed } = wish;
    pending.delete(taskId);
    refused.delete(taskId);
    if (status === "pending") pending.set(taskId, completed);
    if (status === "error") refused.set(taskId, completed);
  }
  return { pending, refused };
}

function isTick(wish: unknown): wish is { taskId: string; completed: boolean } {
  return typeof wish === "object" && wish !== null && "taskId" in wish && "completed" in wish;
}
