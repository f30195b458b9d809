import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import { publishAfterCommit } from "../../db/after-commit";
import type { Db } from "../../db/client";
import { describeError, type LogFields, type Logger } from "../core/logger";
import { type BusConnection, openBusConnection } from "./bus-connection";
import { type Receivers, receiver } from "./hub";
import { type Listener, oneAtATime, startSafetyTimer, type Transport } from "./transport";

interface BusTimes {
  /** How long a start waits for a bus that does not answer. */
  startMs: number;
  /** Between two checks that what is published arrives. */
  checkMs: number;
  /** How long connecting, or something sent to this process itself, may take before the connection is given up. */
  lostAfterMs: number;
  /** How long `isWell` waits for it. */
  pingTimeoutMs: number;
  /** Before the first attempt to connect again; each further one waits twice as long, up to the maximum. */
  retryMs: number;
  maxRetryMs: number;
  /** How long requests that still run when listening ends can publish what they do. */
  lingerMs: number;
}

const TIMES: BusTimes = {
  startMs: 3_000,
  checkMs: 4_000,
  lostAfterMs: 4_000,
  pingTimeoutMs: 2_000,
  retryMs: 100,
  maxRetryMs: 2_000,
  lingerMs: 5_000,
};

const AWAY_NOTICE =
  "PUBSUB_URL does not answer: until it does, changes reach people on other server processes within 15 s instead of at once.";

interface BusOptions {
  /** Published to once its transactions are committed; they notify nobody themselves any more. */
  db: Db;
  /** redis: or rediss:. Its number of a database keeps installations on one bus apart. */
  url: string;
  logger: Logger;
  times?: BusTimes;
}

/**
 * By Redis or Valkey, which hold nothing. What this process sends, it receives at once, whatever the bus does. Unlike with NOTIFY:
 *
 * - Nothing says in which order different processes or connections have committed, and what one of them has committed may be
 *   published at any time after, or never when it is killed in between. So nobody can know what a stream has missed before its
 *   first read: `missedSince` has no answer, and a stream that is opened begins with a `resync`.
 * - After that first read nothing is lost: notifications only say what to read, steps carry their `change_seq`, and the safety
 *   timer compares what a watcher was sent with the rows.
 */
export function createBus({ db, ...options }: BusOptions): Transport {
  const bus = new Bus(options);
  publishAfterCommit(db, (payload) => void bus.announce([payload]));
  return bus;
}

class Bus implements Transport {
  readonly #url: string;
  readonly #logger: Logger;
  readonly #times: BusTimes;
  readonly #processId = randomUUID();
  readonly #pings = new Map<string, (hasArrived: boolean) => void>();
  #connection: BusConnection | null = null;
  #state: "new" | "well" | "away" | "closed" = "new";
  #receive: (payload: string) => void = () => {};
  #onConnected = () => {};

  constructor({ url, logger, times = TIMES }: Omit<BusOptions, "db">) {
    this.#url = url;
    this.#logger = logger;
    this.#times = times;
  }

