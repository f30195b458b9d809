import { randomUUID } from "node:crypto";
import { type Connection, connect, type Db } from "../../db/client";
import { describeError, type Logger } from "../core/logger";
import { type Receivers, receiver } from "./hub";
import { CHANNEL, sendPayloads } from "./notify";
import { type Listener, oneAtATime, startSafetyTimer, type Transport } from "./transport";

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

interface ListenerOptions extends Receivers {
  connection: Connection;
  logger: Logger;
  times?: Times;
}

/** By PostgreSQL itself: it sends what a transaction notifies with the commit, in the order of commits. */
export function createPostgresTransport({
  db,
  ...options
}: {
  db: Db;
  connection: Connection;
  logger: Logger;
}): Transport {
  return {
    announce: (payloads) => sendPayloads(db, payloads),
    listen: (receivers) => startListener({ ...options, ...receivers }),
  };
}

/**
 * The process's one LISTEN connection, which passes everything on. Listens again, for as long as the process runs,
 * after the connection ended, LISTEN was refused or notifications stopped arriving. Notifications sent meanwhile are lost, so
 * each start, and a timer, make every watcher compare everything. Rejects when the first LISTEN fails.
 */
export async function startListener({ times = TIMES, ...options }: ListenerOptions): Promise<Listener> {
  const { hub, logger } = options;
  const receive = receiver(options, logger);
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
  const stopSafetyTimer = startSafetyTimer(hub, { isAway: () => false });
  const timer = setInterval(() => void check(), times.checkMs).unref();
  return {
    isWell,
    async close() {
      isClosed = true;
      stopSafetyTimer();
      clearInterval(timer);
      await listening.close();
    },
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
      else if (!payload.startsWith("ping ")) receive(payload);
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
