import type { Knock } from "./notify";

/** What a watcher finds when it wakes: which projects to read again, and whether to compare everything. */
export interface Wake {
  projectIds: ReadonlySet<string>;
  resync: boolean;
}

/** Where knocks wait for one watcher: one bit per project, however many knocks; memory is bounded by what it watches. */
export interface Mailbox {
  join(topic: Topic): void;
  leave(topic: Topic): void;
  /** The next wake, or null once `signal` aborts or the mailbox is closed. */
  next(signal: AbortSignal | undefined): Promise<Wake | null>;
  close(): void;
}

/** `projects` hears of every project, `user:ID` of those that person has just joined. */
export type Topic = "projects" | `project:${string}` | `user:${string}`;

/** The watchers' side of the hub. */
export interface Feed {
  open(): Mailbox;
}

/** Topic to watchers within one process. Delivery wakes; it never filters, reads or encodes. */
export interface Hub extends Feed {
  deliver(knock: Knock): void;
  /** Wakes every watcher to compare what it knows: after a lost listening connection, and as a safety timer. */
  resyncAll(): void;
  size(): number;
}

export function createHub(): Hub {
  const topics = new Map<Topic, Set<Watcher>>();
  const watchers = new Set<Watcher>();
  return {
    open() {
      const watcher = new Watcher(topics, () => watchers.delete(watcher));
      watchers.add(watcher);
      return watcher;
    },
    deliver({ projectId, newcomers }) {
      const reached = new Set([...(topics.get("projects") ?? []), ...(topics.get(`project:${projectId}`) ?? [])]);
      for (const userId of newcomers) for (const watcher of topics.get(`user:${userId}`) ?? []) reached.add(watcher);
      for (const watcher of reached) watcher.knock(projectId);
    },
    resyncAll() {
      for (const watcher of watchers) watcher.knock(null);
    },
    size: () => watchers.size,
  };
}

class Watcher implements Mailbox {
  readonly #topics: Map<Topic, Set<Watcher>>;
  readonly #joined = new Set<Topic>();
  readonly #onClose: () => void;
  #projectIds = new Set<string>();
  #resync = false;
  #closed = false;
  #wake: (() => void) | null = null;

  constructor(topics: Map<Topic, Set<Watcher>>, onClose: () => void) {
    this.#topics = topics;
    this.#onClose = onClose;
  }

  knock(projectId: string | null): void {
    if (projectId === null) this.#resync = true;
    else this.#projectIds.add(projectId);
    this.#wake?.();
  }

  join(topic: Topic): void {
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
    while (!this.#closed && !signal?.aborted && !this.#resync && this.#projectIds.size === 0) {
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
    const wake = { projectIds: this.#projectIds, resync: this.#resync };
    this.#projectIds = new Set();
    this.#resync = false;
    return wake;
  }

  close(): void {
    this.#closed = true;
    for (const topic of [...this.#joined]) this.leave(topic);
    this.#onClose();
    this.#wake?.();
  }
}
