import type { AppRouter } from "@server/router";
import { createWSClient, wsLink } from "@trpc/client";
import { setConnectionState } from "./connection";
import { ImpatientSocket } from "./impatient-socket";
import { transformer } from "./transformer";

const LONGEST_WAIT_MS = 30_000;
/** Without a network a try costs nothing, and must not let the first one with a network wait. */
const OFFLINE_WAIT_MS = 2_000;
const IDLE_MS = 2_000;

/*
 * Fetched with the first subscription. One WebSocket carries all of a tab; it opens with the first subscription, closes
 * after the last, and comes back by itself for as long as anyone listens.
 */
const socket = createWSClient({
  url: () => `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}/api/trpc`,
  lazy: { enabled: true, closeMs: IDLE_MS },
  WebSocket: ImpatientSocket,
  // Half of the wait is chance, so that tabs do not all knock at once at a server that has just started.
  retryDelayMs: (attempt) =>
    Math.min(400 * 2 ** attempt, navigator.onLine ? LONGEST_WAIT_MS : OFFLINE_WAIT_MS) * (0.5 + Math.random() / 2),
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

export const socketLink = wsLink<AppRouter>({ client: socket, transformer });

/** For a connection that is never made, or over which nothing comes: it is made again, with all streams that it carried. */
export function cutSocket(): void {
  socket.connection?.ws.close();
}

/** Hangs up; the next subscription dials again, with the cookie of that moment. */
export function closeSocket(): Promise<void> {
  return socket.close();
}
