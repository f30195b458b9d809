import { randomUUID } from "node:crypto";
import * as z from "zod/mini";
import { type Connection, connect } from "../../db/client";
import { describeError, type Logger } from "../core/logger";
import { parseJson } from "../core/parse-json";
import { presenceMessageSchema } from "./announcer";
import { type Hub, SAFETY_PARTS } from "./hub";
import { CHANNEL, notificationSchema } from "./notify";
import type { Presence } from "./presence";

/** A lost notification is noticed after this long at most, whatever happened to the listening connection. */
const SAFETY_INTERVAL_MS = 15_000;

const payloadSchema = z.union([notificationSchema, presenceMessageSchema]);

interface Times {
  /** Between two checks that notifications arrive. */
  checkMs: number;
  /** How long a notification to this process itself may take. */
  pingTimeoutMs: number;
  /** A connection that fails its checks for this long is replaced. */
  replaceAfterMs: number;
  /** Before a refused LISTEN is retried. */
  retryMs: number;
}

const TIMES: Times = { checkMs: 10_000, pingTimeoutMs: 2_000, replaceAfterMs: 30_000, retryMs: 500 };
/** Identifies the listening connection in pg_stat_activity. */
const LISTENER_NAME = "sangam listener";
/** The listening connection runs short statements only. */
const QUERY_TIMEOUT_MS = 5_000;

/** The process's one LISTEN connection. */
export interface Listener {
  /**
   * Sends itself a notification over the listening connection and waits for it: true only when all of that works. Whatever was
   * notified before the call has then arrived.
   */
  isWell(): Promise<boolean>;
  close(): Promise<void>;
}

interface ListenerOptions {
  connection: Connection;
  hub: Hub;
  presence?: Pick<Presence, "receive" | "requestSnapshots">;
  logger: Logger;
  times?: Times;
}

/**
 * Passes every notification to the hub, and presence messages to the directory. Listens again, for as long as the process runs,
 * after the connection ended, LISTEN was refused or notifications stopped arriving. Notifications sent meanwhile are lost, so
 * each start, and a timer, make every watcher compare everything. Rejects when the first LISTEN fails.
 */
export async function startListener({ times = TIMES, ...options }: ListenerOptions): Promise<Listener> {
  const { hub, logger } = options;
  const receive = receiver(options);
  const open = (): Listening => openListening({ ...options, receive, isWell, retryMs: times.retryMs });
  const isWell = oneAtATime(async () => {
    try {
      return await listening.receives(times.pingTimeoutMs);
    } catch (error) {
      logger.warn("listener is away", describeError(error));
      return false;
    }
  });
  let listening: Listening = open();
  await listening.started.catch(async (error: unknown) => {
    await listening.close();
    throw error;
  });
  let wellAtMs = performance.now();
  const check = async () => {
    if (await isWell()) wellAtMs = performance.now();
    if (isClosed || performance.now() - wellAtMs < times.replaceAfterMs) return;
    logger.warn("listener is replaced");
    wellAtMs = performance.now();
    void listening.close();
    listening = open();
    listening.started.catch(() => {});
  };
  let isClosed = false;
  const timers = [
    setInterval(() => hub.resyncPart(), SAFETY_INTERVAL_MS / SAFETY_PARTS),
    setInterval(() => void check(), times.checkMs),
  ];
  for (const timer of timers) timer.unref();
  return {
    isWell,
    async close() {
      isClosed = true;
      for (const timer of timers) clearInterval(timer);
      await listening.close();
    },
  };
}

/** Each run begins after the one before has ended, and serves all calls made before it began. */
function oneAtATime(run: () => Promise<boolean>): () => Promise<boolean> {
  let last: Promise<unknown> = Promise.resolve();
  let next: Promise<boolean> | null = null;
  return () => {
    if (next) return next;
    const begun = last.then(() => {
      next = null;
      return run();
    });
    next = begun;
    last = begun;
    return begun;
  };
}

/** Dispatches the payloads of the channel. */
function receiver({ hub, presence, logger }: Pick<ListenerOptions, "hub" | "presence" | "logger">) {
  return (payload: string) => {
    if (payload.startsWith("ping ")) return;
    const { data: received } = payloadSchema.safeParse(parseJson(payload));
    if (!received) logger.warn("notification not understood");
    else if ("presence" in received) presence?.receive(received);
    else hub.deliver(received);
  };
}

type Listening = ReturnType<typeof openListening>;

/** One connection that listens, and listens again after a loss or a refused LISTEN, until it is closed. */
function openListening({
  connection,
  hub,
  presence,
  logger,
  receive,
  isWell,
  retryMs,
}: Omit<ListenerOptions, "times"> & {
  receive: (payload: string) => void;
  isWell: () => Promise<boolean>;
  retryMs: number;
}) {
  const pings = new Map<string, () => void>();
  let retry: NodeJS.Timeout | null = null;
  let isListening = false;
  let isClosed = false;
  // Not the driver's own `listen`, which gives up when LISTEN is refused on a connection that stays open.
  const sql = connect(connection, {
    max: 1,
    applicationName: LISTENER_NAME,
    idle_timeout: 0,
    max_lifetime: 0,
    readTimeoutMs: QUERY_TIMEOUT_MS,
    writeTimeoutMs: QUERY_TIMEOUT_MS,
    onnotify: (_channel, payload) => {
      const received = pings.get(payload);
      if (received) received();
      else receive(payload);
    },
    onclose: () => {
      isListening = false;
      listenAgain(0);
    },
  });
  const listen = async () => {
    await sql.unsafe(`listen "${CHANNEL}"`);
    // PostgreSQL sends notifications in the order of commits: a ping arrives after all that was committed before it.
    hub.startDelivery(isWell);
    isListening = true;
    presence?.requestSnapshots();
  };
  const listenAgain = (delayMs: number) => {
    if (isClosed || retry) return;
    retry = setTimeout(() => {
      retry = null;
      listen().catch((error: unknown) => {
        if (!isClosed) logger.warn("listening was refused", describeError(error));
        listenAgain(retryMs);
      });
    }, delayMs);
  };
  return {
    /** The first LISTEN. */
    started: listen().catch((error: unknown) => {
      listenAgain(retryMs);
      throw error;
    }),
    /** Whether a notification to this process itself arrives in time. Rejects when it could not be sent. */
    async receives(timeoutMs: number): Promise<boolean> {
      if (!isListening) return false;
      const ping = `ping ${randomUUID()}`;
      try {
        return await new Promise<boolean>((resolve, reject) => {
          const late = setTimeout(() => resolve(false), timeoutMs);
          pings.set(ping, () => {
            clearTimeout(late);
            resolve(true);
          });
          sql`select pg_notify(${CHANNEL}, ${ping})`.catch(reject);
        });
      } finally {
        pings.delete(ping);
      }
    },
    async close() {
      isClosed = true;
      if (retry) clearTimeout(retry);
      await sql.end({ timeout: 1 });
    },
  };
}
