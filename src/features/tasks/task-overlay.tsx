import { TASK_KEY } from "@/features/projects/overlay-search";
import { useOverlays } from "@/features/projects/use-overlays";
import { TaskSheet } from "./task-sheet";

type TaskOverlayProps = {
  /** As the address names it. */
  task: string | undefined;
  /** A form lies over it and handles the keys. */
  isCovered: boolean;
  asClientId: string | undefined;
  /** Finds what takes the focus when it is closed. */
  opener: () => HTMLElement | null;
};

/** The page of a task, over any page. */
export function TaskOverlay({ task, isCovered, asClientId, opener }: TaskOverlayProps) {
  const key = task !== undefined && TASK_KEY.test(task) ? task.toUpperCase() : undefined;
  const overlays = useOverlays();
  return (
    <TaskSheet
      taskKey={key}
      asClientId={asClientId}
      onClose={() => key !== undefined && !isCovered && overlays.close("task")}
      onOpenProject={overlays.openPanel}
      finalFocus={opener}
    />
  );
}
