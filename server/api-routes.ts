import { callTRPCProcedure } from "@trpc/server";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { Hono, type MiddlewareHandler } from "hono";
import { compress } from "hono/compress";
import type { Db } from "../db/client";
import type { createAuthGateway } from "./auth/client";
import { GOOGLE_CALLBACK_PATH, GOOGLE_REFUSED_PATH } from "./auth/google";
import { ownerOf, type SessionReader } from "./auth/session-reader";
import { FILES_PATH } from "./contract/files";
import { LIVE_CURSOR_HEADER } from "./contract/live-cursor";
import { MESSAGES } from "./contract/messages";
import { OPENAPI_PATH } from "./contract/paths";
import { PHOTO_PATH } from "./contract/profiles";
import { SIGN_OFFS_PATH } from "./contract/sign-off-pdf";
import { VITALS_PATH } from "./contract/vitals";
import type { Bindings } from "./core/client-address";
import type { Context, Services, Session } from "./core/context";
import { DomainError, requireJson, retryAfter, toTrpcError } from "./core/errors";
import { type EventStreams, isSubscription } from "./core/event-streams";
import { refuseForeign } from "./core/origin";
import type { ProcedureTimes } from "./core/procedure-times";
import { bodyOf, createReply, holdsWritten, readInput, tagHeaders } from "./core/reply";
import { makeRequestId } from "./core/request-ids";
import { createDownloads, EXPORT_FORMATS } from "./exports/download";
import { answerCalendar } from "./feeds/download";
import { CALENDAR_PATH } from "./feeds/mutations";
import type { createFileDownloads } from "./files/download";
import type { createPhotoDownloads } from "./files/photos";
import type { createUploads } from "./files/upload";
import { AVATAR_PATH, type Avatars, answerAvatar } from "./github/avatars";
import { receivePush, WEBHOOK_PATH } from "./github/webhook";
import { unsubscribe } from "./notifications/choices";
import { UNSUBSCRIBE_PATH, unsubscribedPage, unsubscribePage } from "./notifications/pages";
import { appRouter } from "./router";
import { createSignOffDownloads } from "./sign-offs/download";
import { readEarly } from "./tasks/list-version";
import { receiveVitals } from "./vitals/mutations";

/** Where the procedures are, over HTTP, server-sent events and WebSocket. */
export const ENDPOINT = "/api/trpc";
const MAX_BATCH = 10;

/** What is of one call, and not the process's. */
export type CallContext = Pick<Context, "requestId" | "headers" | "address" | "setCookie" | "session" | "reply">;

interface ApiOptions {
  services: Pick<Services, "db" | "limits"> & { vitalTimes: ProcedureTimes };
  /** For the reads of sessions. */
  sessionDb: Db;
  auth: Pick<ReturnType<typeof createAuthGateway>, "handleGoogleCallback" | "refusalPage">;
  /** Null without one: then there is no such address. */
  webhookSecret: string | null;
  /** Of the program, for the tags of answers. */
  build: string;
  origins: ReadonlySet<string>;
  limitedBody: MiddlewareHandler;
  openApi: MiddlewareHandler;
  addressOf: (headers: Headers, bindings: Bindings) => string;
  /** The cursor of this moment. */
  liveCursor: () => string;
  contextFor: (call: CallContext) => Context;
  sessions: SessionReader;
  eventStreams: EventStreams;
  upload: ReturnType<typeof createUploads>;
  downloadFile: ReturnType<typeof createFileDownloads>;
  downloadPhoto: ReturnType<typeof createPhotoDownloads>;
  avatars: Avatars;
  /** `isFetched` is false for HEAD. */
  downloadEverything: (call: Context, asked: { isFetched: boolean }) => Promise<Response>;
}

