import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { fetchRequestHandler } from "@trpc/server/adapters/fetch";
import { Hono } from "hono";
import { compress } from "hono/compress";
import { type Connection, type Db, isReachable, type Sql } from "../db/client";
import { createKeyUse, readKeyToken } from "./auth/api-keys";
import { createAuthGateway } from "./auth/client";
import { startCutOff } from "./auth/cut-off";
import { GOOGLE_CALLBACK_PATH, GOOGLE_REFUSED_PATH } from "./auth/google";
import { createLiveness } from "./auth/liveness";
import { createAccountMails } from "./auth/mails";
import { deleteSession, sweepExpired } from "./auth/mutations";
import { findSession } from "./auth/queries";
import { createUnreadMails } from "./chat/mails";
import { startUnreadMails } from "./chat/worker";
import { INQUIRY_FORM_ACTION, INQUIRY_PAGES, sentAddress } from "./contract/inquiry-form";
import { MESSAGES } from "./contract/messages";
import { VITALS_PATH } from "./contract/vitals";
import { bodyLimits } from "./core/body-limits";
import { createAddressReader } from "./core/client-address";
import type { Context, Session } from "./core/context";
import type { Env } from "./core/env";
import { createFormPages } from "./core/form-pages";
import { describeError, type Logger } from "./core/logger";
import { isForeign, ownOrigins } from "./core/origin";
import { createLimits, retryAfter } from "./core/rate-limit";
import type { Secrets } from "./core/secrets";
import { securityHeaders } from "./core/security-headers";
import { createSockets } from "./core/sockets";
import { staticPages } from "./core/static-pages";
import { createVault } from "./core/vault";
import { createGitHubClient } from "./github/client";
import { isLargePush, MAX_PUSH_BYTES, receivePush, WEBHOOK_PATH } from "./github/webhook";
import { startRepositoryWorker } from "./github/worker";
import { receiveForm } from "./inquiries/form";
import { createInquiryMails } from "./inquiries/mails";
import { createMailTransport } from "./mail/client";
import { INQUIRY_TEMPLATE, UNREAD_TEMPLATE } from "./mail/templates";
import { type MailComposer, startMailWorker } from "./mail/worker";
import { downloadProjects, EXPORT_FORMATS } from "./projects/download";
import { boundFeed, createHub } from "./realtime/hub";
import { startListener } from "./realtime/listener";
import { announceTexts } from "./realtime/notify";
import { createPresence } from "./realtime/presence";
import { appRouter } from "./router";
import { receiveVitals } from "./vitals/beacon";
import { sweepVitals } from "./vitals/queries";

const ENDPOINT = "/api/trpc";
const MAX_BATCH = 10;
/** A page opens one or two. */
const STREAMS_PER_SOCKET = 50;
const SWEEP_MS = 3_600_000;
const FORM_TYPES = /^(application\/x-www-form-urlencoded|multipart\/form-data)\b/i;

export interface AppOptions {
  env: Pick<
    Env,
    | "port"
    | "publicUrl"
    | "google"
    | "trustedProxies"
    | "rateLimitMultiplier"
    | "smtpUrl"
    | "mailFrom"
    | "contactEmail"
    | "dataDir"
    | "github"
  >;
  secrets: Secrets;
  db: Db;
  /** The plain client of the same pool. */
  sql: Sql;
  connection: Connection;
  logger: Logger;
  /** E-mails that may not sign in, and answer like a wrong password: the demo's, outside the demo. */
  closedTo: readonly string[];
  /** The checkout: `dist/` lies below it. */
  root: string;
}

/** What the HTTP server tells of a request besides the request. */
interface Bindings {
  incoming?: { socket: { remoteAddress?: string | undefined } };
}

export interface App {
  fetch(request: Request, bindings?: Bindings): Response | Promise<Response>;
  /** Serves WebSockets on the same port. */
  attach(server: Server): void;
  /** Ends sockets and listening; running HTTP calls go on. */
  close(): Promise<void>;
}

