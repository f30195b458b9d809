import { Announcer, type AnnouncerOptions, type PresenceMessage } from "./announcer";
import type { Hub } from "./hub";

export interface PresenceTimes {
  /** Between two rolls of a process. */
  beatMs: number;
  /** A process that was not heard of for so long is dead: two of its rolls may be lost. */
  forgetAfterMs: number;
  /** So long a person who has left still counts as present: a reload, or a move to another process, is no leaving. */
  graceMs: number;
}

const TIMES: PresenceTimes = { beatMs: 20_000, forgetAfterMs: 50_000, graceMs: 5_000 };

/** One open page of a person. Ending it twice is ending it once. */
export interface Stay {
  /** The person counts as away after a grace, unless they are present elsewhere or come back. */
  leave(): void;
  /** The same without grace: the person was cut off. */
  cutOff(): void;
}

/** Who has a visible page open, in whichever process. Stored nowhere. */
export interface Presence {
  arrive(userId: string): Stay;
  isPresent(userId: string): boolean;
  presentIds(): string[];
  /** Tells the other one of a conversation, in whichever process. Neither waits nor fails. */
  noteTyping(typing: { conversationId: string; userId: string }): void;
  /** What a process has announced. */
  hear(message: PresenceMessage): void;
  /** Asks all others who is present with them, and tells them the same: whenever listening has begun. */
  ask(): void;
  /** Says that everyone here has left; nobody who comes afterwards is counted. */
  close(): Promise<void>;
}

type Options = AnnouncerOptions & { hub: Pick<Hub, "deliver">; times?: PresenceTimes };

/**
 * The directory of one process. It knows its own people by their open pages, and the others' by what they announce: each
 * change, and every 20 s all of them. Whoever turns present or away is knocked for under `presence:<userId>`, here only.
 */
export function createPresence({ hub, times = TIMES, ...options }: Options): Presence {
  return new Directory({ hub, times, ...options });
}

/** What is known of another process: who is present there, each with the beat at which that was last said. */
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
  readonly #heart: NodeJS.Timeout;
  /** Open pages of each person in this process. */
  readonly #own = new Map<string, number>();
  readonly #others = new Map<string, Other>();
  /** Who counts as present: people in their grace too. */
  readonly #shown = new Set<string>();
  readonly #graces = new Map<string, NodeJS.Timeout>();
  #isClosed = false;

  constructor({ hub, times, ...options }: Options & { times: PresenceTimes }) {
    this.#processId = options.processId;
    this.#hub = hub;
    this.#times = times;
    this.#announcer = new Announcer(this.#own, options);
    this.#heart = setInterval(() => this.#announcer.beat(), times.beatMs);
    this.#heart.unref();
  }

  arrive(userId: string): Stay {
    let isOver = this.#isClosed;
    if (!isOver) this.#count(userId, { by: 1, isCutOff: false });
    const end = (isCutOff: boolean) => {
      if (!isOver) this.#count(userId, { by: -1, isCutOff });
      isOver = true;
    };
    return { leave: () => end(false), cutOff: () => end(true) };
  }

  isPresent(userId: string): boolean {
    return this.#shown.has(userId);
  }

  presentIds(): string[] {
    return [...this.#shown];
  }

  noteTyping(typing: { conversationId: string; userId: string }): void {
    this.#announcer.tellTyping(typing);
  }

  hear(message: PresenceMessage): void {
    if (message.processId === this.#processId || this.#isClosed) return;
    if (message.presence === "asked") this.#announcer.tellRoll();
    else if (message.presence === "stopped") this.#forget(message.processId);
    else if (message.presence === "changed") this.#hearChange(message);
    else this.#hearRoll(message);
  }

  ask(): void {
    this.#announcer.ask();
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    clearInterval(this.#heart);
    for (const grace of this.#graces.values()) clearTimeout(grace);
    for (const { forget } of this.#others.values()) clearTimeout(forget);
    await this.#announcer.close();
  }

  #count(userId: string, { by, isCutOff }: { by: 1 | -1; isCutOff: boolean }): void {
    if (this.#isClosed) return;
    const before = this.#own.get(userId) ?? 0;
    if (before + by > 0) this.#own.set(userId, before + by);
    else this.#own.delete(userId);
    if (before > 0 && before + by > 0) return;
    this.#settle(userId, { atOnce: isCutOff });
    this.#announcer.tellChange(userId, { isCutOff });
  }

  #hearChange({ processId, beat, here, left, cutOff }: MessageOf<"changed">): void {
    const people = this.#peopleOf(processId);
    for (const id of here) people.set(id, beat);
    for (const id of [...left, ...cutOff]) people.delete(id);
    for (const id of [...here, ...left]) this.#settle(id, { atOnce: false });
    for (const id of cutOff) this.#settle(id, { atOnce: true });
  }

  #hearRoll({ processId, beat, here, isLast }: MessageOf<"roll">): void {
    const people = this.#peopleOf(processId);
    for (const id of here) people.set(id, beat);
    // Everyone who is still there was named since the roll began: of the rest the leaving was not heard.
    const missed = isLast ? [...people].flatMap(([id, named]) => (named < beat ? [id] : [])) : [];
    for (const id of missed) people.delete(id);
    for (const id of [...here, ...missed]) this.#settle(id, { atOnce: false });
  }

  /** Makes what counts follow from what is known. */
  #settle(userId: string, { atOnce }: { atOnce: boolean }): void {
    clearTimeout(this.#graces.get(userId));
    this.#graces.delete(userId);
    const isHere = this.#own.has(userId) || [...this.#others.values()].some(({ people }) => people.has(userId));
    if (isHere === this.#shown.has(userId)) return;
    if (!isHere && !atOnce) {
      const grace = setTimeout(() => this.#settle(userId, { atOnce: true }), this.#times.graceMs);
      this.#graces.set(userId, grace.unref());
      return;
    }
    if (isHere) this.#shown.add(userId);
    else this.#shown.delete(userId);
    this.#hub.deliver({ subject: `presence:${userId}`, topics: [] });
  }

  /** Each message is a sign of life; a process that gives none is forgotten. */
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
    for (const id of other?.people.keys() ?? []) this.#settle(id, { atOnce: false });
  }
}
