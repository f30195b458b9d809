/**
 * Resolves when the browser has nothing else to do, or after `timeoutMs`: a page without frames to draw may never be idle. Safari does
 * not say when it is; there it resolves in the next task.
 */
export function whenIdle(timeoutMs: number): Promise<void> {
  return new Promise((resolve) => {
    if (typeof requestIdleCallback === "undefined") setTimeout(resolve);
    else requestIdleCallback(() => resolve(), { timeout: timeoutMs });
  });
}
