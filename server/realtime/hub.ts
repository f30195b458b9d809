import { randomUUID } from "node:crypto";
import { formatLiveCursor, parseLiveCursor } from "../contract/live-cursor";
import { MESSAGES } from "../contract/messages";
import { DomainError } from "../core/errors";
import type { Notification, ProjectStep, Subject, Topic } from "./notify";

/** Why a watcher was woken up: which subjects to read again, and whether to compare everything. */
export interface WakeUp {
  subjects: ReadonlySet<Subject>;
  /** What happened to a subject, where it says so: in order, and without the earliest when there are too many. */
  steps: ReadonlyMap<Subject, readonly ProjectStep[]>;
  resync: boolean;
}

/** Reads everything: what a stream may begin with. */
export const RESYNC: WakeUp = { subjects: new Set(), steps: new Map(), resync: true };

/** Collects one watcher's notifications: a few steps per subject, however many arrive, so memory is bounded by what it watches. */
export interface Subscription {
  join(topic: Topic): void;
  leave(topic: Topic): void;
  /** Whether a notification wakes it up. */
  follows(notification: Notification): boolean;
  /** Wakes it up about a subject. */
  notify(subject: Subject, step?: ProjectStep): void;
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
  open(): Subscription;
  /** This moment, for `missedSince` of the same process. What is read from now on shows every change notified before it. */
  cursor(): string;
  /**
   * The notifications since a cursor of all changes that were committed before this call, or null when some may be missing: a
   * cursor of another process, one that is too old, or an interruption of listening since.
   */
  missedSince(cursor: string): Promise<Notification[] | null>;
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
   * Wakes up the watchers that are due, about one part in `SAFETY_PARTS`: a safety timer without a thousand reads at one moment.
   * So many calls wake up everyone who is there throughout, whoever else comes and goes.
   */
  resyncPart(): void;
  size(): number;
}

/** Of one subject between two wake-ups. */
const MAX_STEPS = 100;

/** Between two wake-ups about one project, so that a burst goes to its watchers together: about a frame of a screen. */
const TICK_MS = 16;

export const SAFETY_PARTS = 60;
/** Notifications that are kept for streams that resume: about 500 kB. */
export const KEPT_NOTIFICATIONS = 2_000;

export function createHub({ parts = SAFETY_PARTS }: { parts?: number } = {}): Hub {
  const recent = createRecent();
  const topics: Topics = new Map();
  /** Each with the turn that wakes it up next, independent of who else comes or goes. */
  const watchers = new Map<Watcher, number>();
  let turn = 0;
  let opened = 0;
  function resyncAll(): void {
    for (const watcher of watchers.keys()) watcher.notify(null);
  }
  /** Of the projects whose watchers were woken up less than a tick ago. */
  const held = new Map<Subject, Notification[]>();
  function wakeUpAbout(subject: Subject, notifications: readonly Notification[]): void {
    for (const { topics: also, step } of notifications) {
      const reached = new Set([subject, ...also].flatMap((topic) => [...(topics.get(topic)?.members ?? [])]));
      for (const watcher of reached) watcher.notify(subject, step);
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
    open() {
      const watcher = new Watcher(topics);
      watcher.onClose(() => watchers.delete(watcher));
      opened += 1;
      // In the later half of the round: short-lived watchers are left alone, and those that come at once are spread out.
      watchers.set(watcher, turn + parts - (opened % Math.ceil(parts / 2)));
      return watcher;
    },
    cursor: recent.cursor,
    missedSince: recent.missedSince,
    deliver(notification) {
      recent.add(notification);
      const waiting = held.get(notification.subject);
      if (waiting) waiting.push(notification);
      else wakeUpAbout(notification.subject, [notification]);
    },
    startDelivery(flush) {
      recent.restart(flush);
      resyncAll();
    },
    resyncAll,
    resyncPart() {
      turn += 1;
      for (const [watcher, due] of watchers) {
        if (due > turn) continue;
        watchers.set(watcher, turn + parts);
        watcher.notify(null);
      }
    },
    size: () => watchers.size,
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
    open() {
      if (open.size >= maxStreams) throw new DomainError("TOO_MANY_REQUESTS", MESSAGES.general.tooMany);
      const subscription = feed.open();
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
type Topics = Map<Topic, Audience>;

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

  notify(subject: Subject | null, step?: ProjectStep): void {
    this.#pending ??= { subjects: new Set(), steps: new Map(), resync: false };
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
    const part = new Watcher(this.#topics, () => {
      this.#pending ??= { subjects: new Set(), steps: new Map(), resync: false };
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
}
