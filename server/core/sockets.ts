import { type IncomingMessage, type Server, ServerResponse } from "node:http";
import { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import type { AnyTRPCRouter } from "@trpc/server";
import { getWSConnectionHandler } from "@trpc/server/adapters/ws";
import { type WebSocket, WebSocketServer } from "ws";
import type { ConnectionCounter, CountedConnection } from "./connection-limits";
import type { Context } from "./context";
import { endInTurn } from "./drain";
import { DomainError, retryAfter } from "./errors";
import type { Logger } from "./logger";
import { isForeign } from "./origin";
import { makeRequestId, REQUEST_ID_HEADER, type RequestIdReader } from "./request-ids";
import { createSocketEncoder } from "./socket-encoder";
import { closeSocket, SESSION_ENDED, superviseSession } from "./socket-sessions";

const MAX_MESSAGE_BYTES = 256 * 1024;

/** What a reader that never reads may make the server hold; beyond it the connection is dropped and resumes. */
const MAX_UNSENT_BYTES = 1024 * 1024;
/** A peer that says nothing for so long is asked for a sign of life, and disconnected when none comes. */
const QUIET_SECONDS = 25;
const PONG_SECONDS = 10;

/** How long streams have to send why they end; those that are late, longer: the browser has no other way to know. */
const GOODBYE_MS = 500;
const LATE_GOODBYE_MS = 1_500;
const GOODBYE_CHECK_MS = 50;

/** "Service restart": the browser's client connects again by itself. */
const RESTARTING = 1012;

interface Options {
  router: AnyTRPCRouter;
  endpoint: string;
  ownOrigins: ReadonlySet<string>;
  /** `ended` aborts when the connection is over. */
  createContext: (request: {
    requestId: string;
    headers: Headers;
    socketAddress: string | undefined;
    ended: AbortSignal;
  }) => Context;
  requestIdOf: RequestIdReader;
  /** The session token that a handshake brings, if any. */
  readToken: (headers: Headers) => string | null;
  /** The owner of the headers' session; null for nobody's. Throws a DomainError when it may not be looked up now. */
  findOwner: (headers: Headers, address: string) => Promise<string | null>;
  addressOf: (headers: Headers, socketAddress: string | undefined) => string;
  connections: ConnectionCounter;
  /** How long a connection without a session may last. */
  sessionlessMs: number;
  logger: Logger;
}

/** The WebSocket side of the API, on the HTTP server's port. */
export function createSockets(options: Options) {
  const { router, endpoint, ownOrigins, createContext, readToken, findOwner, addressOf, connections } = options;
  const wss = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  /** Of handshakes under way, for their answers. */
  const requestIds = new WeakMap<IncomingMessage, string>();
  wss.on("headers", (lines, request) => lines.push(`${REQUEST_ID_HEADER}: ${requestIds.get(request)}`));
  const start = (
    client: WebSocket,
    request: IncomingMessage,
    { connection, requestId }: { connection: CountedConnection; requestId: string },
  ) => {
    const logger = options.logger.with({ requestId });
    const headers = sessionHeadersOf(request);
    // Held for as long as the connection lasts.
    request.rawHeaders.length = 0;
    request.headers = { host: request.headers.host };
    quietSeconds.set(client, 0);
    client.on("message", noteMessage);
    const session = superviseSession(client, { connection, sessionlessMs: options.sessionlessMs, logger });
    const encoder = createSocketEncoder(client);
    encoders.set(client, encoder);
    if (isDraining) setTimeout(() => void restart(client), GOODBYE_MS).unref();
    const serve = getWSConnectionHandler({
      wss,
      router,
      experimental_encoder: encoder,
      createContext({ req, info }) {
        // A browser's socket cannot send headers: an API key then comes as the first message.
        const { authorization } = info.connectionParams ?? {};
        if (authorization !== undefined)
          headers.set("authorization", isHeaderValue(authorization) ? authorization : NO_KEY);
        const context = createContext({
          requestId,
          headers,
          socketAddress: req.socket.remoteAddress,
          ended: info.signal,
        });
        const token = readToken(headers);
        if (token !== null && client.readyState === client.OPEN) {
          sessions.set(client, { token, streams: () => context.feed.size() });
          session.identify(() => findOwner(headers, addressOf(headers, req.socket.remoteAddress)));
        }
        return context;
      },
      onError: ({ error, path }) => logger.debug("socket error", { procedure: path, code: error.code }),
    });
    serve(client, request);
  };
  let isDraining = false;
  const encoders = new WeakMap<WebSocket, ReturnType<typeof createSocketEncoder>>();
  /** Once its calls are answered: its client connects again. */
  async function restart(client: WebSocket): Promise<void> {
    while (client.readyState === client.OPEN && encoders.get(client)?.isAnswering())
      await sleep(GOODBYE_CHECK_MS, undefined, { ref: false });
    closeSocket(client, RESTARTING);
  }
  const sessions = new Map<WebSocket, { token: string; streams: () => number }>();
  /** Of each connection since its last message. One timer for all of them: an idle tab costs none of its own. */
  const quietSeconds = new Map<WebSocket, number>();
  function noteMessage(this: WebSocket): void {
    if (quietSeconds.has(this)) quietSeconds.set(this, 0);
  }
  const check = setInterval(() => {
    for (const [client, seconds] of quietSeconds) {
      quietSeconds.set(client, seconds + 1);
      const isLost = seconds >= QUIET_SECONDS + PONG_SECONDS || client.bufferedAmount > MAX_UNSENT_BYTES;
      if (isLost) client.terminate();
      else if (seconds === QUIET_SECONDS && client.readyState === client.OPEN) client.send("PING");
    }
  }, 1_000);
  check.unref();

  const onUpgrade = (request: IncomingMessage, socket: Duplex, head: Buffer) => {
    // Whoever resets the connection while it is refused must not stop the server.
    socket.on("error", () => socket.destroy());
    const headers = headersOf(request);
    const requestId = options.requestIdOf(headers, request.socket.remoteAddress);
    const refuseIt = (status: string, more: Record<string, string> = {}) =>
      refuse(socket, status, { ...more, [REQUEST_ID_HEADER]: requestId });
    if (request.url?.split("?")[0] !== endpoint) return refuseIt("404 Not Found");
    // tRPC makes a URL of the two, and throws where nobody catches when they are none: that would end the process.
    if (!URL.canParse(request.url, `http://${request.headers.host ?? "localhost"}`)) return refuseIt("400 Bad Request");
    if (isForeign(headers, ownOrigins)) return refuseIt("403 Forbidden");
    // Already gone: nothing would announce it again, and its slot would stay taken.
    if (socket.destroyed) return;
    try {
      const address = addressOf(headers, request.socket.remoteAddress);
      const connection = connections.admit({ address, isClaimed: readToken(headers) !== null });
      socket.once("close", connection.release);
      requestIds.set(request, requestId);
      wss.handleUpgrade(request, socket, head, (client: WebSocket) => {
        client.once("close", () => {
          sessions.delete(client);
          quietSeconds.delete(client);
        });
        start(client, request, { connection, requestId });
      });
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      options.logger.debug("socket refused", { requestId, reason: error.reason });
      refuseIt("429 Too Many Requests", retryAfter([{ cause: error }]));
    }
  };

  return {
    attach(server: Server) {
      server.on("upgrade", (request, socket, head) => {
        const isSocket = request.headers.upgrade?.toLowerCase() === "websocket";
        if (isSocket || !(socket instanceof Socket)) onUpgrade(request, socket, head);
        else answerAsUsual(server, request, socket);
      });
    },
    tokens: () => [...sessions.values()].map(({ token }) => token),
    closeEnded(ended: ReadonlySet<string>) {
      for (const [client, { token, streams }] of sessions) if (ended.has(token)) void closeAfter(client, streams);
    },
    /** Closes all in turn, and from now on also those that still come. */
    drain() {
      isDraining = true;
      return endInTurn([...wss.clients].map((client) => () => void restart(client)));
    },
    close() {
      clearInterval(check);
      for (const client of wss.clients) closeSocket(client, RESTARTING);
      wss.close();
    },
  };
}

/** Once its streams have ended, or had their time to. */
async function closeAfter(client: WebSocket, streams: () => number): Promise<void> {
  await sleep(GOODBYE_MS, undefined, { ref: false });
  for (let waitedMs = GOODBYE_MS; waitedMs < LATE_GOODBYE_MS && streams() > 0; waitedMs += GOODBYE_CHECK_MS)
    await sleep(GOODBYE_CHECK_MS, undefined, { ref: false });
  closeSocket(client, SESSION_ENDED);
}

/**
 * A server that takes one kind of upgrade is handed every offer of another, such as HTTP/2 without TLS. An offer may be
 * ignored: the request is answered as if it had not been made. What has no body, that is; Node reads none after an offer.
 */
function answerAsUsual(server: Server, request: IncomingMessage, socket: Socket): void {
  socket.on("error", () => socket.destroy());
  if (request.method !== "GET" && request.method !== "HEAD") {
    refuse(socket, "400 Bad Request", { [REQUEST_ID_HEADER]: makeRequestId() });
    return;
  }
  const response = new ServerResponse(request);
  response.shouldKeepAlive = false;
  response.assignSocket(socket);
  response.once("finish", () => socket.end());
  server.emit("request", request, response);
}

/** In place of what no header can hold: such a caller is nobody, and not whose cookie came along. */
const NO_KEY = "Bearer -";

/** What `Headers` takes without throwing. */
function isHeaderValue(text: string): boolean {
  return /^[\t\x20-\x7e]*$/.test(text);
}

/** A peer that does not end its own side must not keep the connection. */
function refuse(socket: Duplex, status: string, headers: Record<string, string> = {}): void {
  const lines = Object.entries({ ...headers, connection: "close", "content-length": "0" });
  const head = lines.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  socket.end(`HTTP/1.1 ${status}\r\n${head}\r\n`, () => socket.destroy());
}

/** Without those of the handshake. */
function sessionHeadersOf(request: IncomingMessage): Headers {
  const headers = headersOf(request);
  for (const name of [...headers.keys()])
    if (/^(sec-websocket-|accept|cache-control$|connection$|pragma$|upgrade$)/.test(name)) headers.delete(name);
  return headers;
}

function headersOf({ headers }: IncomingMessage): Headers {
  return new Headers(
    Object.entries(headers).flatMap(([name, value]): [string, string][] =>
      (Array.isArray(value) ? value : [value ?? ""]).map((one) => [name, one]),
    ),
  );
}
