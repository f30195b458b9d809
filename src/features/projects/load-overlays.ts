/* Apart from `useOverlays`, which the overlays themselves call: together they would be a circle. */

/** Fetches the code of the panel and the dialogs. */
export const loadOverlays = () => import("./project-overlays");

/** Fetches it ahead of time; a failure shows when something is opened. */
export function preloadOverlays(): void {
  loadOverlays().catch(() => undefined);
}
