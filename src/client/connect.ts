import { createTRPCUntypedClient, type TRPCUntypedClient } from "@trpc/client";
import { type AnyTRPCRouter, createTRPCRecursiveProxy } from "@trpc/server";
import type { Client, ClientOptions } from "./client";
import { toClientError } from "./failures";
import { isRecord } from "./is-record";
import { createLinks, type SocketConstructor } from "./links";
import type { CallOptions, SubscriptionHandlers } from "./procedures";

/** Of the platform; throws a TypeError for an address or a key that cannot be one. */
export function connect(options: ClientOptions, platform: { WebSocket: SocketConstructor }): Client {
  const { transport = "sse" } = options;
  const client = createTRPCUntypedClient<AnyTRPCRouter>({
    links: createLinks({
      endpoint: endpointOf(options.url),
      authorization: authorizationOf(options.apiKey),
      transport,
      WebSocket: platform.WebSocket,
    }),
  });
  return createTRPCRecursiveProxy<Client>(({ path, args }) => {
    const [input, given] = args;
    const procedure = path.slice(0, -1).join(".");
    switch (path.at(-1)) {
      case "query":
        return withClientErrors(procedure, client.query(procedure, input, signalOf(given)));
      case "mutate":
        return withClientErrors(procedure, client.mutation(procedure, input, signalOf(given)));
      case "subscribe":
        return listen(client, { procedure, input, handlers: handlersOf(given) });
      default:
        throw new TypeError(`${path.join(".")} is not there: a call ends in .query(), .mutate() or .subscribe().`);
    }
  });
}

function withClientErrors(procedure: string, answer: Promise<unknown>): Promise<unknown> {
  return answer.catch((error: unknown) => {
    throw toClientError(error, procedure);
  });
}

interface Listening {
  procedure: string;
  input: unknown;
  handlers: SubscriptionHandlers<unknown>;
}

function listen(client: TRPCUntypedClient<AnyTRPCRouter>, { procedure, input, handlers }: Listening) {
  let isConnected = false;
  return client.subscription(procedure, input, {
    onData: (event) => handlers.onData(event),
    onStarted() {
      isConnected = true;
      handlers.onStarted?.();
    },
    onConnectionStateChange({ state }) {
      if (state !== "connecting" || !isConnected) return;
      isConnected = false;
      handlers.onInterrupted?.();
    },
    onError: (error) => handlers.onError?.(toClientError(error, procedure)),
  });
}

function endpointOf(url: string): string {
  const base = URL.canParse(url) ? new URL(url) : null;
  if (!base || !/^https?:$/.test(base.protocol))
    throw new TypeError(`url has to be the address of Sangam, such as https://sangam.example; it is ${String(url)}.`);
  return `${base.origin}${base.pathname.replace(/\/$/, "")}/api/trpc`;
}

/** The key itself is in no message: messages end in logs. */
function authorizationOf(apiKey: string): string {
  if (typeof apiKey !== "string" || !/^[\x21-\x7e]+$/.test(apiKey))
    throw new TypeError("apiKey has to be a key that was made in Settings; it is empty or holds other characters.");
  return `Bearer ${apiKey}`;
}

function signalOf(given: unknown): CallOptions {
  const signal = isRecord(given) ? given.signal : undefined;
  return signal instanceof AbortSignal ? { signal } : {};
}

function handlersOf(given: unknown): SubscriptionHandlers<unknown> {
  if (!isHandlers(given)) throw new TypeError("subscribe() needs an input and { onData }.");
  return given;
}

function isHandlers(given: unknown): given is SubscriptionHandlers<unknown> {
  return isRecord(given) && typeof given.onData === "function";
}
