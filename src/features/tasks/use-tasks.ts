import type { MyTasks, Project, ProjectChangeStep, Task } from "@server/contract/views";
import {
  hashKey,
  type InvalidateQueryFilters,
  type Mutation,
  partialMatchKey,
  type QueryClient,
  type QueryKey,
  useQueryClient,
} from "@tanstack/react-query";
import { getMutationKey, getQueryKey } from "@trpc/react-query";
import { useMemo, useState } from "react";
import { countTasks } from "@/features/projects/project-cache";
import { projectCache } from "@/features/projects/use-projects";
import { afterPaint } from "@/lib/after-paint";
import { type LiveCache, registerLiveSync } from "@/lib/live-sync";
import { holdReads, patchQueries, resumeReads } from "@/lib/query-updates";
import { trpc } from "@/lib/trpc";
import { dropMine, putMine, takeSteps, tickMine } from "./my-tasks";
import { dropTask, putTask, renewTask, takeStep, tickTask } from "./task-cache";

const LISTS = { queryKey: getQueryKey(trpc.tasks.list) };
const MINE = { queryKey: getQueryKey(trpc.tasks.mine) };

/** Of tasks with an action under way: what has become of them meanwhile. It follows when the action has ended. */
const missed = new Map<string, Taken>();

registerLiveSync("projects", {
  queries: [LISTS, MINE],
  receive({ projectId, project, ...change }, live) {
    const { utils, queryClient } = live;
    const lists = listsOf(projectId);
    if (!project) {
      void utils.tasks.list.reset({ projectId });
      return patchQueries<MyTasks>(queryClient, MINE, (mine) =>
        dropMine(mine, (task) => task.project.id === projectId),
      );
    }
    const steps = change.steps ?? [change];
    // With the people of a project the assignees of its tasks may have changed.
    if (steps.some(({ kind }) => kind === "resync" || kind === "people-changed")) return [MINE, lists];
    const isPending = ({ taskId }: Step) => taskId !== null && actionsOn(taskId, queryClient) > 0;
    for (const step of steps) if (step.taskId && isPending(step)) missed.set(step.taskId, { project, steps: [step] });
    return take({ project, steps: steps.filter((step) => !isPending(step)) }, live);
  },
  // Pending ticks and moves would jump back for a moment, and a row that is being deleted would come back.
  isAhead: ({ queryKey, state }, { queryClient }) =>
    partialMatchKey(queryKey, LISTS.queryKey) &&
    ((Array.isArray(state.data) && state.data.some((task: Task) => actionsOn(task.id, queryClient) > 0)) ||
      queryClient.isMutating({ mutationKey: DELETE, predicate: ({ meta }) => isListOf(meta?.projectId, queryKey) }) >
        0),
});

type Step = Omit<ProjectChangeStep, "kind">;
type Taken = { project: Project; steps: readonly Step[] };

function listsOf(projectId: string) {
  return { queryKey: getQueryKey(trpc.tasks.list, { projectId }) };
}

function isListOf(projectId: unknown, queryKey: QueryKey): boolean {
  return typeof projectId === "string" && partialMatchKey(queryKey, listsOf(projectId).queryKey);
}

/** Updates the lists that hold these tasks. Returns those that only the server knows now. */
function take({ project, steps }: Taken, { utils, queryClient }: LiveCache) {
  if (steps.length === 0) return [];
  const viewer = utils.auth.me.getData();
  return [
    ...patchQueries<Task[]>(queryClient, listsOf(project.id), (tasks) => steps.reduce<Task[]>(takeStep, tasks)),
    ...patchQueries<MyTasks>(queryClient, MINE, (mine) =>
      viewer ? takeSteps(mine, { steps, project, viewer }) : null,
    ),
  ];
}

/** A project's tasks, for admins optionally as that client sees them. The page's `useProjectChanges` keeps them up to date. */
export function useTasks(projectId: string, { asClientId }: { asClientId?: string | undefined } = {}) {
  return trpc.tasks.list.useQuery(asClientId === undefined ? { projectId } : { projectId, asClientId });
}

/** Not optimistic: the form keeps its input until the server has saved it. */
export function useCreateTask(projectId: string) {
  const cache = useTaskCache(projectId);
  return trpc.tasks.create.useMutation({ onSuccess: cache.add });
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
      // The row shows the wish at once; lists, counts and cards that show the task render after the paint.
      return { cancel: afterPaint(() => cache.tick(next)) };
    },
    onSuccess: (saved, _wish, shown) => {
      shown?.cancel();
      if (isLast()) cache.put(saved);
    },
    onError: (_error, { taskId, completed }, shown) => {
      shown?.cancel();
      if (!isLast()) return;
      cache.tick({ taskId, completed: !completed });
      cache.reload();
    },
    onSettled: () => cache.catchUp(id),
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

