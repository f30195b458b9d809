import { createWSClient, httpBatchLink, httpSubscriptionLink, splitLink, wsLink } from "@trpc/client";
import type { AnyTRPCRouter } from "@trpc/server";
import { EventSource } from "eventsource";
import { createResumingEncoder } from "./resuming-encoder";
import { resumingLink } from "./resuming-link";
import { createRevalidation } from "./revalidating-link";
import { BATCH, transformer } from "./transformer";

const MAX_WAIT_MS = 10_000;
/** A connection that nothing needs any more is closed after it, and lets a script end. */
const IDLE_MS = 500;
/** Close codes of the server: the key is none, or there are too many connections. */
const REFUSED = new Set<unknown>([4401, 4429]);

export type SocketConstructor = typeof WebSocket;

interface LinkOptions {
  endpoint: string;
  authorization: string;
  transport: "sse" | "websocket";
  /** Of the platform: Node.js 20 has none of its own. */
  WebSocket: SocketConstructor;
}

/** Queries and mutations over HTTP, those of one moment in one request but for lists with a tag; streams over one of the two transports. */
export function createLinks(options: LinkOptions) {
  const { endpoint, authorization, transport } = options;
  return [
    splitLink<AnyTRPCRouter>({
      condition: ({ type }) => type === "subscription",
      true: transport === "sse" ? eventLinks(options) : socketLinks(options),
      false: [
        createRevalidation<AnyTRPCRouter>({ url: endpoint, headers: { authorization }, again: structuredClone }).link,
        httpBatchLink({ url: endpoint, transformer, ...BATCH, headers: { authorization } }),
      ],
    }),
  ];
}

function eventLinks({ endpoint, authorization }: LinkOptions) {
  return [
    resumingLink({ maxWaitMs: MAX_WAIT_MS }),
    httpSubscriptionLink<AnyTRPCRouter, typeof EventSource>({
      url: endpoint,
      transformer,
      EventSource,
      eventSourceOptions: {
        fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, authorization } }),
      },
    }),
  ];
}

function socketLinks({ endpoint, authorization, WebSocket }: LinkOptions) {
  /** In a row. A socket that opens and is refused afterwards would count as a success, and be made again at once. */
  let refusals = 0;
  const client = createWSClient({
    url: endpoint.replace(/^http/, "ws"),
    WebSocket,
    experimental_encoder: createResumingEncoder(),
    // A browser's socket cannot send headers; this is its first message.
    connectionParams: { authorization },
    lazy: { enabled: true, closeMs: IDLE_MS },
    onClose: (cause) => {
      refusals = REFUSED.has(cause?.code) ? refusals + 1 : 0;
    },
    retryDelayMs: (attempt) => waitMs(attempt + refusals),
    keepAlive: { enabled: true, intervalMs: 15_000, pongTimeoutMs: 5_000 },
  });
  return [
    resumingLink({ maxWaitMs: MAX_WAIT_MS, reconnect: () => client.connection?.ws.close() }),
    wsLink<AnyTRPCRouter>({ client, transformer }),
  ];
}

/** Half of the wait is chance, so that not all programs connect at once to a server that has just started. */
function waitMs(attempt: number): number {
  return Math.min(400 * 2 ** attempt, MAX_WAIT_MS) * (0.5 + Math.random() / 2);
}