  /** Never rejects: what is not published is lost. */
  async announce(payloads: readonly string[]): Promise<void> {
    for (const payload of payloads) this.#receive(payload);
    await Promise.all(payloads.map((payload) => this.#publish(payload)));
  }

  /** Resolves although the bus does not answer, and connects for as long as the process runs. */
  async listen(receivers: Receivers): Promise<Listener> {
    const { hub, presence } = receivers;
    const { startMs, checkMs, lostAfterMs, pingTimeoutMs, lingerMs } = this.#times;
    this.#receive = receiver(receivers, this.#logger);
    this.#onConnected = () => {
      hub.startDelivery(async () => false);
      presence?.requestSnapshots();
    };
    const stopSafetyTimer = startSafetyTimer(hub, { isAway: () => this.#state === "away" });
    await Promise.race([this.#connect(), wait(startMs, undefined, { ref: false })]);
    const check = async () => {
      const connection = this.#connection;
      if (connection && !(await this.#receivesItself(lostAfterMs))) connection.fail(new BusSilentError());
    };
    const timer = setInterval(() => void check(), checkMs).unref();
    return {
      isWell: oneAtATime(() => this.#receivesItself(pingTimeoutMs)),
      close: async () => {
        this.#state = "closed";
        this.#receive = () => {};
        stopSafetyTimer();
        clearInterval(timer);
        this.#connection?.endAfter(lingerMs);
      },
    };
  }

  /** Resolves once the first attempt is over. */
  async #connect(attempt = 0): Promise<void> {
    try {
      const connection = await openBusConnection(this.#url, {
        timeoutMs: this.#times.lostAfterMs,
        onMessage: (message) => this.#receiveMessage(message),
        onEnd: (error) => this.#lose(error),
      });
      if (this.#state === "closed") return connection.endAfter(0);
      this.#connection = connection;
    } catch (error) {
      return this.#lose(error, attempt);
    }
    if (this.#state === "away") this.#logger.info("bus is back");
    this.#state = "well";
    this.#onConnected();
  }

  #lose(error: unknown, attempt = 0): void {
    this.#connection = null;
    for (const settle of this.#pings.values()) settle(false);
    if (this.#state === "closed") return;
    if (this.#state !== "away") this.#logger.warn("bus is away", { ...describeBusError(error), notice: AWAY_NOTICE });
    this.#state = "away";
    const { retryMs, maxRetryMs } = this.#times;
    const delayMs = Math.min(retryMs * 2 ** attempt, maxRetryMs) * (0.5 + Math.random() / 2);
    setTimeout(() => {
      if (this.#state !== "closed") void this.#connect(attempt + 1);
    }, delayMs).unref();
  }

  async #publish(content: string): Promise<void> {
    // The sender first: it has received its own already.
    await this.#connection?.publish(`${this.#processId} ${content}`).catch(() => {});
  }

  #receiveMessage(message: string): void {
    const at = message.indexOf(" ");
    const content = message.slice(at + 1);
    if (message.slice(0, at) === this.#processId) this.#pings.get(content)?.(true);
    else if (!content.startsWith("ping")) this.#receive(content);
  }

  async #receivesItself(timeoutMs: number): Promise<boolean> {
    if (this.#connection === null) return false;
    const ping = `ping ${randomUUID()}`;
    const arrival = new Promise<boolean>((resolve) => this.#pings.set(ping, resolve));
    void this.#publish(ping);
    const hasArrived = await Promise.race([arrival, wait(timeoutMs, false, { ref: false })]);
    this.#pings.delete(ping);
    return hasArrived;
  }
}

/** In a word why nothing comes back over a bus; null when it does. */
export async function findBusFault(url: string): Promise<string | null> {
  let arrive = () => {};
  const arrival = new Promise<true>((resolve) => {
    arrive = () => resolve(true);
  });
  // As a ping of another process, which nobody takes for anything else.
  const message = `${randomUUID()} ping`;
  const onMessage = (received: string) => received === message && arrive();
  try {
    const connection = await openBusConnection(url, { timeoutMs: TIMES.lostAfterMs, onMessage, onEnd: () => {} });
    await connection.publish(message);
    const hasArrived = await Promise.race([arrival, wait(TIMES.pingTimeoutMs, false, { ref: false })]);
    connection.endAfter(0);
    return hasArrived ? null : "nothing comes back";
  } catch (error) {
    const { answer, sqlState: code } = describeBusError(error);
    return String(answer ?? code ?? "no answer");
  }
}

/** The connection stands, and nothing comes over it. */
class BusSilentError extends Error {
  override name = "BusSilentError";
}

/** As other errors, and the word that an answer of Redis begins with, such as WRONGPASS: the rest may repeat what was sent. */
function describeBusError(error: unknown): LogFields {
  const [answer] = (error instanceof Error && /^[A-Z]{4,}\b/.exec(error.message)) || [];
  return { ...describeError(error), answer };
}