/** Updates the cached list of a project. For the hooks of tasks. */
export function useTaskCache(projectId: string) {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  return useMemo(() => taskCache(projectId, { utils, queryClient }), [utils, queryClient, projectId]);
}

/** The same outside React. */
export function taskCache(projectId: string, live: LiveCache) {
  const { utils, queryClient } = live;
  const { list, mine } = utils.tasks;

  /** Changes the cached list, and with it the counts on the project's card. */
  function change(apply: (tasks: readonly Task[]) => Task[]): void {
    list.setData({ projectId }, (known) => known && apply(known));
    const tasks = read();
    if (!tasks) return;
    projectCache(live).patch(projectId, (project) => ({ ...project, taskCounts: countTasks(tasks) }));
  }

  /** An optimistic tick. */
  function tick(next: { taskId: string; completed: boolean }): void {
    mine.setData(undefined, (known) => known && tickMine(known, next));
    change((tasks) => tickTask(tasks, next));
  }

  /** The server's answer to an action. */
  function put(task: Task): void {
    const viewer = utils.auth.me.getData();
    const project = projectCache(live).find(projectId);
    invalidate(
      patchQueries<MyTasks>(queryClient, MINE, (known) => (viewer ? putMine(known, { task, project, viewer }) : null)),
    );
    change((tasks) => renewTask(tasks, task));
  }

  /** After the deletion of a task: what was missed of it would bring it back. */
  function drop(taskId: string): void {
    missed.delete(taskId);
    invalidate(patchQueries<MyTasks>(queryClient, MINE, (known) => dropMine(known, ({ id }) => id === taskId)));
    change((tasks) => dropTask(tasks, taskId));
  }

  /** After a task was added. */
  function add(task: Task): void {
    change((tasks) => putTask(tasks, task));
    save(task);
  }

  /** After a form was saved. New assignees join the project's people: their names are shown before the project is fetched again. */
  function save(task: Task): void {
    change((tasks) => renewTask(tasks, task));
    const assigned = utils.users.assignable.getData()?.filter(({ id }) => task.assignedTo.includes(id)) ?? [];
    projectCache(live).patch(projectId, (project) => {
      const added = assigned.filter(({ id }) => !project.people.some((known) => known.id === id));
      return added.length > 0 ? { ...project, people: [...project.people, ...added] } : project;
    });
  }

  /** Cancels queries in flight, which could overwrite what comes next. Their previous data is restored when this returns. */
  function settle(): void {
    for (const filters of [MINE, listsOf(projectId)]) holdReads(queryClient, filters);
  }

  /** After an action: what has become of its task meanwhile, and what was not read because of actions. */
  function catchUp(taskId: string): void {
    const taken = missed.get(taskId);
    if (actionsOn(taskId, queryClient) <= 1) {
      missed.delete(taskId);
      if (taken) invalidate(take(taken, live));
    }
    if (queryClient.isMutating({ predicate: isAction }) > 1) return;
    // Those of other projects too, whose actions may have ended while this one was under way.
    for (const filters of [MINE, LISTS]) resumeReads(queryClient, filters);
  }

  function reload(): void {
    invalidate([MINE, listsOf(projectId)]);
  }

  function invalidate(outdated: readonly InvalidateQueryFilters[]): void {
    for (const filters of outdated) void queryClient.invalidateQueries(filters);
  }

  /** The cached list, which may not be rendered yet. Undefined before the first fetch. */
  const read = (): readonly Task[] | undefined => list.getData({ projectId });
  return { change, tick, put, drop, add, save, settle, catchUp, reload, read };
}

const DELETE = getMutationKey(trpc.tasks.delete);
const ACTIONS = [getMutationKey(trpc.tasks.setCompleted), getMutationKey(trpc.tasks.move), DELETE].map((key) =>
  hashKey(key),
);

/** Whether a mutation is an optimistic tick, move or deletion. */
function isAction({ options: { mutationKey } }: Mutation): boolean {
  return mutationKey !== undefined && ACTIONS.includes(hashKey(mutationKey));
}

function actionsOn(taskId: string, queryClient: QueryClient): number {
  return queryClient.isMutating({ predicate: (mutation) => isAction(mutation) && taskIdOf(mutation) === taskId });
}

function taskIdOf({ state: { variables } }: Mutation): string | null {
  if (typeof variables !== "object" || variables === null || !("taskId" in variables)) return null;
  return typeof variables.taskId === "string" ? variables.taskId : null;
}
