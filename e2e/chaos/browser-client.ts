import { createTRPCClient, createWSClient, httpBatchLink, splitLink, type TRPCClient, wsLink } from "@trpc/client";
import superjson from "superjson";
import { WebSocket } from "ws";
import { resumingLink } from "@/client/resuming-link";
import { createLiveCursors, type LiveCursors } from "@/lib/live-cursor";
import type { AppRouter } from "../../server/router";

const MAX_WAIT_MS = 30_000;

/** "open": events arrive; "away": they do not, and somebody waits for them; "idle": nobody does. */
export type ConnectionState = "open" | "away" | "idle";

export type ChatClient = TRPCClient<AppRouter>;

export interface BrowserClient {
  client: ChatClient;
  /** How old its answers are. */
  cursors: LiveCursors;
  /** Aborts calls under way and closes the socket, as leaving a page does. */
  close(): void;
}

/** The typed client with the links and timings of the app: batched calls, one socket for all streams. */
export function createBrowserClient({
  url,
  cookie,
  onConnection,
  silenceMs,
}: {
  url: string;
  cookie: string;
  onConnection: (state: ConnectionState) => void;
  /** Overrides after how long without events a stream is restarted. */
  silenceMs?: number;
}): BrowserClient {
  const left = new AbortController();
  const cursors = createLiveCursors();
  const socket = createWSClient({
    url: `${url.replace("http", "ws")}/api/trpc`,
    WebSocket: socketClass(cookie),
    lazy: { enabled: true, closeMs: 2_000 },
    retryDelayMs: (attempt) => Math.min(400 * 2 ** attempt, MAX_WAIT_MS) * (0.5 + Math.random() / 2),
    keepAlive: { enabled: true, intervalMs: 10_000, pongTimeoutMs: 3_000 },
  });
  const watching = socket.connectionState.subscribe({
    next({ state, error }) {
      if (state === "pending") onConnection("open");
      else if (state === "idle") onConnection("idle");
      else if (error) onConnection("away");
    },
  });
  const client = createTRPCClient<AppRouter>({
    links: [
      splitLink({
        condition: ({ type }) => type === "subscription",
        true: [
          resumingLink({
            maxWaitMs: 4_000,
            reconnect: () => socket.connection?.ws.close(),
            ...(silenceMs !== undefined && { silenceMs }),
          }),
          wsLink({ client: socket, transformer: superjson }),
        ],
        false: [
          cursors.link,
          httpBatchLink({
            url: `${url}/api/trpc`,
            transformer: superjson,
            maxItems: 10,
            headers: { cookie },
            fetch: (target, { signal, ...init } = {}) => {
              const signals = signal ? [signal, left.signal] : [left.signal];
              return fetch(target, { ...init, signal: AbortSignal.any(signals) });
            },
          }),
        ],
      }),
    ],
  });
  return {
    client,
    cursors,
    close() {
      watching.unsubscribe();
      left.abort();
      void socket.close();
    },
  };
}

/** Sends the cookie, which browsers do themselves. */
function socketClass(cookie: string): typeof globalThis.WebSocket {
  const made: unknown = class extends WebSocket {
    constructor(url: string | URL) {
      super(url, { headers: { cookie } });
    }
  };
  if (!isSocketClass(made)) throw new Error("ws offers no WebSocket");
  return made;
}

function isSocketClass(made: unknown): made is typeof globalThis.WebSocket {
  return typeof made === "function";
}