/** Everything below /api: the procedures, and what needs raw HTTP. What changes something is refused to other sites. */
export function apiRoutes(options: ApiOptions): Hono<{ Bindings: Bindings }> {
  const { services, auth, webhookSecret, origins, addressOf, contextFor, sessions } = options;
  const routes = new Hono<{ Bindings: Bindings }>();
  routes.use("/api/*", async (c, next) => {
    const changes = c.req.method !== "GET" && c.req.method !== "HEAD";
    if (changes) refuseForeign(c.req.raw.headers, origins);
    await next();
    if (!c.res.headers.has("etag")) c.res.headers.set("cache-control", "no-store");
  });
  routes.use("/api/*", options.limitedBody, compress({ threshold: 2048 }));
  routes.all(`${ENDPOINT}/*`, async (c) => {
    const url = new URL(c.req.url);
    const path = decoded(url.pathname)?.slice(ENDPOINT.length + 1);
    if (path === undefined) throw notFound();
    const { headers } = c.req.raw;
    const address = addressOf(headers, c.env);
    // Before anything is read: a cursor lies behind the answer that carries it, never ahead.
    const cursor = options.liveCursor();
    const reply = createReply(c.req.raw, { path, url, build: options.build });
    const input = reply && path === "tasks.list" ? readInput(reply, url) : undefined;
    const find = reply && input !== undefined ? readEarly(options.sessionDb, { reply, input }) : undefined;
    let reading: Promise<Session | null> | null = null;
    const session = () => (reading ??= sessions.readSession(headers, address, find));
    const call = { requestId: c.env.requestId ?? makeRequestId(), headers, address, session, reply };
    if (reply && find && (await isUnchanged({ path, input }, contextFor({ ...call, setCookie: null })))) {
      return new Response(null, {
        status: 304,
        headers: { ...tagHeaders(reply.tag ?? ""), [LIVE_CURSOR_HEADER]: cursor },
      });
    }
    let request = c.req.raw;
    if (isSubscription(appRouter, path)) {
      // Streams are counted before they begin.
      if (c.req.method !== "GET") throw new DomainError("METHOD_NOT_SUPPORTED", MESSAGES.general.wrongMethod);
      const { signal, refusal } = await options.eventStreams.admit({
        path,
        address,
        isClaimed: sessions.readToken(headers) !== null,
        findOwner: async () => ownerOf(await session()),
        requestId: call.requestId,
        outgoing: c.env.outgoing,
      });
      if (refusal) return refusal;
      request = new Request(request, { signal });
    }
    const answer = await fetchRequestHandler({
      endpoint: ENDPOINT,
      req: request,
      router: appRouter,
      maxBatchSize: MAX_BATCH,
      // Queries may come by POST too: for inputs that are too long for an address.
      allowMethodOverride: true,
      responseMeta({ data, errors, info, type }) {
        const isBatch = info?.isBatchCall ?? false;
        const makeBody = () => bodyOf(data, { router: appRouter, isBatch });
        if (reply && holdsWritten(data)) reply.body = makeBody();
        // A short body is made twice sooner than read from an answer, which is a stream then. Of a
        // batch that failed as a whole tRPC makes an answer of its own.
        const isKnown = reply !== null && type === "mutation" && !(isBatch && errors.length > 0);
        return {
          headers: {
            ...retryAfter(errors),
            ...(isKnown && { "content-length": String(Buffer.byteLength(makeBody())) }),
            ...(type !== "subscription" && { [LIVE_CURSOR_HEADER]: cursor }),
            ...(reply?.tag && tagHeaders(reply.tag)),
            // tRPC names no type for its answer to a request that it could not take apart.
            ...(!info && { "content-type": "application/json" }),
          },
        };
      },
      createContext: ({ req, resHeaders }) => {
        requireJson(req);
        return contextFor({ ...call, setCookie: (cookie) => resHeaders.append("set-cookie", cookie) });
      },
    });
    return reply?.isUnchanged ? unchanged(answer) : withLength(answer, reply?.body ?? null);
  });
  function callOf(headers: Headers, bindings: Bindings): Context {
    const { requestId = makeRequestId() } = bindings;
    const address = addressOf(headers, bindings);
    const session = () => sessions.readSession(headers, address);
    return contextFor({ requestId, headers, address, setCookie: null, session, reply: null });
  }
  function ownCallOf(headers: Headers, bindings: Bindings): Context {
    // The cookie comes along when another site leads here.
    refuseForeign(headers, origins);
    return callOf(headers, bindings);
  }
  routes.post(FILES_PATH, (c) => options.upload(callOf(c.req.raw.headers, c.env), c.req.raw));
  for (const part of ["file", "thumbnail"] as const) {
    routes.get(`${FILES_PATH}/:id${part === "file" ? "" : "/thumbnail"}`, (c) => {
      const { headers } = c.req.raw;
      const asks = (use: "preview" | "download") => c.req.query(use) !== undefined;
      const use = asks("download") ? "download" : asks("preview") ? "preview" : null;
      const asked = { id: c.req.param("id"), part, headers, isFetched: c.req.method !== "HEAD", use } as const;
      return options.downloadFile(callOf(headers, c.env), asked);
    });
  }
  routes.get(`${PHOTO_PATH}:id`, (c) => {
    const { headers } = c.req.raw;
    const asked = { id: c.req.param("id"), headers, isFetched: c.req.method !== "HEAD" };
    return options.downloadPhoto(callOf(headers, c.env), asked);
  });
  const downloadSignOff = createSignOffDownloads();
  routes.get(`${SIGN_OFFS_PATH}/:file{[0-9a-fA-F-]+\\.pdf}`, (c) => {
    const id = c.req.param("file").slice(0, -".pdf".length);
    return downloadSignOff(ownCallOf(c.req.raw.headers, c.env), { id, isFetched: c.req.method !== "HEAD" });
  });
  const downloadProjects = createDownloads();
  for (const format of EXPORT_FORMATS) {
    routes.get(`/api/export/projects.${format}`, async (c) =>
      downloadProjects(ownCallOf(c.req.raw.headers, c.env), {
        format,
        query: c.req.query(),
        isFetched: c.req.method !== "HEAD",
      }),
    );
  }
  routes.get("/api/export/everything.zip", async (c) =>
    options.downloadEverything(ownCallOf(c.req.raw.headers, c.env), { isFetched: c.req.method !== "HEAD" }),
  );
  routes.get(`${AVATAR_PATH}:login`, async (c) =>
    answerAvatar(callOf(c.req.raw.headers, c.env), { login: c.req.param("login"), avatars: options.avatars }),
  );
  routes.get(`${CALENDAR_PATH}:fileName`, (c) =>
    answerCalendar(callOf(c.req.raw.headers, c.env), { fileName: c.req.param("fileName") }),
  );
  routes.get(GOOGLE_CALLBACK_PATH, (c) => auth.handleGoogleCallback(c.req.raw, addressOf(c.req.raw.headers, c.env)));
  routes.get(GOOGLE_REFUSED_PATH, (c) => c.redirect(auth.refusalPage(new URL(c.req.url).searchParams)));
  if (webhookSecret !== null) {
    routes.post(WEBHOOK_PATH, async (c) => {
      const body = new Uint8Array(await c.req.arrayBuffer());
      const call = { secret: webhookSecret, headers: c.req.raw.headers, body };
      await receivePush(services.db, call);
      return c.json({ message: MESSAGES.github.received });
    });
  }
  routes.post(VITALS_PATH, async (c) => {
    const address = addressOf(c.req.raw.headers, c.env);
    await receiveVitals({ ...services, address }, await c.req.text());
    return c.json({ message: "Thank you." });
  });
  // A mail program posts here by itself, and a person opens the address: mail scanners do that too, so a button has to be pressed.
  routes.get(UNSUBSCRIBE_PATH, (c) => c.html(unsubscribePage(c.req.query("token") ?? "")));
  routes.post(UNSUBSCRIBE_PATH, async (c) => {
    const isDone = await unsubscribe(services.db, c.req.query("token") ?? "");
    return c.html(unsubscribedPage(isDone), isDone ? 200 : 400);
  });
  routes.get(OPENAPI_PATH, options.openApi);
  routes.all("/api/*", () => {
    throw notFound();
  });
  return routes;
}

