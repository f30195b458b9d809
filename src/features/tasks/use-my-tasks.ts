import type { MyTask, Task } from "@server/contract/views";
import { useMutationState, useQueryClient } from "@tanstack/react-query";
import { getMutationKey } from "@trpc/react-query";
import { useMemo, useState } from "react";
import { countTasks } from "@/features/projects/project-cache";
import { tickScope, useProjectCache } from "@/features/projects/use-projects";
import { trpc } from "@/lib/trpc";
import { tickMine } from "./my-tasks";
import { putTask, tickTask } from "./task-cache";

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
 * The tick of one of one's tasks, optimistic here and in the project's panel. What was wished is shown from the very event
 * on. Ticks of one task go one after the other, and only the last of them decides what is shown.
 */
export function useMyTick(task: MyTask) {
  const { mutate } = useSetMineCompleted(task);
  const [wish, setWish] = useState<boolean | null>(null);
  function tick(completed: boolean): void {
    setWish(completed);
    // Called for the last of several ticks only.
    mutate({ taskId: task.id, completed }, { onSettled: () => setWish(null) });
  }
  return { completed: wish ?? task.completed, tick };
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

function useSetMineCompleted({ id, projectId }: MyTask) {
  const queryClient = useQueryClient();
  const cache = useTickCache(projectId);
  const scope = { id: tickScope(id) };
  const isLast = () =>
    queryClient.isMutating({
      mutationKey: getMutationKey(trpc.tasks.setCompleted),
      predicate: ({ options }) => options.scope?.id === scope.id,
    }) <= 1;
  return trpc.tasks.setCompleted.useMutation({
    scope,
    onMutate: (tick) => {
      cache.settle();
      cache.tick(tick);
    },
    onSuccess: (saved) => {
      if (isLast()) cache.put(saved);
    },
    onError: (_error, { taskId, completed }) => {
      if (isLast()) cache.tick({ taskId, completed: !completed });
    },
    onSettled: () => {
      if (isLast()) cache.reload();
    },
  });
}

/** One's own list, the project's list and the counts on the project's card, all at once. */
function useTickCache(projectId: string) {
  const utils = trpc.useUtils();
  const projects = useProjectCache();
  return useMemo(() => {
    const { list, mine } = utils.tasks;

    function inList(change: (tasks: readonly Task[]) => Task[]): void {
      const known = list.getData({ projectId });
      if (!known) return;
      const tasks = change(known);
      list.setData({ projectId }, tasks);
      projects.patch(projectId, (project) => ({ ...project, taskCounts: countTasks(tasks) }));
    }
    function tick(wish: { taskId: string; completed: boolean }): void {
      mine.setData(undefined, (known) => known && tickMine(known, wish));
      inList((tasks) => tickTask(tasks, wish));
    }
    function put(saved: Task): void {
      mine.setData(
        undefined,
        (known) =>
          known && {
            ...known,
            items: known.items.map((item) =>
              item.id === saved.id && item.version <= saved.version ? { ...item, ...saved } : item,
            ),
          },
      );
      inList((tasks) => putTask(tasks, saved));
    }
    /** No reading under way may overwrite what comes next. */
    function settle(): void {
      void mine.cancel();
      void list.cancel({ projectId });
    }
    function reload(): void {
      void mine.invalidate();
      void list.invalidate({ projectId });
    }
    return { tick, put, settle, reload };
  }, [utils, projects, projectId]);
}

function isTick(wish: unknown): wish is { taskId: string; completed: boolean } {
  return typeof wish === "object" && wish !== null && "taskId" in wish && "completed" in wish;
}
