import type { AppRouter } from "@server/router";
import { createWSClient, type TRPCLink, wsLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { createResumingEncoder } from "@/client/resuming-encoder";
import { resumingLink } from "@/client/resuming-link";
import { transformer } from "@/client/transformer";
import { type ConnectionState, setConnectionState } from "./connection";
import { FailFastSocket } from "./fail-fast-socket";

const MAX_WAIT_MS = 30_000;
/** Offline attempts are cheap, and a short wait means that the first one online is soon. */
const OFFLINE_WAIT_MS = 2_000;
const IDLE_MS = 2_000;
/** Between two tries of one stream: badges follow within 5 s. */
const MAX_STREAM_WAIT_MS = 4_000;
/** Close codes of the server: the session is over, or there are too many connections. */
const REFUSED = new Set<unknown>([4401, 4429]);

/** In a row. tRPC counts a socket that opens and is refused afterwards as a success and would reconnect at once. */
let refusals = 0;

/*
 * Fetched with the first subscription. One WebSocket carries all of a tab; it opens with the first subscription, closes
 * after the last, and comes back by itself for as long as anyone listens.
 */
const socket = createWSClient({
  url: () => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/trpc`,
  lazy: { enabled: true, closeMs: IDLE_MS },
  WebSocket: FailFastSocket,
  experimental_encoder: createResumingEncoder(),
  onClose: (cause) => {
    refusals = REFUSED.has(cause?.code) ? refusals + 1 : 0;
  },
  // Half of the wait is chance, so that tabs do not all call at once on a server that has just started.
  retryDelayMs: (attempt) =>
    Math.min(400 * 2 ** (attempt + refusals), navigator.onLine ? MAX_WAIT_MS : OFFLINE_WAIT_MS) *
    (0.5 + Math.random() / 2),
  // A network that is gone without a word is noticed by then.
  keepAlive: { enabled: true, intervalMs: 10_000, pongTimeoutMs: 3_000 },
});

let socketState: ConnectionState = "idle";
/** Streams that have failed, by themselves or with the socket, and have not started again. */
const failing = new Set<object>();

socket.connectionState.subscribe({
  next({ state, error }) {
    if (state === "pending") socketState = "open";
    else if (state === "idle") socketState = "idle";
    else if (error) socketState = "away";
    showState();
  },
});

/** A socket without a stream on it may be closed between two tries. */
function showState(): void {
  setConnectionState(failing.size > 0 ? "away" : socketState);
}

/** Carries subscriptions, each until it is stopped or refused. */
export const socketLink: TRPCLink<AppRouter> = (runtime) => {
  const reconnect = () => socket.connection?.ws.close();
  const resume = resumingLink<AppRouter>({ maxWaitMs: MAX_STREAM_WAIT_MS, reconnect })(runtime);
  const carry = wsLink<AppRouter>({ client: socket, transformer })(runtime);
  return ({ op, next }) =>
    observable((observer) => {
      const stream = {};
      function settle(): void {
        failing.delete(stream);
        showState();
      }
      const { unsubscribe } = resume({ op, next: (attempt) => carry({ op: attempt, next }) }).subscribe({
        ...observer,
        next(envelope) {
          const { result } = envelope;
          observer.next(envelope);
          if (result.type === "started") settle();
          else if (result.type === "state" && result.error) {
            failing.add(stream);
            showState();
          }
        },
      });
      return () => {
        unsubscribe();
        settle();
      };
    });
};

/** Closes the socket; the next subscription opens another, with the cookie of that moment. */
export function closeSocket(): Promise<void> {
  return socket.close();
}
