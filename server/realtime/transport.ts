import { type Hub, type Receivers, SAFETY_PARTS } from "./hub";

/**
 * How notifications, presence and typing travel between the processes of one database: by PostgreSQL's NOTIFY (listener.ts), or by
 * a bus (bus.ts). Neither is trusted with more than a wake-up: what gets lost, the safety timer makes up for.
 */
export interface Transport {
  /** Sends payloads to every process, this one included, in order. */
  announce(payloads: readonly string[]): Promise<void>;
  /** Passes on what arrives, from now on. */
  listen(receivers: Receivers): Promise<Listener>;
}

/** What a process receives by. */
export interface Listener {
  /** Sends this process something and waits for it: true only when all of that works. */
  isWell(): Promise<boolean>;
  close(): Promise<void>;
}

/** A lost notification is noticed after this long at most, whatever happened to what it travelled by. */
export const SAFETY_INTERVAL_MS = 15_000;

/** Makes every watcher compare everything once within the interval, and twice while `isAway`. Returns what stops it. */
export function startSafetyTimer(hub: Pick<Hub, "resyncPart">, { isAway }: { isAway: () => boolean }): () => void {
  const timer = setInterval(() => {
    hub.resyncPart();
    if (isAway()) hub.resyncPart();
  }, SAFETY_INTERVAL_MS / SAFETY_PARTS);
  timer.unref();
  return () => clearInterval(timer);
}

/** Each run begins after the one before has ended, and serves all calls made before it began. */
export function oneAtATime(run: () => Promise<boolean>): () => Promise<boolean> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<boolean> | null = null;
  return () => {
    if (next) return next;
    const begun = last.then(() => {
      next = null;
      return run();
    });
    next = begun;
    last = begun;
    return begun;
  };
}
