import { preloadMarkdown } from "@/ui/markdown-text";

/* Apart from `useOverlays`, which the overlays themselves call: together they would be a circle. */

/** Fetches the code of the panel and the dialogs. */
export const loadOverlays = () => import("./project-overlays");

/** Fetches the code of a task's page. */
export const loadTaskOverlay = () => import("@/features/tasks/task-overlay");

/** Fetches both ahead of time, one after the other; a failure shows when something is opened. */
export function preloadOverlays(): void {
  loadOverlays()
    .then(loadTaskOverlay)
    .catch(() => undefined);
  preloadMarkdown();
}
