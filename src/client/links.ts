import {
  createWSClient,
  httpBatchLink,
  httpSubscriptionLink,
  retryLink,
  splitLink,
  TRPCClientError,
  wsLink,
} from "@trpc/client";
import type { AnyTRPCRouter } from "@trpc/server";
import { EventSource } from "eventsource";
import { strangeStatusOf } from "./failures";
import { transformer } from "./transformer";

/** The server takes ten calls in one request, and addresses of some kilobytes. */
const BATCH_SIZE = 10;
const LONGEST_URL = 4_000;
const LONGEST_WAIT_MS = 10_000;
/** A connection that nothing needs any more is closed after it, and lets a script end. */
const IDLE_MS = 500;

export type SocketConstructor = typeof WebSocket;

interface LinkOptions {
  endpoint: string;
  authorization: string;
  transport: "sse" | "websocket";
  /** Of the platform: Node.js 20 has none of its own. */
  WebSocket: SocketConstructor;
}

/** Queries and mutations over HTTP, those of one moment in one request; streams over one of the two transports. */
export function createLinks(options: LinkOptions) {
  const { endpoint, authorization, transport } = options;
  return [
    splitLink<AnyTRPCRouter>({
      condition: ({ type }) => type === "subscription",
      true: [
        retryLink({ retry: ({ error }) => !isFinal(error), retryDelayMs: waitMs }),
        transport === "sse" ? eventLink(options) : socketLink(options),
      ],
      false: httpBatchLink({
        url: endpoint,
        transformer,
        maxItems: BATCH_SIZE,
        maxURLLength: LONGEST_URL,
        headers: { authorization },
      }),
    }),
  ];
}

function eventLink({ endpoint, authorization }: LinkOptions) {
  return httpSubscriptionLink<AnyTRPCRouter, typeof EventSource>({
    url: endpoint,
    transformer,
    EventSource,
    eventSourceOptions: {
      fetch: (url, init) => fetch(url, { ...init, headers: { ...init.headers, authorization } }),
    },
  });
}

function socketLink({ endpoint, authorization, WebSocket }: LinkOptions) {
  const client = createWSClient({
    url: endpoint.replace(/^http/, "ws"),
    WebSocket,
    // A browser's socket cannot send headers; this is its first message.
    connectionParams: { authorization },
    lazy: { enabled: true, closeMs: IDLE_MS },
    retryDelayMs: waitMs,
    keepAlive: { enabled: true, intervalMs: 15_000, pongTimeoutMs: 5_000 },
  });
  return wsLink<AnyTRPCRouter>({ client, transformer });
}

/** Half of the wait is chance, so that not all programs knock at once at a server that has just started. */
function waitMs(attempt: number): number {
  return Math.min(400 * 2 ** attempt, LONGEST_WAIT_MS) * (0.5 + Math.random() / 2);
}

/** Whether asking again would bring the same answer. A proxy's page, a server in trouble and a limit pass. */
function isFinal(error: unknown): boolean {
  const status = error instanceof TRPCClientError ? (error.data?.httpStatus ?? strangeStatusOf(error)) : null;
  return typeof status === "number" && status >= 400 && status < 500 && status !== 408 && status !== 429;
}
