import { TASK_MESSAGES } from "@server/contract/messages/tasks";
import type { Task } from "@server/contract/views";
import {
  hashKey,
  type Mutation,
  partialMatchKey,
  type Query,
  type QueryClient,
  useQueryClient,
} from "@tanstack/react-query";
import { getMutationKey, getQueryKey } from "@trpc/react-query";
import { useMemo, useState } from "react";
import { countTasks } from "@/features/projects/project-cache";
import { projectCache } from "@/features/projects/use-projects";
import { type LiveCache, registerLiveSync } from "@/lib/live-sync";
import { trpc } from "@/lib/trpc";
import { messageOf } from "@/lib/user-message";
import { announce } from "@/ui/announce";
import { toast } from "@/ui/toast";
import { putMine, tickMine } from "./my-tasks";
import { dropTask, putTask, tickTask } from "./task-cache";

const LISTS = { queryKey: getQueryKey(trpc.tasks.list) };
const MINE = { queryKey: getQueryKey(trpc.tasks.mine) };

registerLiveSync("projects", {
  queries: [LISTS, MINE],
  receive({ projectId, kind, project, taskId, task }, live) {
    const { utils, queryClient } = live;
    const lists = { queryKey: getQueryKey(trpc.tasks.list, { projectId }) };
    if (!project) void utils.tasks.list.reset({ projectId });
    if (!project || kind === "project-changed") return [MINE];
    if (taskId === null) return [MINE, lists];
    // The answer to a pending action is newer and would be overwritten.
    if (isActedOn(taskId, queryClient)) return [];
    const cache = taskCache(projectId, live);
    const isMineKnown = task ? cache.putMine(task) : !cache.isMine(taskId);
    const known = cache.changeList((tasks) => (task ? putTask(tasks, task) : dropTask(tasks, taskId)));
    const isListKnown = !known || hashKey([countTasks(known)]) === hashKey([project.taskCounts]);
    return [
      // A query in flight may return the state before this change.
      ...(isMineKnown && queryClient.isFetching(MINE) === 0 ? [] : [MINE]),
      ...(isListKnown && queryClient.isFetching(lists) === 0 ? [] : [lists]),
      { ...lists, predicate: ({ meta }: Query) => meta?.isClientView === true },
    ];
  },
  // Pending ticks and moves would jump back for a moment.
  isAhead: ({ queryKey, state }, { queryClient }) =>
    partialMatchKey(queryKey, LISTS.queryKey) &&
    Array.isArray(state.data) &&
    state.data.some((task: Task) => isActedOn(task.id, queryClient)),
});

/** A project's tasks, for admins optionally as that client sees them. The page's `useProjectChanges` keeps them up to date. */
export function useTasks(projectId: string, { asClientId }: { asClientId?: string | undefined } = {}) {
  return trpc.tasks.list.useQuery(asClientId === undefined ? { projectId } : { projectId, asClientId }, {
    meta: { isClientView: asClientId !== undefined },
  });
}

/** Not optimistic: the form keeps its input until the server has saved it. */
export function useCreateTask(projectId: string) {
  const cache = useTaskCache(projectId);
  return trpc.tasks.create.useMutation({ onSuccess: cache.save });
}

/** Not optimistic. With a `version`, an edit of an older one is a CONFLICT: `useReloadTask` fetches the current one. */
export function useUpdateTask(projectId: string) {
  const cache = useTaskCache(projectId);
  return trpc.tasks.update.useMutation({ onSuccess: cache.save });
}

/** Fetches the list from the server and updates the cache. Null when that task no longer exists. */
export function useReloadTask(projectId: string): (taskId: string) => Promise<Task | null> {
  const utils = trpc.useUtils();
  return async (taskId) => {
    const tasks = await utils.tasks.list.fetch({ projectId }, { staleTime: 0 });
    return tasks.find(({ id }) => id === taskId) ?? null;
  };
}

/**
 * The checkbox of a task, wherever it is shown. Optimistic: it changes within the event itself (the cache notifies its readers a
 * moment later, and a controlled checkbox would jump back in between) and is rolled back when the server refuses. Ticks of one
 * task run one after the other, and only the last decides what is shown.
 */
