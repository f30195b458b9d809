import * as z from "zod/mini";
import { describeError, type Logger } from "../core/logger";
import type { Notification } from "./notify";

/** 39 bytes an id; PostgreSQL refuses payloads of 8,000 bytes. */
const IDS_PER_MESSAGE = 150;
/** An announcement that takes longer is lost: a connection that never answers must not silence the process for ever. */
const ANNOUNCE_TIMEOUT_MS = 10_000;
/** How long a stop waits for the goodbye message. */
const GOODBYE_TIMEOUT_MS = 2_000;

const idsSchema = z.array(z.uuid()).check(z.maxLength(IDS_PER_MESSAGE));
const sender = { processId: z.uuid(), heartbeat: z.int() };

/**
 * What processes announce to each other about who is present with them: single changes, a regular snapshot in parts, a request
 * for everyone's snapshot, and a goodbye. `heartbeat` counts the snapshots of the sender.
 */
export const presenceMessageSchema = z.discriminatedUnion("presence", [
  z.object({ presence: z.literal("changed"), ...sender, here: idsSchema, left: idsSchema, revoked: idsSchema }),
  z.object({ presence: z.literal("snapshot"), ...sender, here: idsSchema, isLast: z.boolean() }),
  z.object({ presence: z.literal("requested"), ...sender }),
  z.object({ presence: z.literal("stopped"), ...sender }),
]);
export type PresenceMessage = z.infer<typeof presenceMessageSchema>;

export interface AnnouncerOptions {
  /** Unlike any other that runs or ran, a UUID. */
  processId: string;
  /** Sends payloads to every process, in order. */
  announce: (payloads: string[]) => Promise<void>;
  logger: Logger;
}

/**
 * Announces what changes in this process, one announcement at a time, so that none overtakes another. Callers never wait and
 * never see a failure. Changes during an announcement go out with the next one, with each person's state by then, so the queue
 * is bounded. What cannot be announced is lost; the next snapshot makes up for it.
 */
export class Announcer {
  readonly #options: AnnouncerOptions;
  /** The people of this process. */
  readonly #own: ReadonlyMap<string, unknown>;
  readonly #changed = new Map<string, { isRevoked: boolean }>();
  readonly #typing = new Set<Notification["subject"]>();
  #isSnapshotDue = false;
  #isRequesting = false;
  #hasSentPeople = false;
  #heartbeatCount = 0;
  #isSending = false;
  #sending: Promise<void> = Promise.resolve();
  #isClosed = false;

  constructor(own: ReadonlyMap<string, unknown>, options: AnnouncerOptions) {
    this.#own = own;
    this.#options = options;
  }

  announceChange(userId: string, how: { isRevoked: boolean }): void {
    this.#changed.set(userId, how);
    this.#send();
  }

  announceTyping({ conversationId, userId }: { conversationId: string; userId: string }): void {
    this.#typing.add(`typing:${conversationId}:${userId}`);
    this.#send();
  }

  announceSnapshot(): void {
    this.#isSnapshotDue = true;
    this.#send();
  }

  /** Announces a snapshot, unless this one and the last are both empty: an idle server leaves its connections alone. */
  heartbeat(): void {
    if (this.#own.size > 0 || this.#hasSentPeople) this.announceSnapshot();
  }

  requestSnapshots(): void {
    this.#isRequesting = true;
    this.announceSnapshot();
  }

  /** Finishes the announcement under way, then announces that everyone here has left. Nothing is announced after that. */
  async close(): Promise<void> {
    if (this.#isClosed) return;
    this.#isClosed = true;
    const goodbye = async () => {
      await this.#sending;
      await this.#announce([{ presence: "stopped", ...this.#sender() }]);
    };
    await settlesWithin(goodbye(), GOODBYE_TIMEOUT_MS);
  }

  #send(): void {
    if (this.#isClosed || this.#isSending) return;
    this.#isSending = true;
    this.#sending = this.#sendAll();
  }

  async #sendAll(): Promise<void> {
    // Changes of one event go out together.
    await Promise.resolve();
    while (!this.#isClosed) {
      const messages = [...this.#takeChanges(), ...this.#takeSnapshot()];
      const notifications = [...this.#typing].map((subject): Notification => ({ subject, topics: [] }));
      this.#typing.clear();
      if (messages.length + notifications.length === 0) break;
      await this.#announce([...messages, ...notifications]);
    }
    this.#isSending = false;
  }

  async #announce(messages: (PresenceMessage | Notification)[]): Promise<void> {
    const { announce, logger } = this.#options;
    try {
      const announced = announce(messages.map((message) => JSON.stringify(message)));
      if (!(await settlesWithin(announced, ANNOUNCE_TIMEOUT_MS))) logger.warn("presence was not announced in time");
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
        left: gone.flatMap(([id, { isRevoked }]) => (isRevoked ? [] : [id])),
        revoked: gone.flatMap(([id, { isRevoked }]) => (isRevoked ? [id] : [])),
      };
    });
  }

  #takeSnapshot(): PresenceMessage[] {
    if (!this.#isSnapshotDue) return [];
    this.#heartbeatCount += 1;
    this.#hasSentPeople = this.#own.size > 0;
    const parts = this.#hasSentPeople ? chunksOf([...this.#own.keys()]) : [[]];
    const snapshot = parts.map((here, at): PresenceMessage => {
      return { presence: "snapshot", ...this.#sender(), here, isLast: at === parts.length - 1 };
    });
    const question: PresenceMessage[] = this.#isRequesting ? [{ presence: "requested", ...this.#sender() }] : [];
    this.#isSnapshotDue = false;
    this.#isRequesting = false;
    return [...question, ...snapshot];
  }

  #sender() {
    return { processId: this.#options.processId, heartbeat: this.#heartbeatCount };
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
