import { TASK_MESSAGES } from "@server/contract/messages/tasks";
import type { Task } from "@server/contract/views";
import { useQueryClient } from "@tanstack/react-query";
import { getMutationKey } from "@trpc/react-query";
import { useMemo } from "react";
import { countTasks } from "@/features/projects/project-cache";
import { tickScope, useProjectCache } from "@/features/projects/use-projects";
import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { toast } from "@/ui/toast";
import { dropTask, putTask, tickTask } from "./task-cache";

/** A project's tasks, or (admins) as that client is answered. `useProjectChanges` of the page keeps them true. */
export function useTasks(projectId: string, { asClientId }: { asClientId?: string | undefined } = {}) {
  return trpc.tasks.list.useQuery(asClientId === undefined ? { projectId } : { projectId, asClientId });
}

/** Not optimistic: the words stay in the form until the server has them. */
export function useCreateTask(projectId: string) {
  const cache = useTaskCache(projectId);
  return trpc.tasks.create.useMutation({ onSuccess: (task) => cache.change((tasks) => putTask(tasks, task)) });
}

/** Not optimistic. With a `version`, an edit of an older one is a CONFLICT: `useReloadTask` brings the present one. */
export function useUpdateTask(projectId: string) {
  const cache = useTaskCache(projectId);
  return trpc.tasks.update.useMutation({ onSuccess: (task) => cache.change((tasks) => putTask(tasks, task)) });
}

/** Reads the list past the cache, and into it. Null: that task is not there any more. */
export function useReloadTask(projectId: string): (taskId: string) => Promise<Task | null> {
  const utils = trpc.useUtils();
  return async (taskId) => {
    const tasks = await utils.tasks.list.fetch({ projectId }, { staleTime: 0 });
    return tasks.find(({ id }) => id === taskId) ?? null;
  };
}

/**
 * Optimistic: the box answers at once and goes back when the server refuses. Ticks of one task go one after the other, and
 * only the last of them decides what is shown.
 */
export function useSetCompleted(task: Pick<Task, "id" | "projectId">) {
  const cache = useTaskCache(task.projectId);
  const queryClient = useQueryClient();
  const scope = { id: tickScope(task.id) };
  const isLast = () =>
    queryClient.isMutating({
      mutationKey: getMutationKey(trpc.tasks.setCompleted),
      predicate: ({ options }) => options.scope?.id === scope.id,
    }) <= 1;
  return trpc.tasks.setCompleted.useMutation({
    scope,
    onMutate: (tick) => {
      cache.settle();
      cache.change((tasks) => tickTask(tasks, tick));
    },
    onSuccess: (saved) => {
      if (isLast()) cache.change((tasks) => putTask(tasks, saved));
    },
    onError: (_error, { taskId, completed }) => {
      if (!isLast()) return;
      cache.change((tasks) => tickTask(tasks, { taskId, completed: !completed }));
    },
    // What others did meanwhile was not read, so that the box would not jump.
    onSettled: () => {
      if (isLast()) cache.reload();
    },
  });
}

/** Optimistic, after the question: the row leaves at once and comes back when the server refuses. */
export function useDeleteTask(projectId: string) {
  const cache = useTaskCache(projectId);
  const remove = trpc.tasks.delete.useMutation();
  return async (task: Task): Promise<void> => {
    cache.settle();
    cache.change((tasks) => dropTask(tasks, task.id));
    try {
      await remove.mutateAsync({ taskId: task.id });
      announce(`Task deleted: ${task.title}`);
      cache.reload();
    } catch (error) {
      cache.change((tasks) => putTask(tasks, task));
      cache.reload();
      toast.error(TASK_MESSAGES.deleteFailed, { description: messageOf(error) });
    }
  };
}

/** Writes to the cached list of a project. For the hooks of this noun. */
export function useTaskCache(projectId: string) {
  const utils = trpc.useUtils();
  const projects = useProjectCache();
  return useMemo(() => {
    const { list } = utils.tasks;

    /** Changes the cached list, and with it the counts on the project's card. */
    function change(apply: (tasks: readonly Task[]) => Task[]): void {
      const known = list.getData({ projectId });
      if (!known) return;
      const tasks = apply(known);
      list.setData({ projectId }, tasks);
      projects.patch(projectId, (project) => ({ ...project, taskCounts: countTasks(tasks) }));
    }

    /** No reading under way may overwrite what comes next. The list is as it was before when this returns. */
    const settle = () => void list.cancel({ projectId });
    const reload = () => void list.invalidate({ projectId });
    /** As it is this very moment, which may not be drawn yet. */
    const read = (): readonly Task[] => list.getData({ projectId }) ?? [];
    return { change, settle, reload, read };
  }, [utils, projects, projectId]);
}
