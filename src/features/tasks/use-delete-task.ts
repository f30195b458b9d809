import { TASK_MESSAGES } from "@server/contract/messages/tasks";
import type { Task } from "@server/contract/views";
import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { toast } from "@/ui/toast";
import { dropTask, putTask } from "./task-cache";
import { useTaskCache } from "./use-tasks";

/** Optimistic, after the confirmation: the row disappears at once and returns when the server refuses. */
export function useDeleteTask(projectId: string) {
  const cache = useTaskCache(projectId);
  const { mutateAsync } = trpc.tasks.delete.useMutation({
    meta: { projectId },
    onMutate({ taskId }) {
      cache.settle();
      const row = cache.read()?.find(({ id }) => id === taskId);
      cache.change((tasks) => dropTask(tasks, taskId));
      return { row };
    },
    onSuccess: (_deleted, { taskId }) => cache.drop(taskId),
    onError(_error, _deletion, deleted) {
      const row = deleted?.row;
      if (row) cache.change((tasks) => putTask(tasks, row));
      cache.reload();
    },
    onSettled: (_deleted, _error, { taskId }) => cache.catchUp(taskId),
  });
  return async (task: Task): Promise<void> => {
    try {
      await mutateAsync({ taskId: task.id });
      announce(`Task deleted: ${task.title}`);
    } catch (error) {
      toast.error(TASK_MESSAGES.deleteFailed, { description: messageOf(error) });
    }
  };
}
