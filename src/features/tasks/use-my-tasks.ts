import { useMutationState } from "@tanstack/react-query";
import { getMutationKey } from "@trpc/react-query";
import { trpc } from "@/lib/trpc";
import { tickMine } from "./my-tasks";

/**
 * The signed-in person's tasks in all projects, kept up to date by the page's `useProjectChanges`. Pending ticks override fetched
 * data.
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
 * Pending and refused ticks by task. Not stored in the rows: by the time a slow refusal arrives, the ticked task has become a row
 * of another group.
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
