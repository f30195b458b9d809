import type { Server } from "node:http";
import { RequestError } from "@hono/node-server";
import type { MiddlewareHandler } from "hono";
import { bodyLimit } from "hono/body-limit";
import { MESSAGES } from "../contract/messages";
import { DomainError, errorBody, errorResponse } from "./errors";
import { makeRequestId, REQUEST_ID_HEADER } from "./request-ids";

/**
 * Longer than proxies and HTTP clients keep a connection that nothing goes over: whoever closes first makes the other one's next
 * request fail with a reset. Node's own 5 s is shorter than all of them.
 */
export const KEEP_ALIVE_MS = 75_000;

/** Bytes of a whole request. */
const MAX_BYTES = 256 * 1024;

/** What is refused is read up to here before the answer: as far as the proxies of deploy/ let it come. */
const MAX_DISCARDED_BYTES = 1024 * 1024;

/** Requests that may be larger than others. They are held in memory, so only a few at a time are. */
interface Exception {
  mayBeLarge: (request: { path: string; headers: Headers }) => boolean;
  maxBytes: number;
  atOnce: number;
  uploadPath: string;
}

/** Refuses what is too large, also when it comes in parts: 413. What is uploaded to `uploadPath` is measured as it is written. */
export function bodyLimits({ mayBeLarge, maxBytes, atOnce, uploadPath }: Exception): MiddlewareHandler {
  const ordinary = limitOf(MAX_BYTES);
  const large = limitOf(maxBytes);
  let underWay = 0;
  return async (c, next) => {
    if (c.req.path === uploadPath) return next();
    const isLarge = underWay < atOnce && mayBeLarge({ path: c.req.path, headers: c.req.raw.headers });
    if (!isLarge) return ordinary(c, next);
    underWay += 1;
    try {
      return await large(c, next);
    } finally {
      underWay -= 1;
    }
  };
}

function limitOf(maxSize: number): MiddlewareHandler {
  const counted = bodyLimit({ maxSize, onError: refuseTooLarge });
  return async (c, next) => {
    const { method, headers } = c.req.raw;
    if (method === "GET" || method === "HEAD") return next();
    // Only a body that comes in parts is counted, through streams: Node.js reads no more of another than its header says.
    const length = headers.has("transfer-encoding") ? null : headers.get("content-length");
    if (length === null) return counted(c, next);
    if (Number(length) <= maxSize) return next();
    // Whoever still sends meets a closed connection and not the answer; a proxy says 502 of it.
    if (Number(length) <= MAX_DISCARDED_BYTES) await discard(c.req.raw.body);
    return refuseTooLarge();
  };
}

/** Reads it to its end, or until it breaks off. */
async function discard(body: ReadableStream<Uint8Array> | null): Promise<void> {
  await body?.pipeTo(new WritableStream()).catch(() => {});
}

function refuseTooLarge(): Response {
  const refusal = new DomainError("PAYLOAD_TOO_LARGE", MESSAGES.general.tooLarge, { reason: "too-large" });
  // Of a larger body the rest is not read, so the connection cannot be used again.
  return errorResponse(refusal, { headers: { connection: "close" } });
}

const LONG_HEADERS = errorBody({
  code: "PAYLOAD_TOO_LARGE",
  status: 431,
  message: MESSAGES.general.headersTooLarge,
  details: { kind: "domain", reason: "too-large" },
});

/** The answer to what cannot be made a request of, such as one to a host that is none. */
export function answerMalformed(error: unknown): Response {
  const headers = { [REQUEST_ID_HEADER]: makeRequestId() };
  return new Response(null, { status: error instanceof RequestError ? 400 : 500, headers });
}

/** What Node.js refuses before there is a request, as it would; left to itself it sends no body. */
const STATUS_LINES: Record<string, string> = {
  HPE_HEADER_OVERFLOW: "431 Request Header Fields Too Large",
  HPE_CHUNK_EXTENSIONS_OVERFLOW: "413 Payload Too Large",
  ERR_HTTP_REQUEST_TIMEOUT: "408 Request Timeout",
};

/** Says why to a request whose address and headers have more than Node.js takes, 16 KB in all: 431. */
export function refuseLongHeaders(server: Server): void {
  server.on("clientError", (error: NodeJS.ErrnoException, socket) => {
    if (!socket.writable) return socket.destroy(error);
    const { code = "" } = error;
    const body = code === "HPE_HEADER_OVERFLOW" ? JSON.stringify(LONG_HEADERS) : "";
    const head = [
      `HTTP/1.1 ${STATUS_LINES[code] ?? "400 Bad Request"}`,
      ...(body === "" ? [] : ["Content-Type: application/json"]),
      `Content-Length: ${Buffer.byteLength(body)}`,
      "Connection: close",
      `${REQUEST_ID_HEADER}: ${makeRequestId()}`,
    ];
    socket.end(`${head.join("\r\n")}\r\n\r\n${body}`);
  });
}
