import * as z from "zod/mini";
import { describeError, type Logger } from "../core/logger";
import type { Knock } from "./notify";

/** 39 bytes an id; PostgreSQL refuses payloads of 8,000 bytes. */
const IDS_PER_MESSAGE = 150;
/** What was not taken by then is lost: a connection that never answers must not silence the process for ever. */
const ANNOUNCE_MS = 10_000;
/** A stop does not wait longer for its last words. */
const LAST_WORDS_MS = 2_000;

const idsSchema = z.array(z.uuid()).check(z.maxLength(IDS_PER_MESSAGE));
const sender = { processId: z.uuid(), beat: z.int() };

/**
 * What processes tell each other about who is present with them: single changes, every while the whole roll in parts, a
 * question for everyone's roll, and a farewell. `beat` counts the rolls of the sender.
 */
export const presenceMessageSchema = z.discriminatedUnion("presence", [
  z.object({ presence: z.literal("changed"), ...sender, here: idsSchema, left: idsSchema, cutOff: idsSchema }),
  z.object({ presence: z.literal("roll"), ...sender, here: idsSchema, isLast: z.boolean() }),
  z.object({ presence: z.literal("asked"), ...sender }),
  z.object({ presence: z.literal("stopped"), ...sender }),
]);
export type PresenceMessage = z.infer<typeof presenceMessageSchema>;

export interface AnnouncerOptions {
  /** Unlike any other that runs or ran, a UUID. */
  processId: string;
  /** Hands payloads to every process, in their order. */
  announce: (payloads: string[]) => Promise<void>;
  logger: Logger;
}

/**
 * Says what changes in this process, one announcement after the other, so that none overtakes another. Nothing waits for it
 * and nothing fails by it: what is asked for meanwhile goes with the next one, each person as they are by then, so that what
 * waits is bounded. What cannot be announced is lost; the next roll makes up for it.
 */
export class Announcer {
  readonly #options: AnnouncerOptions;
  /** The people of this process. */
  readonly #own: ReadonlyMap<string, unknown>;
  readonly #changed = new Map<string, { isCutOff: boolean }>();
  readonly #typing = new Set<Knock["subject"]>();
  #isRollDue = false;
  #isAsking = false;
  #hasTold = false;
  #beat = 0;
  #isSending = false;
  #sending: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(own: ReadonlyMap<string, unknown>, options: AnnouncerOptions) {
    this.#own = own;
    this.#options = options;
  }

  tellChange(userId: string, how: { isCutOff: boolean }): void {
    this.#changed.set(userId, how);
    this.#send();
  }

  tellTyping({ conversationId, userId }: { conversationId: string; userId: string }): void {
    this.#typing.add(`typing:${conversationId}:${userId}`);
    this.#send();
  }

  tellRoll(): void {
    this.#isRollDue = true;
    this.#send();
  }

  /** The roll, unless nobody was on the last one either: a quiet server leaves its connections alone. */
  beat(): void {
    if (this.#own.size > 0 || this.#hasTold) this.tellRoll();
  }

  ask(): void {
    this.#isAsking = true;
    this.tellRoll();
  }

  /** Says that everyone here has left, after what is on its way, and nothing more. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const farewell = async () => {
      await this.#sending;
      await this.#announce([{ presence: "stopped", ...this.#sender() }]);
    };
    await settlesWithin(farewell(), LAST_WORDS_MS);
  }

  #send(): void {
    if (this.#isClosed || this.#isSending) return;
    this.#isSending = true;
    this.#sending = this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    // What one event causes goes together.
    await Promise.resolve();
    while (!this.#isClosed) {
      const messages = [...this.#takeChanges(), ...this.#takeRoll()];
      const knocks = [...this.#typing].map((subject): Knock => ({ subject, topics: [] }));
      this.#typing.clear();
      if (messages.length + knocks.length === 0) break;
      await this.#announce([...messages, ...knocks]);
    }
    this.#isSending = false;
  }

  async #announce(messages: (PresenceMessage | Knock)[]): Promise<void> {
    const { announce, logger } = this.#options;
    try {
      const announced = announce(messages.map((message) => JSON.stringify(message)));
      if (!(await settlesWithin(announced, ANNOUNCE_MS))) logger.warn("presence was not announced in time");
    } catch (error) {
      logger.warn("presence was not announced", describeError(error));
    }
  }

  #takeChanges(): PresenceMessage[] {
    const changed = [...this.#changed];
    this.#changed.clear();
    return chunksOf(changed).map((chunk) => {
      const gone = chunk.filter(([id]) => !this.#own.has(id));
      return {
        presence: "changed",
        ...this.#sender(),
        here: chunk.flatMap(([id]) => (this.#own.has(id) ? [id] : [])),
        left: gone.flatMap(([id, { isCutOff }]) => (isCutOff ? [] : [id])),
        cutOff: gone.flatMap(([id, { isCutOff }]) => (isCutOff ? [id] : [])),
      };
    });
  }

  #takeRoll(): PresenceMessage[] {
    if (!this.#isRollDue) return [];
    this.#beat += 1;
    this.#hasTold = this.#own.size > 0;
    const parts = this.#hasTold ? chunksOf([...this.#own.keys()]) : [[]];
    const roll = parts.map((here, at): PresenceMessage => {
      return { presence: "roll", ...this.#sender(), here, isLast: at === parts.length - 1 };
    });
    const question: PresenceMessage[] = this.#isAsking ? [{ presence: "asked", ...this.#sender() }] : [];
    this.#isRollDue = false;
    this.#isAsking = false;
    return [...question, ...roll];
  }

  #sender() {
    return { processId: this.#options.processId, beat: this.#beat };
  }
}

/** Whether a promise resolves in time; rejects as it does. */
async function settlesWithin(promise: Promise<void>, timeoutMs: number): Promise<boolean> {
  let late: NodeJS.Timeout | undefined;
  const timeout = new Promise<boolean>((resolve) => {
    late = setTimeout(() => resolve(false), timeoutMs);
  });
  try {
    return await Promise.race([promise.then(() => true), timeout]);
  } finally {
    clearTimeout(late);
  }
}

function chunksOf<One>(all: One[]): One[][] {
  return Array.from({ length: Math.ceil(all.length / IDS_PER_MESSAGE) }, (_, at) =>
    all.slice(at * IDS_PER_MESSAGE, (at + 1) * IDS_PER_MESSAGE),
  );
}