export function useTick(task: Pick<Task, "id" | "projectId" | "completed">) {
  const { id, projectId } = task;
  const cache = useTaskCache(projectId);
  const queryClient = useQueryClient();
  const [wish, setWish] = useState<boolean | null>(null);
  const scope = { id: `tick-${id}` };
  const isLast = () => queryClient.isMutating({ predicate: ({ options }) => options.scope?.id === scope.id }) <= 1;
  const { mutate, isError, variables } = trpc.tasks.setCompleted.useMutation({
    scope,
    onMutate: (next) => {
      cache.settle();
      cache.tick(next);
    },
    onSuccess: (saved) => {
      if (isLast()) cache.put(saved);
    },
    onError: (_error, { taskId, completed }) => {
      if (isLast()) cache.tick({ taskId, completed: !completed });
    },
    // A query cancelled by the tick may have been fetching someone else's change.
    onSettled: () => {
      if (isLast()) cache.reload();
    },
  });
  function tick(completed: boolean): void {
    setWish(completed);
    // Called only for the last of several ticks.
    mutate({ taskId: id, completed }, { onSettled: () => setWish(null) });
  }
  // Someone else may have completed it meanwhile: then there is nothing to retry.
  const isRefused = isError && variables !== undefined && variables.completed !== task.completed;
  return { completed: wish ?? task.completed, tick, retry: isRefused ? () => tick(variables.completed) : null };
}

/** Optimistic, after the confirmation: the row disappears at once and returns when the server refuses. */
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

/** Updates the cached list of a project. For the hooks of tasks. */
export function useTaskCache(projectId: string) {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  return useMemo(() => taskCache(projectId, { utils, queryClient }), [utils, queryClient, projectId]);
}

function taskCache(projectId: string, live: LiveCache) {
  const { utils } = live;
  const { list, mine } = utils.tasks;

  function changeList(apply: (tasks: readonly Task[]) => Task[]): readonly Task[] | undefined {
    list.setData({ projectId }, (known) => known && apply(known));
    return read();
  }

  /** Changes the cached list, and with it the counts on the project's card. */
  function change(apply: (tasks: readonly Task[]) => Task[]): void {
    const tasks = changeList(apply);
    if (!tasks) return;
    projectCache(live).patch(projectId, (project) => ({ ...project, taskCounts: countTasks(tasks) }));
  }

  /** An optimistic tick. */
  function tick(next: { taskId: string; completed: boolean }): void {
    mine.setData(undefined, (known) => known && tickMine(known, next));
    change((tasks) => tickTask(tasks, next));
  }

  /** Updates the person's own list. False when only the server knows what it holds now. */
  function putIntoMine(task: Task): boolean {
    const viewer = utils.auth.me.getData();
    const known = mine.getData();
    const next = viewer && known ? putMine(known, { task, viewer }) : known;
    if (next) mine.setData(undefined, next);
    return next !== null;
  }

  function put(task: Task): void {
    putIntoMine(task);
    change((tasks) => putTask(tasks, task));
  }

  /** After a form was saved. New assignees join the project's people: their names are shown before the project is fetched again. */
  function save(task: Task): void {
    change((tasks) => putTask(tasks, task));
    const assigned = utils.users.assignable.getData()?.filter(({ id }) => task.assignedTo.includes(id)) ?? [];
    projectCache(live).patch(projectId, (project) => {
      const added = assigned.filter(({ id }) => !project.people.some((known) => known.id === id));
      return added.length > 0 ? { ...project, people: [...project.people, ...added] } : project;
    });
  }

  /** Cancels queries in flight, which could overwrite what comes next. Their previous data is restored when this returns. */
  function settle(): void {
    void mine.cancel();
    void list.cancel({ projectId });
  }

  function reload(): void {
    void mine.invalidate();
    void list.invalidate({ projectId });
  }

  /** The cached list, which may not be rendered yet. Undefined before the first fetch. */
  const read = (): readonly Task[] | undefined => list.getData({ projectId });
  const isMine = (taskId: string) => mine.getData()?.items.some(({ id }) => id === taskId) === true;
  return { changeList, change, tick, put, save, putMine: putIntoMine, settle, reload, read, isMine };
}

const ACTIONS = [getMutationKey(trpc.tasks.setCompleted), getMutationKey(trpc.tasks.move)].map((key) => hashKey(key));

/** Whether a mutation is an optimistic tick or move. */
function isAction({ options: { mutationKey } }: Mutation): boolean {
  return mutationKey !== undefined && ACTIONS.includes(hashKey(mutationKey));
}

function isActedOn(taskId: string, queryClient: QueryClient): boolean {
  return queryClient.isMutating({ predicate: (mutation) => isAction(mutation) && taskIdOf(mutation) === taskId }) > 0;
}

function taskIdOf({ state: { variables } }: Mutation): string | null {
  if (typeof variables !== "object" || variables === null || !("taskId" in variables)) return null;
  return typeof variables.taskId === "string" ? variables.taskId : null;
}
