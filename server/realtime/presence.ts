import { Announcer, type AnnouncerOptions, type PresenceMessage } from "./announcer";
import type { Hub } from "./hub";

export interface PresenceTimes {
  /** Between two snapshots of a process. */
  heartbeatMs: number;
  /** A process that sends nothing for this long is dead: two of its snapshots may be lost. */
  forgetAfterMs: number;
  /** How long someone who left still counts as present, so that a reload or a move to another process goes unnoticed. */
  graceMs: number;
}

const TIMES: PresenceTimes = { heartbeatMs: 20_000, forgetAfterMs: 50_000, graceMs: 5_000 };

/** One open page of a person. Ending it twice has no further effect. */
export interface PresenceHandle {
  /** After the grace period the person counts as away, unless they are present elsewhere or come back. */
  leave(): void;
  /** The same without a grace period: the person's session was revoked. */
  revoke(): void;
}

/** Who has a visible page open in any process. Kept in memory only. */
export interface Presence {
  arrive(userId: string): PresenceHandle;
  isPresent(userId: string): boolean;
  presentIds(): string[];
  /** Notifies the conversation's other participant, in any process. Neither waits nor fails. */
  noteTyping(typing: { conversationId: string; userId: string }): void;
  /** Takes in what a process has announced. */
  receive(message: PresenceMessage): void;
  /** Requests a snapshot of every other process and announces one's own. Called whenever listening starts. */
  requestSnapshots(): void;
  /** Announces that everyone here has left. Arrivals after this are not counted. */
  close(): Promise<void>;
}

type Options = AnnouncerOptions & { hub: Pick<Hub, "deliver">; times?: PresenceTimes };

/**
 * The presence directory of one process. It knows its own people by their open pages, and those of other processes by what
 * they announce: each change, and every 20 s a snapshot. A change notifies `presence:<userId>` in this process only.
 */
export function createPresence({ hub, times = TIMES, ...options }: Options): Presence {
  return new Directory({ hub, times, ...options });
}

/** What is known of another process: who is present there, each with the heartbeat that last confirmed it. */
interface Other {
  people: Map<string, number>;
  forget: NodeJS.Timeout;
}

type MessageOf<Kind extends PresenceMessage["presence"]> = Extract<PresenceMessage, { presence: Kind }>;

class Directory implements Presence {
  readonly #processId: string;
  readonly #hub: Pick<Hub, "deliver">;
  readonly #times: PresenceTimes;
  readonly #announcer: Announcer;
  readonly #timer: NodeJS.Timeout;
  /** Open pages of each person in this process. */
  readonly #own = new Map<string, number>();
  readonly #others = new Map<string, Other>();
  /** Who counts as present, including people in their grace period. */
  readonly #shown = new Set<string>();
  readonly #graces = new Map<string, NodeJS.Timeout>();
  #isClosed = false;

  constructor({ hub, times, ...options }: Options & { times: PresenceTimes }) {
    this.#processId = options.processId;
    this.#hub = hub;
    this.#times = times;
    this.#announcer = new Announcer(this.#own, options);
    this.#timer = setInterval(() => this.#announcer.heartbeat(), times.heartbeatMs);
    this.#timer.unref();
  }

  arrive(userId: string): PresenceHandle {
    let isOver = this.#isClosed;
    if (!isOver) this.#count(userId, { by: 1, isRevoked: false });
    const end = (isRevoked: boolean) => {
      if (!isOver) this.#count(userId, { by: -1, isRevoked });
      isOver = true;
    };
    return { leave: () => end(false), revoke: () => end(true) };
  }

  isPresent(userId: string): boolean {
    return this.#shown.has(userId);
  }

  presentIds(): string[] {
    return [...this.#shown];
  }

  noteTyping(typing: { conversationId: string; userId: string }): void {
    this.#announcer.announceTyping(typing);
  }

  receive(message: PresenceMessage): void {
    if (message.processId === this.#processId || this.#isClosed) return;
    if (message.presence === "requested") this.#announcer.announceSnapshot();
    else if (message.presence === "stopped") this.#forget(message.processId);
    else if (message.presence === "changed") this.#receiveChange(message);
    else this.#receiveSnapshot(message);
  }

  requestSnapshots(): void {
    this.#announcer.requestSnapshots();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#timer);
    for (const grace of this.#graces.values()) clearTimeout(grace);
    for (const { forget } of this.#others.values()) clearTimeout(forget);
    await this.#announcer.close();
  }

  #count(userId: string, { by, isRevoked }: { by: 1 | -1; isRevoked: boolean }): void {
    if (this.#isClosed) return;
    const before = this.#own.get(userId) ?? 0;
    if (before + by > 0) this.#own.set(userId, before + by);
    else this.#own.delete(userId);
    if (before > 0 && before + by > 0) return;
    this.#update(userId, { atOnce: isRevoked });
    this.#announcer.announceChange(userId, { isRevoked });
  }

  #receiveChange({ processId, heartbeat, here, left, revoked }: MessageOf<"changed">): void {
    const people = this.#peopleOf(processId);
    for (const id of here) people.set(id, heartbeat);
    for (const id of [...left, ...revoked]) people.delete(id);
    for (const id of [...here, ...left]) this.#update(id, { atOnce: false });
    for (const id of revoked) this.#update(id, { atOnce: true });
  }

  #receiveSnapshot({ processId, heartbeat, here, isLast }: MessageOf<"snapshot">): void {
    const people = this.#peopleOf(processId);
    for (const id of here) people.set(id, heartbeat);
    // The snapshot named everyone who is still there; for the rest, the message that they left was lost.
    const missed = isLast ? [...people].flatMap(([id, confirmedAt]) => (confirmedAt < heartbeat ? [id] : [])) : [];
    for (const id of missed) people.delete(id);
    for (const id of [...here, ...missed]) this.#update(id, { atOnce: false });
  }

  /** Recomputes whether a person is present. */
  #update(userId: string, { atOnce }: { atOnce: boolean }): void {
    clearTimeout(this.#graces.get(userId));
    this.#graces.delete(userId);
    const isHere = this.#own.has(userId) || [...this.#others.values()].some(({ people }) => people.has(userId));
    if (isHere === this.#shown.has(userId)) return;
    if (!isHere && !atOnce) {
      const grace = setTimeout(() => this.#update(userId, { atOnce: true }), this.#times.graceMs);
      this.#graces.set(userId, grace.unref());
      return;
    }
    if (isHere) this.#shown.add(userId);
    else this.#shown.delete(userId);
    this.#hub.deliver({ subject: `presence:${userId}`, topics: [] });
  }

  /** Any message shows that a process is alive; one that sends none is forgotten. */
  #peopleOf(processId: string): Map<string, number> {
    const known = this.#others.get(processId);
    clearTimeout(known?.forget);
    const people = known?.people ?? new Map<string, number>();
    const forget = setTimeout(() => this.#forget(processId), this.#times.forgetAfterMs).unref();
    this.#others.set(processId, { people, forget });
    return people;
  }

  #forget(processId: string): void {
    const other = this.#others.get(processId);
    clearTimeout(other?.forget);
    this.#others.delete(processId);
    for (const id of other?.people.keys() ?? []) this.#update(id, { atOnce: false });
  }
}
