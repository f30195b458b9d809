import { TASK_MESSAGES } from "@server/contract/messages/tasks";
import type { Task } from "@server/contract/views";
import { useQueryClient } from "@tanstack/react-query";
import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { toast } from "@/ui/toast";
import { applyMove, type TaskMove } from "./task-order";
import { useTaskCache } from "./use-tasks";

/**
 * Optimistic: the row moves at once and is rolled back when the server refuses. Moves within a list run one after the other; the
 * answer to the last of them is put in place.
 */
export function useMoveTask(projectId: string): (wishOf: (tasks: readonly Task[]) => TaskMove | null) => void {
  const cache = useTaskCache(projectId);
  const queryClient = useQueryClient();
  const scope = { id: `move-in-${projectId}` };
  const isLast = () => queryClient.isMutating({ predicate: ({ options }) => options.scope?.id === scope.id }) <= 1;
  const { mutate } = trpc.tasks.move.useMutation({
    scope,
    onMutate: (move) => {
      cache.settle();
      let before: string | undefined;
      cache.change((tasks) => {
        before = tasks.find(({ id }) => id === move.taskId)?.rank;
        return applyMove(tasks, move);
      });
      return { before };
    },
    onError: (error, { taskId }, context) => {
      const rank = context?.before;
      if (rank !== undefined && isLast()) {
        cache.change((tasks) => tasks.map((task) => (task.id === taskId ? { ...task, rank } : task)));
      }
      if (isLast()) cache.reload();
      toast.error(TASK_MESSAGES.updateFailed, { description: messageOf(error) });
    },
    onSuccess: (moved) => {
      if (isLast()) cache.put(moved);
    },
    onSettled: (_moved, _error, { taskId }) => cache.catchUp(taskId),
  });
  return (wishOf) => {
    // Computed from the current cache: two quick key presses may be faster than a render.
    const wish = wishOf(cache.read() ?? []);
    if (!wish) return;
    mutate({ taskId: wish.taskId, afterTaskId: wish.afterTaskId });
    announce(`Moved to position ${wish.position} of ${wish.of}`);
  };
}
