import type { Server as HttpServer } from "node:http";
import { Server } from "node:net";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";

interface DrainTimes {
  /** Longer than a proxy keeps a connection to us that nothing goes over: it closes first, and no request meets the end. */
  idleMs: number;
  /** For calls that run, past that. */
  callMs: number;
}

/** With what follows it (the app, the pools), below the deadline of a stop. */
const TIMES: DrainTimes = { idleMs: 5_000, callMs: 10_000 };
const CHECK_MS = 50;
/** How long calls may be held, and what is short for a turn of the event loop: one that does nothing takes a tenth of it. */
const HOLD_MS = 500;
const SHORT_TURN_MS = 1;

interface DrainOptions {
  /** Says to whoever asks /readyz that this process is about to end. */
  announce: () => void;
  /** How long it goes on accepting after that, for balancers that only look there. */
  acceptMs: number;
  /** Whether idle connections are a proxy's, which sends the requests of many over each. Browsers repeat theirs by themselves. */
  isProxied: boolean;
  /** Asks the readers of streams to reconnect, elsewhere. */
  endStreams: () => Promise<void>;
  times?: DrainTimes;
}

/**
 * Takes a server out of service without failing a call. A proxy passes a request on to the next server when a connection is
 * refused, but gives up on one that may change something when the connection ends under it. So the order is: stop accepting,
 * end each open connection with its next answer, wait until the proxy has closed those that are idle, and close the rest in a
 * moment when nothing has arrived on them. Calls that still run may finish; what is left after `callMs` is cut, sockets aside.
 */
export async function drain(server: HttpServer, { times = TIMES, ...options }: DrainOptions): Promise<void> {
  options.announce();
  server.prependListener("request", (_request, response) => {
    // Node.js then says "Connection: close", and closes after the answer.
    response.shouldKeepAlive = false;
  });
  await sleep(options.acceptMs);
  const { closed } = await stopAccepting(server);
  const idleUntil = performance.now() + (options.isProxied ? times.idleMs : 0);
  await options.endStreams();
  await before(closed, idleUntil - performance.now());
  const cutAt = performance.now() + times.callMs;
  // Those whose call has ended meanwhile are idle too.
  while (!(await before(closed, CHECK_MS)) && performance.now() < cutAt) {
    // What has arrived is read in the phase before this one: no connection is closed that a request waits on.
    await nextTurn();
    server.closeIdleConnections();
  }
  server.closeAllConnections();
}

/**
 * Stops accepting in a moment when no connection waits to be accepted: closing resets those. The moment is a short turn of the
 * event loop that had none to accept; calls that arrive meanwhile begin after it, since each of them makes a turn longer.
 * `closed` resolves when the last connection has ended.
 */
async function stopAccepting(server: HttpServer): Promise<{ closed: Promise<void> }> {
  const release = holdCalls(server);
  let accepted = 0;
  const count = () => {
    accepted += 1;
  };
  server.on("connection", count);
  const until = performance.now() + HOLD_MS;
  for (;;) {
    const before = accepted;
    const startedAt = performance.now();
    // It polls in between.
    await nextTurn();
    const now = performance.now();
    if ((accepted === before && now - startedAt < SHORT_TURN_MS) || now > until) break;
  }
  // Not the HTTP server's own `close`, which also cuts idle connections: a request may be on its way over one.
  const closed = new Promise<void>((resolve) => Server.prototype.close.call(server, () => resolve()));
  server.off("connection", count);
  release();
  return { closed };
}

/** Until the returned function is called, no call begins. */
function holdCalls(server: HttpServer): () => void {
  const held: (() => void)[] = [];
  const emit = server.emit.bind(server);
  server.emit = (event: string, ...given: unknown[]): boolean => {
    if (event !== "request") return emit(event, ...given);
    held.push(() => emit(event, ...given));
    return true;
  };
  return () => {
    server.emit = emit;
    for (const begin of held) begin();
  };
}

/** Whether it resolves within so many milliseconds. */
function before(done: Promise<void>, ms: number): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), Math.max(0, ms));
    void done.then(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}

/** How far apart connections are ended, and how long that may take for all of them. */
const STEP_MS = 2;
const SPREAD_MS = 4_000;

/** Ends connections one after the other, so that those behind them do not all come again at one moment. */
export async function endInTurn(ends: readonly (() => void)[]): Promise<void> {
  const stepMs = Math.min(STEP_MS, SPREAD_MS / ends.length);
  await Promise.all(ends.map((end, at) => sleep(at * stepMs).then(end)));
}
