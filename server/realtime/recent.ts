import { randomUUID } from "node:crypto";
import { formatLiveCursor, parseLiveCursor } from "../contract/live-cursor";
import type { Notification, ProjectStep, Subject } from "./notify";

/** Notifications that are kept for streams that resume: about 500 kB. */
export const KEPT_NOTIFICATIONS = 2_000;

/** The newest notifications of changes, each with the moment of its arrival. */
export function createRecent() {
  const processId = randomUUID();
  let kept: { atMs: number; notification: Notification }[] = [];
  /** Of what arrived after it nothing is missing. */
  let completeAfterMs = Number.POSITIVE_INFINITY;
  let flush = () => Promise.resolve(false);

  /** Null when the notifications since that moment are not complete. */
  function sinceOf(cursor: string): number | null {
    const since = parseLiveCursor(cursor);
    if (since?.processId !== processId || since.atMs > performance.now()) return null;
    return since.atMs > completeAfterMs ? since.atMs : null;
  }

  return {
    cursor: () => formatLiveCursor({ processId, atMs: performance.now() }),
    add(notification: Notification): void {
      // What no row records is in no answer.
      if (/^(presence|typing):/.test(notification.subject)) return;
      kept.push({ atMs: performance.now(), notification });
      if (kept.length > KEPT_NOTIFICATIONS) completeAfterMs = Math.max(completeAfterMs, kept.shift()?.atMs ?? 0);
    },
    restart(newFlush: () => Promise<boolean>): void {
      flush = newFlush;
      kept = [];
      completeAfterMs = performance.now();
    },
    async stepsOf(subject: Subject): Promise<ProjectStep[]> {
      await flush();
      return kept.flatMap(({ notification }) => (notification.subject === subject ? (notification.step ?? []) : []));
    },
    async missedSince(cursor: string): Promise<Notification[] | null> {
      if (sinceOf(cursor) === null || !(await flush())) return null;
      const since = sinceOf(cursor);
      return since === null ? null : kept.flatMap(({ atMs, notification }) => (atMs >= since ? [notification] : []));
    },
  };
}