/** The composition root: every part of the server is made and wired here, and nowhere else. */
export async function createApp({
  env,
  secrets,
  db,
  sql,
  connection,
  logger,
  root,
  closedTo,
}: AppOptions): Promise<App> {
  const hub = createHub();
  const announce = (payloads: string[]) => announceTexts(db, payloads);
  const presence = createPresence({ processId: randomUUID(), hub, announce, logger });
  const listener = await startListener({ connection, hub, presence, logger });
  const auth = createAuthGateway({
    db,
    secret: secrets.betterAuthSecret,
    publicUrl: env.publicUrl,
    google: env.google,
    closedTo,
    logger,
  });
  const limits = createLimits({ sql, multiplier: env.rateLimitMultiplier });
  const mailWorker = startMailWorker({
    db,
    feed: hub,
    logger,
    compose: createComposer({ db, publicUrl: env.publicUrl }),
    transport: createMailTransport({ ...env, logger }),
  });
  const unreadMails = startUnreadMails({ db, presence, logger });
  const readAddress = createAddressReader(env.trustedProxies);
  const addressOf = (headers: Headers, socketAddress: string | undefined) =>
    readAddress({ socketAddress, forwardedFor: headers.get("x-forwarded-for") });
  const origins = ownOrigins(env);
  const requireLive = createLiveness(db);

  const vault = createVault([secrets.tokenEncryptionKey, ...secrets.oldTokenEncryptionKeys]);
  const github = createGitHubClient({ apiUrl: env.github.apiUrl });
  const repositoryWorker = startRepositoryWorker({ db, feed: hub, logger, vault, github });

  const contextFor = (call: Pick<Context, "headers" | "address" | "setCookie" | "session">): Context => ({
    ...call,
    limits,
    contactEmail: env.contactEmail,
    db,
    feed: hub,
    presence,
    auth,
    vault,
    github,
    logger,
    requireLive,
    endSession: (sessionId) => deleteSession(db, { id: sessionId }),
  });
  const noteKeyUse = createKeyUse(db, { onError: (error) => logger.warn("key use", describeError(error)) });
  const readSession = async (headers: Headers): Promise<Session | null> => {
    const keyToken = readKeyToken(headers);
    const token = keyToken ?? auth.readToken(headers);
    const session = token ? await findSession(db, { token }) : null;
    if (session && keyToken) noteKeyUse(session.id);
    return session;
  };
  const sockets = createSockets({
    router: appRouter,
    endpoint: ENDPOINT,
    ownOrigins: origins,
    logger,
    // A connection outlives sessions and roles: each operation on it reads them afresh.
    createContext: ({ headers, socketAddress, ended }) => ({
      ...contextFor({
        headers,
        address: addressOf(headers, socketAddress),
        setCookie: null,
        session: () => readSession(headers),
      }),
      feed: boundFeed(hub, { most: STREAMS_PER_SOCKET, ended }),
    }),
    readToken: (headers) => readKeyToken(headers) ?? auth.readToken(headers),
  });
  const sweep = () =>
    Promise.all([sweepExpired(db), sweepVitals(db)]).catch((error: unknown) =>
      logger.warn("sweep", describeError(error)),
    );
  const sweeper = setInterval(sweep, SWEEP_MS);
  sweeper.unref();
  const cutOff = startCutOff({ db, feed: hub, connections: sockets, logger });
  const { routes: pages, scriptHashes, find } = staticPages({ root, publicUrl: env.publicUrl });
  const formPages = createFormPages({ root, find });

  const app = new Hono<{ Bindings: Bindings }>();
  app.use(securityHeaders({ scriptHashes, https: env.publicUrl.startsWith("https:") }));
  app.onError((error, c) => {
    logger.error("request", describeError(error));
    return c.json({ message: MESSAGES.general.internal }, 500);
  });
  app.get("/healthz", (c) => c.json({ ok: true }));
  app.get("/readyz", async (c) => {
    const [database, listening] = await Promise.all([isReachable(db), listener.isWell()]);
    return c.json({ database, listener: listening }, database && listening ? 200 : 503);
  });
  app.use("/api/*", async (c, next) => {
    const changes = c.req.method !== "GET" && c.req.method !== "HEAD";
    if (changes && isForeign(c.req.raw.headers, origins))
      return c.json({ message: MESSAGES.general.foreignOrigin }, 403);
    await next();
    c.res.headers.set("cache-control", "no-store");
  });
  const limitedBody = bodyLimits({ mayBeLarge: isLargePush, maxBytes: MAX_PUSH_BYTES, atOnce: 4 });
  app.use("/api/*", limitedBody, compress({ threshold: 2048 }));
  app.all(`${ENDPOINT}/*`, async (c) => {
    if (!isDecodable(new URL(c.req.url).pathname)) return c.json({ message: MESSAGES.general.notFound }, 404);
    const answer = await fetchRequestHandler({
      endpoint: ENDPOINT,
      req: c.req.raw,
      router: appRouter,
      maxBatchSize: MAX_BATCH,
      responseMeta: ({ errors }) => ({ headers: retryAfter(errors) }),
      createContext: ({ req, resHeaders }) => {
        let session: Promise<Session | null> | null = null;
        return contextFor({
          headers: req.headers,
          address: addressOf(req.headers, c.env.incoming?.socket.remoteAddress),
          setCookie: (cookie) => resHeaders.append("set-cookie", cookie),
          session: () => (session ??= readSession(req.headers)),
        });
      },
    });
    return withLength(answer);
  });
  for (const format of EXPORT_FORMATS) {
    app.get(`/api/export/projects.${format}`, async (c) => {
      const { headers } = c.req.raw;
      // The cookie comes along when another site leads here.
      if (isForeign(headers, origins)) return c.json({ message: MESSAGES.general.foreignOrigin }, 403);
      const call = contextFor({
        headers,
        address: addressOf(headers, c.env.incoming?.socket.remoteAddress),
        setCookie: null,
        session: () => readSession(headers),
      });
      return downloadProjects(call, { format, query: c.req.query() });
    });
  }
  app.get(GOOGLE_CALLBACK_PATH, (c) =>
    auth.handleGoogleCallback(c.req.raw, addressOf(c.req.raw.headers, c.env.incoming?.socket.remoteAddress)),
  );
  app.get(GOOGLE_REFUSED_PATH, (c) => c.redirect(auth.refusalPage(new URL(c.req.url).searchParams)));
  const { webhookSecret } = env.github;
  if (webhookSecret !== null) {
    app.post(WEBHOOK_PATH, async (c) => {
      const body = new Uint8Array(await c.req.arrayBuffer());
      const { status, message } = await receivePush(db, { secret: webhookSecret, headers: c.req.raw.headers, body });
      return c.json({ message }, status);
    });
  }
  app.post(VITALS_PATH, async (c) => {
    const address = addressOf(c.req.raw.headers, c.env.incoming?.socket.remoteAddress);
    const { status, message, retryAfterSeconds } = await receiveVitals({ db, limits, address }, await c.req.text());
    if (retryAfterSeconds) c.header("retry-after", String(retryAfterSeconds));
    return c.json({ message }, status);
  });
  app.all("/api/*", (c) => c.json({ message: MESSAGES.general.notFound }, 404));
  app.use(INQUIRY_FORM_ACTION, async (c, next) => {
    await next();
    c.res.headers.set("cache-control", "no-store");
    const { status } = c.res;
    if (status !== 403 && status !== 413) return;
    const reason = status === 403 ? MESSAGES.general.foreignOrigin : MESSAGES.inquiries.tooLarge;
    const page = await formPages.drawRefused(reason, c.req.header("referer"));
    if (page !== null) c.res = c.html(page, status);
  });
  app.post(INQUIRY_FORM_ACTION, limitedBody, async (c) => {
    if (isForeign(c.req.raw.headers, origins)) return c.json({ message: MESSAGES.general.foreignOrigin }, 403);
    if (!FORM_TYPES.test(c.req.header("content-type") ?? "")) {
      return c.json({ message: MESSAGES.general.unreadable }, 415);
    }
    const address = addressOf(c.req.raw.headers, c.env.incoming?.socket.remoteAddress);
    // What cannot be read at all is a form in which nothing was typed.
    const form = await c.req.parseBody().catch(() => ({}));
    const received = await receiveForm({ db, limits, logger, contactEmail: env.contactEmail, address }, form);
    if (received.isSent) return c.redirect(sentAddress(received.kind), 303);
    const { kind, status, state, retryAfterSeconds } = received;
    if (retryAfterSeconds) c.header("retry-after", String(retryAfterSeconds));
    const page = await formPages.draw(kind, state);
    return page === null
      ? c.text([state.problem, ...Object.values(state.fieldErrors ?? {})].join("\n"), status)
      : c.html(page, status);
  });
  app.get(INQUIRY_FORM_ACTION, (c) => c.redirect(`${INQUIRY_PAGES.contact.path}#${INQUIRY_PAGES.contact.anchor}`));
  app.route("/", pages);

  return {
    fetch: (request, bindings) => app.fetch(request, bindings ?? {}),
    attach: (server) => sockets.attach(server),
    async close() {
      clearInterval(sweeper);
      sockets.close();
      await Promise.all([
        cutOff.close(),
        mailWorker.close(),
        unreadMails.close(),
        repositoryWorker.close(),
        presence.close(),
      ]);
      await listener.close();
    },
  };
}

/** Each mail is written by the module that it is about. */
function createComposer(options: { db: Db; publicUrl: string }): MailComposer {
  const composeUnread = createUnreadMails(options);
  const composeInquiry = createInquiryMails(options);
  const composeAccount = createAccountMails(options);
  return (job) => {
    if (job.template === UNREAD_TEMPLATE) return composeUnread(job);
    return job.template === INQUIRY_TEMPLATE ? composeInquiry(job) : composeAccount(job);
  };
}

/** Whether the percent signs of a path stand for characters; tRPC takes for granted that they do. */
function isDecodable(path: string): boolean {
  try {
    return decodeURIComponent(path) !== "";
  } catch {
    return false;
  }
}

/** An answer that is there as a whole says how long it is: a short one is then not compressed. A stream stays as it is. */
async function withLength(answer: Response): Promise<Response> {
  const isWhole = answer.headers.get("content-type") === "application/json" && !answer.headers.has("transfer-encoding");
  if (!isWhole) return answer;
  const text = await answer.text();
  const { status, headers } = answer;
  headers.set("content-length", String(Buffer.byteLength(text)));
  return new Response(text, { status, headers });
}
