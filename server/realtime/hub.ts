import * as z from "zod/mini";
import { MESSAGES } from "../contract/messages";
import { DomainError } from "../core/errors";
import type { Logger } from "../core/logger";
import { parseJson } from "../core/parse-json";
import { type PresenceMessage, presenceMessageSchema } from "./announcer";
import { type Notification, notificationSchema, type ProjectStep, type Subject, type Topic } from "./notify";
import { createRecent } from "./recent";

/** Why a watcher was woken up: which subjects to read again, and whether to compare everything. */
export interface WakeUp {
  subjects: ReadonlySet<Subject>;
  /** What happened to a subject, where it says so: in order, and without the earliest when there are too many. */
  steps: ReadonlyMap<Subject, readonly ProjectStep[]>;
  resync: boolean;
  /** When the first of these notifications arrived, by `performance.now()`; undefined where there was none. */
  arrivedMs?: number | undefined;
}

/** Reads everything: what a stream may begin with. */
export const RESYNC: WakeUp = { subjects: new Set(), steps: new Map(), resync: true };

/** Collects one watcher's notifications: a few steps per subject, however many arrive, so memory is bounded by what it watches. */
export interface Subscription {
  join(topic: Topic): void;
  leave(topic: Topic): void;
  /** Whether a notification wakes it up. */
  follows(notification: Notification): boolean;
  /** Wakes it up about a subject; `arrivedMs` says when that was notified. */
  notify(subject: Subject, step?: ProjectStep, arrivedMs?: number): void;
  /** The next wake-up, or null once `signal` aborts or the subscription is closed. */
  next(signal: AbortSignal | undefined): Promise<WakeUp | null>;
  /** What has woken it up since it was last asked; null for nothing. */
  take(): WakeUp | null;
  /** A part with topics and wake-ups of its own, which also wake this one up. It ends with this one. */
  fork(): Subscription;
  close(): void;
  /** Runs once, when the subscription closes; at once when it is closed already. */
  onClose(listener: () => void): void;
}

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

/** Those who watch one topic. Watchers hold this and not its name, of which each would have a copy. */
interface Audience {
  topic: Topic;
  members: Set<Watcher>;
}
/** Of one process. */
type Topics = Map<Topic, Audience>;

/** Of one subject between two wake-ups. */
const MAX_STEPS = 100;

/** A subscription to topics of one process. */
class Watcher implements Subscription {
  readonly #topics: Topics;
  readonly #joined = new Set<Audience>();
  readonly #parts: Watcher[] = [];
  #closeListeners: (() => void)[] = [];
  #pending: PendingWakeUp | null = null;
  #closed = false;
  #wakeUp: (() => void) | null = null;

  constructor(topics: Topics, wakeUp: (() => void) | null = null) {
    this.#topics = topics;
    this.#wakeUp = wakeUp;
  }

  notify(subject: Subject | null, step?: ProjectStep, arrivedMs?: number): void {
    this.#pending ??= { subjects: new Set(), steps: new Map(), resync: false };
    this.#pending.arrivedMs ??= arrivedMs;
    const { subjects, steps } = this.#pending;
    if (subject === null) {
      this.#pending.resync = true;
      for (const part of this.#parts) part.notify(null);
    } else {
      if (step) steps.set(subject, [...(steps.get(subject) ?? []), step].slice(-MAX_STEPS));
      subjects.add(subject);
    }
    this.#wakeUp?.();
  }

  join(topic: Topic): void {
    // A closed watcher never leaves its topics again.
    if (this.#closed) return;
    const audience = this.#topics.get(topic) ?? { topic, members: new Set<Watcher>() };
    audience.members.add(this);
    this.#topics.set(audience.topic, audience);
    this.#joined.add(audience);
  }

  leave(topic: Topic): void {
    const audience = this.#topics.get(topic);
    if (audience) this.#leave(audience);
  }

  #leave(audience: Audience): void {
    audience.members.delete(this);
    if (audience.members.size === 0) this.#topics.delete(audience.topic);
    this.#joined.delete(audience);
  }

  follows({ subject, topics }: Notification): boolean {
    return [subject, ...topics].some((topic) => {
      const audience = this.#topics.get(topic);
      return audience !== undefined && this.#joined.has(audience);
    });
  }

  async next(signal: AbortSignal | undefined): Promise<WakeUp | null> {
    while (!this.#closed && !signal?.aborted && !this.#pending) {
      const notified = new Promise<void>((resolve) => {
        this.#wakeUp = resolve;
      });
      const wakeUp = () => this.#wakeUp?.();
      signal?.addEventListener("abort", wakeUp);
      await notified;
      signal?.removeEventListener("abort", wakeUp);
      this.#wakeUp = null;
    }
    return this.#closed || signal?.aborted ? null : this.take();
  }

  take(): WakeUp | null {
    const wakeUp = this.#pending;
    this.#pending = null;
    return wakeUp;
  }

  fork(): Subscription {
    // Which of its parts it is about they know themselves.
    const part: Watcher = new Watcher(this.#topics, () => {
      this.#pending ??= { subjects: new Set(), steps: new Map(), resync: false };
      this.#pending.arrivedMs ??= part.#pending?.arrivedMs;
      this.#wakeUp?.();
    });
    this.#parts.push(part);
    if (this.#closed) part.close();
    return part;
  }

  close(): void {
    this.#closed = true;
    for (const part of this.#parts) part.close();
    for (const audience of [...this.#joined]) this.#leave(audience);
    for (const listener of this.#closeListeners.splice(0)) listener();
    this.#wakeUp?.();
  }

  onClose(listener: () => void): void {
    if (this.#closed) listener();
    else this.#closeListeners.push(listener);
  }
}

interface PendingWakeUp {
  subjects: Set<Subject>;
  steps: Map<Subject, readonly ProjectStep[]>;
  resync: boolean;
  arrivedMs?: number | undefined;
}
