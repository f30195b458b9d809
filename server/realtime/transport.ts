import * as z from "zod/mini";
import type { Logger } from "../core/logger";
import { parseJson } from "../core/parse-json";
import { presenceMessageSchema } from "./announcer";
import { type Hub, SAFETY_PARTS } from "./hub";
import { notificationSchema } from "./notify";
import type { Presence } from "./presence";

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

/** Notifications go to the hub, presence messages to the directory. */
export interface Receivers {
  hub: Hub;
  presence?: Pick<Presence, "receive" | "requestSnapshots">;
}

/** What a process receives by. */
export interface Listener {
  /** Sends this process something and waits for it: true only when all of that works. */
  isWell(): Promise<boolean>;
  close(): Promise<void>;
}

const payloadSchema = z.union([notificationSchema, presenceMessageSchema]);

/** Dispatches the payloads that arrive. */
export function receiver({ hub, presence }: Receivers, logger: Logger): (payload: string) => void {
  return (payload) => {
    const { data: received } = payloadSchema.safeParse(parseJson(payload));
    if (!received) logger.warn("notification not understood");
    else if ("presence" in received) presence?.receive(received);
    else hub.deliver(received);
  };
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
