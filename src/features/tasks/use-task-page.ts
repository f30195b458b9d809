import type { UpdateTask } from "@server/contract/tasks";
import type { Task } from "@server/contract/views";
import { useQueryClient } from "@tanstack/react-query";
import { getQueryKey } from "@trpc/react-query";
import { useMemo } from "react";
import { useProjectCache } from "@/features/projects/use-projects";
import { registerLiveSync } from "@/lib/live-sync";
import { copiedAt, patchQueries } from "@/lib/query-updates";
import { trpc } from "@/lib/trpc";
import { useTaskCache } from "./use-tasks";

const BY_KEY = { queryKey: getQueryKey(trpc.tasks.byKey) };

registerLiveSync("projects", {
  queries: [BY_KEY],
  receive({ projectId, project, ...change }, { queryClient }) {
    const steps = change.steps ?? [change];
    // Gone, or no longer visible: the server says so. With the people of a project the assignees of its tasks may have changed.
    const isUnknown = !project || steps.some(({ kind }) => kind === "resync" || kind === "people-changed");
    return patchQueries<Task>(queryClient, BY_KEY, (known) => {
      if (known.projectId !== projectId) return known;
      if (isUnknown) return null;
      return steps.reduce<Task | null>((task, step) => {
        if (step.taskId !== known.id || task === null) return task;
        return step.task && newerTask(task, step.task);
      }, known);
    });
  },
});

/** The newer of two versions. The answer to a change leaves out the commits: the known ones stay. */
function newerTask(known: Task, read: Task): Task {
  return known.version > read.version ? known : { ...known, ...read };
}

/**
 * A task by its key, at once when a list that was read holds it; for admins optionally as that client sees it. NOT_FOUND when it
 * does not exist or is not visible. The page's `useProjectChanges` keeps it up to date.
 */
export function useTaskByKey(key: string | undefined, { asClientId }: { asClientId?: string | undefined }) {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  const projects = useProjectCache();
  const input = { key: key ?? "", ...(asClientId !== undefined && { asClientId }) };
  const projectOf = () =>
    key === undefined || asClientId !== undefined ? undefined : projects.findByKey(key.slice(0, key.lastIndexOf("-")));
  return trpc.tasks.byKey.useQuery(input, {
    enabled: key !== undefined,
    initialData: () => {
      const project = projectOf();
      if (!project) return undefined;
      return utils.tasks.list
        .getData({ projectId: project.id })
        ?.find(({ number }) => `${project.key}-${number}` === key);
    },
    initialDataUpdatedAt: () =>
      copiedAt(queryClient, { queryKey: getQueryKey(trpc.tasks.list, { projectId: projectOf()?.id ?? "" }, "query") }),
  });
}

/** Reads and saves one task for its page. */
export function useTaskRecord({ id, projectId }: Pick<Task, "id" | "projectId">) {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  const lists = useTaskCache(projectId);
  return useMemo(() => {
    function put(task: Task): Task {
      patchQueries<Task>(queryClient, BY_KEY, (known) => (known.id === id ? newerTask(known, task) : known));
      lists.save(task);
      return task;
    }
    return {
      put,
      /** The newest version that this browser knows. */
      known(): Task | undefined {
        const answers = queryClient.getQueriesData<Task>(BY_KEY).flatMap(([, task]) => (task?.id === id ? [task] : []));
        return answers.toSorted((one, other) => other.version - one.version)[0];
      },
      async update(edit: Pick<UpdateTask, "patch"> & { version: number }): Promise<Task> {
        return put(await utils.client.tasks.update.mutate({ taskId: id, ...edit }));
      },
      async reload(key: string): Promise<Task> {
        return put(await utils.client.tasks.byKey.query({ key }));
      },
    };
  }, [utils, queryClient, lists, id]);
}
