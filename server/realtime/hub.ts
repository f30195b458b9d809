import { MESSAGES } from "../contract/messages";
import { DomainError } from "../core/errors";
import type { Knock, Subject, Topic } from "./notify";

/** What a watcher finds when it wakes: which subjects to read again, and whether to compare everything. */
export interface Wake {
  subjects: ReadonlySet<Subject>;
  resync: boolean;
}

/** Where knocks wait for one watcher: one bit per subject, however many knocks; memory is bounded by what it watches. */
export interface Mailbox {
  join(topic: Topic): void;
  leave(topic: Topic): void;
  /** The next wake, or null once `signal` aborts or the mailbox is closed. */
  next(signal: AbortSignal | undefined): Promise<Wake | null>;
  close(): void;
  /** Runs once, when the mailbox closes; at once when it is closed already. */
  onClose(listener: () => void): void;
}

/** The watchers' side of the hub. */
export interface Feed {
  open(): Mailbox;
}

/** Topic to watchers within one process. Delivery wakes; it never filters, reads or encodes. */
export interface Hub extends Feed {
  deliver(knock: Knock): void;
  /** Wakes every watcher to compare what it knows: after a lost listening connection. */
  resyncAll(): void;
  /**
   * Wakes the next of `SAFETY_PARTS` of them, round and round: as a safety timer, without a thousand reads at one moment. So many
   * calls wake everyone who is there for all of them, whoever else comes and goes.
   */
  resyncPart(): void;
  size(): number;
}

export const SAFETY_PARTS = 60;

export function createHub({ parts = SAFETY_PARTS }: { parts?: number } = {}): Hub {
  const topics = new Map<Topic, Set<Watcher>>();
  /** Each with the turn that wakes it next: whoever else comes or goes changes nothing about that. */
  const watchers = new Map<Watcher, number>();
  let turn = 0;
  let opened = 0;
  return {
    open() {
      const watcher = new Watcher(topics, () => watchers.delete(watcher));
      opened += 1;
      // In the later half of the round: what lives for a moment is left alone, and all that come at once are spread.
      watchers.set(watcher, turn + parts - (opened % Math.ceil(parts / 2)));
      return watcher;
    },
    deliver({ subject, topics: also }) {
      const reached = new Set([subject, ...also].flatMap((topic) => [...(topics.get(topic) ?? [])]));
      for (const watcher of reached) watcher.knock(subject);
    },
    resyncAll() {
      for (const watcher of watchers.keys()) watcher.knock(null);
    },
    resyncPart() {
      turn += 1;
      for (const [watcher, due] of watchers) {
        if (due > turn) continue;
        watchers.set(watcher, turn + parts);
        watcher.knock(null);
      }
    },
    size: () => watchers.size,
  };
}

/**
 * The feed for one connection, which may hold so many streams at a time and no more: TOO_MANY_REQUESTS. All of them end with
 * the connection, also those that are opened after its end or that nobody ever reads.
 */
export function boundFeed(feed: Feed, { most, ended }: { most: number; ended: AbortSignal }): Feed {
  const open = new Set<Mailbox>();
  const closeAll = () => {
    for (const mailbox of open) mailbox.close();
  };
  ended.addEventListener("abort", closeAll);
  return {
    open() {
      if (open.size >= most) throw new DomainError("TOO_MANY_REQUESTS", MESSAGES.general.tooMany);
      const mailbox = feed.open();
      open.add(mailbox);
      mailbox.onClose(() => open.delete(mailbox));
      if (ended.aborted) mailbox.close();
      return mailbox;
    },
  };
}

class Watcher implements Mailbox {
  readonly #topics: Map<Topic, Set<Watcher>>;
  readonly #joined = new Set<Topic>();
  #closeListeners: (() => void)[] = [];
  #subjects = new Set<Subject>();
  #resync = false;
  #closed = false;
  #wake: (() => void) | null = null;

  constructor(topics: Map<Topic, Set<Watcher>>, onClose: () => void) {
    this.#topics = topics;
    this.#closeListeners.push(onClose);
  }

  knock(subject: Subject | null): void {
    if (subject === null) this.#resync = true;
    else this.#subjects.add(subject);
    this.#wake?.();
  }

  join(topic: Topic): void {
    // Nobody would ever leave again for it.
    if (this.#closed) return;
    const members = this.#topics.get(topic) ?? new Set<Watcher>();
    this.#topics.set(topic, members.add(this));
    this.#joined.add(topic);
  }

  leave(topic: Topic): void {
    const members = this.#topics.get(topic);
    members?.delete(this);
    if (members?.size === 0) this.#topics.delete(topic);
    this.#joined.delete(topic);
  }

  async next(signal: AbortSignal | undefined): Promise<Wake | null> {
    while (!this.#closed && !signal?.aborted && !this.#resync && this.#subjects.size === 0) {
      const knocked = new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      const wake = () => this.#wake?.();
      signal?.addEventListener("abort", wake);
      await knocked;
      signal?.removeEventListener("abort", wake);
      this.#wake = null;
    }
    if (this.#closed || signal?.aborted) return null;
    const wake = { subjects: this.#subjects, resync: this.#resync };
    this.#subjects = new Set();
    this.#resync = false;
    return wake;
  }

  close(): void {
    this.#closed = true;
    for (const topic of [...this.#joined]) this.leave(topic);
    for (const listener of this.#closeListeners.splice(0)) listener();
    this.#wake?.();
  }

  onClose(listener: () => void): void {
    if (this.#closed) listener();
    else this.#closeListeners.push(listener);
  }
}
