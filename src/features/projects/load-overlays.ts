import { loadConfirmIdentity } from "@/features/auth/identity-question";
import { loadMenu } from "@/ui/action-menu";
import { loadMarkdown } from "@/ui/markdown-text";

/* Apart from `useOverlays`, which the overlays themselves call: together they would be a circle. */

/** Fetches the code of the panel and the dialogs. */
export const loadOverlays = () => import("./project-overlays");

/** Fetches the code of a task's page. */
export const loadTaskOverlay = () => import("@/features/tasks/task-overlay");

/** Fetches the code of the panel and the dialogs for whoever is about to open one; a failure shows when it is opened. */
export function preloadOverlays(): void {
  loadOverlays().catch(() => undefined);
}

/**
 * What a page may want later. The first toast may be about a lost connection, so its code must not need one. Each of the next comes
 * with files that the one after it needs too, which then take tasks of their own: on a phone all of them at once would be felt.
 */
const LATER = [
  () => import("@/ui/toaster"),
  loadMenu,
  () => import("@/ui/more-sheet"),
  loadConfirmIdentity,
  loadOverlays,
  loadTaskOverlay,
  loadMarkdown,
];

/** Fetches it ahead of time, one after the other: what code does as it comes takes a moment each time. */
export async function preloadForLater(): Promise<void> {
  for (const load of LATER) await load().catch(() => undefined);
}
