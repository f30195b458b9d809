import type { Writable } from "node:stream";
import { type AnyTRPCRouter, getTRPCErrorShape, transformTRPCResponse } from "@trpc/server";
import type { ConnectionCounter } from "./connection-limits";
import { endInTurn } from "./drain";
import { DomainError, retryAfter, toTrpcError } from "./errors";
import type { Logger } from "./logger";
import { MAX_EVENT_STREAM_MS } from "./trpc";

/** What the end of a stream has to reach its reader, before the connection is cut. */
const GRACE_MS = 60_000;
/** A stream that begins while the server ends still says that it has. */
const LATECOMER_MS = 100;

interface EventStream {
  path: string;
  address: string;
  isClaimed: boolean;
  /** Null for nobody's; throws a DomainError when it may not be looked up now. */
  findOwner: () => Promise<string | null>;
  /** Its slot is free again when this closes, whoever ends it and however. */
  outgoing: Writable | undefined;
  requestId: string;
}

interface EventStreamOptions {
  router: AnyTRPCRouter;
  connections: ConnectionCounter;
  maxMs?: number | undefined;
  logger: Logger;
}

/** The event streams that answer over HTTP. */
export interface EventStreams {
  /**
   * Counts a stream. It may begin, and ends with the signal; or its refusal, as an error of the API with its status: a stream
   * that has begun could only answer 200. A reader that does not let its stream end is cut.
   */
  admit(stream: EventStream): Promise<{ signal: AbortSignal; refusal?: never } | { signal?: never; refusal: Response }>;
  /** Ends all in turn, and at once those that begin from now on: their readers come again. */
  drain(): Promise<void>;
}

export function createEventStreams({
  router,
  connections,
  maxMs = MAX_EVENT_STREAM_MS + GRACE_MS,
  logger,
}: EventStreamOptions): EventStreams {
  const open = new Set<AbortController>();
  let isDraining = false;
  return {
    async admit({ path, address, isClaimed, findOwner, outgoing, requestId }) {
      const stream = new AbortController();
      try {
        const connection = connections.admit({ address, isClaimed });
        const cut = setTimeout(() => outgoing?.destroy(), maxMs).unref();
        const release = () => {
          clearTimeout(cut);
          connection.release();
          open.delete(stream);
        };
        open.add(stream);
        outgoing?.once("close", () => {
          release();
          stream.abort();
        });
        // Nobody would say again that it has closed.
        if (!outgoing || outgoing.destroyed) release();
        connection.setOwner(await findOwner());
      } catch (error) {
        // Without an answer of the database the stream itself says what happened.
        if (error instanceof DomainError) {
          logger.debug("event stream refused", { requestId, procedure: path, reason: error.reason });
          return { refusal: refusal(router, { path, error }) };
        }
      }
      if (isDraining) setTimeout(() => stream.abort(), LATECOMER_MS).unref();
      return { signal: stream.signal };
    },
    drain() {
      isDraining = true;
      return endInTurn([...open].map((stream) => () => stream.abort()));
    },
  };
}

/** Whether a path is a subscription's. */
export function isSubscription(router: AnyTRPCRouter, path: string): boolean {
  return router._def.procedures[path]?._def.type === "subscription";
}

function refusal(router: AnyTRPCRouter, { path, error: cause }: { path: string; error: DomainError }): Response {
  const config = router._def._config;
  const error = getTRPCErrorShape({
    config,
    error: toTrpcError(cause),
    type: "subscription",
    path,
    input: undefined,
    ctx: undefined,
  });
  const { httpStatus: status } = error.data;
  return Response.json(transformTRPCResponse(config, { error }), { status, headers: retryAfter([{ cause }]) });
}
