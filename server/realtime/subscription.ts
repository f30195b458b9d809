import type { Notification, ProjectStep, Subject, Topic } from "./notify";

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

/** Those who watch one topic. Watchers hold this and not its name, of which each would have a copy. */
interface Audience {
  topic: Topic;
  members: Set<Watcher>;
}
/** Of one process. */
export type Topics = Map<Topic, Audience>;

/** Of one subject between two wake-ups. */
const MAX_STEPS = 100;

/** A subscription to topics of one process. */
export class Watcher implements Subscription {
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
