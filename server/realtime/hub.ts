import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { formatLiveCursor, parseLiveCursor } from "../contract/live-cursor";
import { MESSAGES } from "../contract/messages";
import { DomainError } from "../core/errors";
import type { Logger } from "../core/logger";
import { parseJson } from "../core/parse-json";
import { type PresenceMessage, presenceMessageSchema } from "./announcer";
import { type Notification, notificationSchema, type ProjectStep, type Subject } from "./notify";
import { type Subscription, type Topics, Watcher } from "./subscription";

/** Opens subscriptions: the watchers' side of the hub. */
export interface Feed {
  /** The safety timer wakes up all of one owner together, so that they share what they read. */
  open(owner?: string): Subscription;
  /** How many subscriptions are open. */
  size(): number;
  /** This moment, for `missedSince` of the same process. What is read from now on shows every change notified before it. */
  cursor(): string;
  /**
   * The notifications since a cursor of all changes that were committed before this call, or null when some may be missing: a
   * cursor of another process, one that is too old, or an interruption of listening since.
   */
  missedSince(cursor: string): Promise<Notification[] | null>;
  /** The latest steps of a subject, with those of all changes that were committed before this call: as many as are kept. */
  recentSteps(subject: Subject): Promise<ProjectStep[]>;
}

/** Maps topics to watchers within one process. Delivery wakes watchers up; it never filters, reads or encodes. */
export interface Hub extends Feed {
  deliver(notification: Notification): void;
  /**
   * Notifications arrive from now on; those before may be lost, so every watcher compares everything. `flush` resolves to true
   * once whatever was notified before its call has been delivered, and to false when that is not certain.
   */
  startDelivery(flush: () => Promise<boolean>): void;
  /** Wakes up every watcher to compare everything. */
  resyncAll(): void;
  /**
   * Wakes up the owners that are due, about one part in `SAFETY_PARTS`: a safety timer without a thousand reads at one moment.
   * So many calls wake up everyone who is there throughout, whoever else comes and goes.
   */
  resyncPart(): void;
}

/** Notifications go to the hub, presence messages to the directory. */
export interface Receivers {
  hub: Hub;
  presence?: { receive(message: PresenceMessage): void; requestSnapshots(): void };
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

/** A notification, and when it came, by `performance.now()`. */
type Arrival = Notification & { arrivedMs: number };

/** Between two wake-ups about one project, so that a burst goes to its watchers together: about a frame of a screen. */
const TICK_MS = 16;

export const SAFETY_PARTS = 60;
/** Notifications that are kept for streams that resume: about 500 kB. */
export const KEPT_NOTIFICATIONS = 2_000;

export function createHub({ parts = SAFETY_PARTS }: { parts?: number } = {}): Hub {
  const recent = createRecent();
  const topics: Topics = new Map();
  /** Of each owner, and of each watcher that has none: with the turn that wakes them up next, whoever else comes or goes. */
  const groups = new Map<string | Watcher, { due: number; watchers: Set<Watcher> }>();
  const watchers = () => [...groups.values()].flatMap((group) => [...group.watchers]);
  let turn = 0;
  let opened = 0;
  function resyncAll(): void {
    for (const watcher of watchers()) watcher.notify(null);
  }
  /** Of the projects whose watchers were woken up less than a tick ago. */
  const held = new Map<Subject, Arrival[]>();
  function wakeUpAbout(subject: Subject, arrivals: readonly Arrival[]): void {
    for (const { step, topics: also, arrivedMs } of arrivals) {
      const reached = new Set([subject, ...also].flatMap((topic) => [...(topics.get(topic)?.members ?? [])]));
      for (const watcher of reached) watcher.notify(subject, step, arrivedMs);
    }
    if (!subject.startsWith("project:")) return;
    held.set(subject, []);
    setTimeout(() => {
      const waiting = held.get(subject) ?? [];
      held.delete(subject);
      if (waiting.length > 0) wakeUpAbout(subject, waiting);
    }, TICK_MS).unref();
  }
  return {
    open(owner) {
      const watcher = new Watcher(topics);
      const key = owner ?? watcher;
      opened += 1;
      // In the later half of the round: short-lived watchers are left alone, and those that come at once are spread out.
      const due = turn + parts - (opened % Math.ceil(parts / 2));
      const group = groups.get(key) ?? { due, watchers: new Set() };
      groups.set(key, group);
      group.watchers.add(watcher);
      watcher.onClose(() => {
        group.watchers.delete(watcher);
        if (group.watchers.size === 0) groups.delete(key);
      });
      return watcher;
    },
    cursor: recent.cursor,
    missedSince: recent.missedSince,
    recentSteps: recent.stepsOf,
    deliver(notification) {
      recent.add(notification);
      const { subject } = notification;
      const arrival = { ...notification, arrivedMs: performance.now() };
      const waiting = held.get(subject);
      if (waiting) waiting.push(arrival);
      else wakeUpAbout(subject, [arrival]);
    },
    startDelivery(flush) {
      recent.restart(flush);
      resyncAll();
    },
    resyncAll,
    resyncPart() {
      turn += 1;
      for (const group of groups.values()) {
        if (group.due > turn) continue;
        group.due = turn + parts;
        for (const watcher of group.watchers) watcher.notify(null);
      }
    },
    size: () => watchers().length,
  };
}

/** The newest notifications of changes, each with the moment of its arrival. */
function createRecent() {
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

/**
 * The feed of one connection. More than `maxStreams` at a time: TOO_MANY_REQUESTS. All streams end with the connection,
 * including those opened after its end and those that nobody reads.
 */
export function boundFeed(feed: Feed, { maxStreams, ended }: { maxStreams: number; ended: AbortSignal }): Feed {
  const open = new Set<Subscription>();
  const closeAll = () => {
    for (const subscription of open) subscription.close();
  };
  ended.addEventListener("abort", closeAll);
  return {
    ...feed,
    size: () => open.size,
    open(owner) {
      if (open.size >= maxStreams) throw new DomainError("TOO_MANY_REQUESTS", MESSAGES.general.tooMany);
      const subscription = feed.open(owner);
      open.add(subscription);
      subscription.onClose(() => open.delete(subscription));
      if (ended.aborted) subscription.close();
      return subscription;
    },
  };
}
