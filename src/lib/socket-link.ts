import type { AppRouter } from "@server/router";
import { createWSClient, type TRPCLink, wsLink } from "@trpc/client";
import { resumingLink } from "@/client/resuming-link";
import { transformer } from "@/client/transformer";
import { setConnectionState } from "./connection";
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

socket.connectionState.subscribe({
  next({ state, error }) {
    if (state === "pending") setConnectionState("open");
    else if (state === "idle") setConnectionState("idle");
    else if (error) setConnectionState("away");
  },
});

/** Carries subscriptions, each until it is stopped or refused. */
export const socketLink: TRPCLink<AppRouter> = (runtime) => {
  const reconnect = () => socket.connection?.ws.close();
  const resume = resumingLink<AppRouter>({ maxWaitMs: MAX_STREAM_WAIT_MS, reconnect })(runtime);
  const carry = wsLink<AppRouter>({ client: socket, transformer })(runtime);
  return ({ op, next }) => resume({ op, next: (attempt) => carry({ op: attempt, next }) });
};

/** Closes the socket; the next subscription opens another, with the cookie of that moment. */
export function closeSocket(): Promise<void> {
  return socket.close();
}
