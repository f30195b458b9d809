import { useEffect } from "react";
import { TASK_KEY } from "@/features/projects/overlay-search";
import { useOverlays } from "@/features/projects/use-overlays";
import { useProject } from "@/features/projects/use-projects";
import { trpc } from "@/lib/trpc";

/** The first release named a task by its id, beside its project's panel: puts its key in the address, or nothing for one that is gone. */
export function useTaskOfOldAddress({
  task,
  projectId,
}: {
  task: string | undefined;
  projectId: string | undefined;
}): void {
  const taskId = task !== undefined && !TASK_KEY.test(task) ? task : undefined;
  const { renameTask } = useOverlays();
  const project = useProject(taskId && projectId);
  const tasks = trpc.tasks.list.useQuery(
    { projectId: projectId ?? "" },
    { enabled: taskId !== undefined && projectId !== undefined },
  );
  const isRefused = project.isError || tasks.isError;
  useEffect(() => {
    if (taskId === undefined) return;
    const number = tasks.data?.find(({ id }) => id === taskId)?.number;
    if (isRefused) renameTask(undefined);
    else if (project.data && tasks.data) renameTask(number === undefined ? undefined : `${project.data.key}-${number}`);
  }, [taskId, project.data, tasks.data, isRefused, renameTask]);
}
