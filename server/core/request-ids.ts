import { randomUUID } from "node:crypto";
import type { MiddlewareHandler } from "hono";
import type { Bindings, ProxyTrust } from "./client-address";
import type { ProcedureTimes } from "./procedure-times";
import type { Tracing } from "./tracing";

/** Under it each answer carries the id of its request, which the log and messages about faults repeat. */
export const REQUEST_ID_HEADER = "x-request-id";

/** What is taken over from a trusted proxy: the ids of nginx, Caddy, Envoy and the cloud balancers are of this kind. */
const WELL_FORMED = /^[\w.:=-]{8,64}$/;

/** Finds the id that a trusted proxy has given a request, or makes one. Nobody else chooses what stands in the log. */
export type RequestIdReader = (headers: Pick<Headers, "get">, socketAddress: string | undefined) => string;

export function createRequestIds(isTrusted: ProxyTrust): RequestIdReader {
  return (headers, socketAddress) => {
    const given = headers.get(REQUEST_ID_HEADER);
    return given !== null && WELL_FORMED.test(given) && isTrusted(socketAddress ?? "") ? given : makeRequestId();
  };
}

/** 64 random bits in 16 digits, which a person can read out to somebody. */
export function makeRequestId(): string {
  const uuid = randomUUID();
  return uuid.slice(0, 8) + uuid.slice(-8);
}

/** Gives each request its id, in the bindings, and its answer the header. Counts, times and traces them by their kind. */
export function observeRequests(
  idOf: RequestIdReader,
  { times, tracing }: { times: ProcedureTimes; tracing: Tracing | null },
): MiddlewareHandler<{ Bindings: Bindings }> {
  return async (c, next) => {
    const startedAt = performance.now();
    const requestId = idOf(c.req.raw.headers, c.env.incoming?.socket.remoteAddress);
    c.env.requestId = requestId;
    const { method, headers } = c.req.raw;
    const span = tracing?.startRequest({ method, route: kindOf(c.req.path), requestId, headers });
    await (span ? span.run(next) : next());
    c.res.headers.set(REQUEST_ID_HEADER, requestId);
    const { status } = c.res;
    span?.end(String(status), { isFault: status >= 500 });
    const kind = status === 404 && kindOf(c.req.path) === "pages" ? "unknown" : kindOf(c.req.path);
    times.record(
      { procedure: kind, milliseconds: performance.now() - startedAt },
      CLASSES[(status / 100) | 0] ?? "other",
    );
  };
}

const CLASSES: readonly string[] = ["other", "1xx", "2xx", "3xx", "4xx", "5xx"];

/** Few kinds, whatever addresses people try. */
function kindOf(path: string): string {
  if (path.startsWith("/api/")) return path.startsWith("/api/trpc/") ? "procedures" : "api";
  if (path.startsWith("/assets/")) return "assets";
  if (path === "/healthz" || path === "/readyz" || path === "/metrics") return "health";
  return "pages";
}