function notFound(): DomainError {
  return new DomainError("NOT_FOUND", MESSAGES.general.notFound);
}

/** Null when the percent signs of a path do not stand for characters; tRPC takes for granted that they do. */
function decoded(path: string): string | null {
  try {
    return decodeURIComponent(path);
  } catch {
    return null;
  }
}

/**
 * Whether the caller holds the answer, by the version that was read with the session. The procedure has then run with all its
 * checks, but without what tRPC makes of a request and a response: that took a third of the time. What is refused goes the
 * usual way too, with its refusal.
 */
async function isUnchanged({ path, input }: { path: string; input: unknown }, ctx: Context): Promise<boolean> {
  await ctx.session().catch(() => null);
  const { reply } = ctx;
  if (!reply?.early?.isHeld) return false;
  const getRawInput = async () => input;
  const call = { router: appRouter, path, type: "query", getRawInput, ctx, signal: undefined, batchIndex: 0 } as const;
  return callTRPCProcedure(call).then(
    () => reply.isUnchanged,
    (error: unknown) => {
      reply.refusal = toTrpcError(error);
      return false;
    },
  );
}

/** An answer that is there as a whole says how long it is: a short one is then not compressed. A stream stays as it is. */
async function withLength(answer: Response, body: string | null): Promise<Response> {
  const { status, headers } = answer;
  const isWhole = headers.get("content-type") === "application/json" && !headers.has("transfer-encoding");
  if (!isWhole || headers.has("content-length")) return answer;
  const bytes = Buffer.from(body ?? (await answer.text()));
  headers.set("content-length", String(bytes.byteLength));
  return new Response(bytes, { status, headers });
}

function unchanged({ headers }: Response): Response {
  headers.delete("content-type");
  return new Response(null, { status: 304, headers });
}
