import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { Hono } from "hono";
import { apiRoutes, type CallContext, ENDPOINT } from "./api-routes";
import type { AppOptions } from "./app-options";
import { createAuthGateway } from "./auth/client";
import { hasFreshProof } from "./auth/identity";
import { createLiveness } from "./auth/liveness";
import { deleteSession } from "./auth/mutations";
import { createSessionReader } from "./auth/session-reader";
import { startSessionRevocation } from "./auth/session-revocation";
import { backgroundJobs } from "./background-jobs";
import { FILES_PATH } from "./contract/files";
import { type Bindings, createAddressReader, createProxyTrust } from "./core/client-address";
import { createConnectionLimits } from "./core/connection-limits";
import type { Context } from "./core/context";
import { errorHandler } from "./core/error-page";
import { createEventStreams } from "./core/event-streams";
import { createFormPages } from "./core/form-pages";
import { keptBuildsIn } from "./core/kept-builds";
import { METRICS_PATH } from "./core/metrics";
import { ownOrigins } from "./core/origin";
import { createOutgoing } from "./core/outgoing";
import { createLimits } from "./core/rate-limit";
import { builtRenderer } from "./core/renderer";
import { createRequestIds, observeRequests } from "./core/request-ids";
import { bodyLimits, refuseLongHeaders } from "./core/request-limits";
import { vaultOf } from "./core/secrets";
import { securityHeaders } from "./core/security-headers";
import { createSockets } from "./core/sockets";
import { staticPages } from "./core/static-pages";
import { createFileDownloads } from "./files/download";
import { createImages } from "./files/images";
import { createPhotoDownloads } from "./files/photos";
import { createFileStore, uploadFolderOf } from "./files/stores";
import { createUploads } from "./files/upload";
import { createFirstAnswers } from "./first-answers";
import { formRoutes } from "./form-routes";
import { createAvatars } from "./github/avatars";
import { createGitHubClient } from "./github/client";
import { isLargePush, MAX_PUSH_BYTES } from "./github/webhook";
import { healthRoutes } from "./health-routes";
import { createJobHealth } from "./jobs/health";
import { startJobs } from "./jobs/runner";
import { createAppMetrics, createTimes } from "./metrics";
import { createEverythingDownload } from "./operations/export/download";
import { boundFeed } from "./realtime/hub";
import { startRealtime } from "./realtime/start";
import { STREAM_TIMES } from "./realtime/stream";
import { appRouter } from "./router";
import { startSystem } from "./system-services";

/** A page opens one or two. */
const STREAMS_PER_SOCKET = 50;
/** access.md, Limits: how long a connection without a session may last. */
const SESSIONLESS_MS = 10_000;

export interface App {
  fetch(request: Request, bindings?: Bindings): Response | Promise<Response>;
  /** What METRICS_PORT serves; null without metrics. */
  fetchMetrics: ((request: Request) => Response | Promise<Response>) | null;
  /** Serves WebSockets on the same port. */
  attach(server: Server): void;
  /** From now on /readyz answers 503, and no background job is begun. */
  announceStop(): void;
  /** Asks sockets and event streams to reconnect, one after the other. */
  endStreams(): Promise<void>;
  /** Ends sockets and listening; running HTTP calls go on. */
  close(): Promise<void>;
}

/** The composition root: every part of the server is made and wired here, and nowhere else. */
export async function createApp(options: AppOptions): Promise<App> {
  const { env, secrets, db, sessionDb = db, connection, logger, root, build = randomUUID(), tracing = null } = options;
  const { readPools = () => [], overdueMs = () => 0, streamTimes = STREAM_TIMES } = options;
  const { sessionlessMs = SESSIONLESS_MS, eventStreamMs: maxMs } = options.connectionTimes ?? {};
  const times = createTimes();
  const {
    hub,
    presence,
    isListening,
    close: closeRealtime,
  } = await startRealtime({ ...options, pubsubUrl: env.pubsubUrl });
  const auth = createAuthGateway({
    db,
    secret: secrets.betterAuthSecret,
    formerSecrets: secrets.oldBetterAuthSecrets,
    publicUrl: env.publicUrl,
    google: env.google,
    closedTo: options.closedTo,
    logger,
  });
  const limits = createLimits({ sql: options.sql, multiplier: env.rateLimitMultiplier });
  const isTrusted = createProxyTrust(env.trustedProxies);
  const requestIdOf = createRequestIds(isTrusted);
  const addressOf = createAddressReader(env.trustedProxies, { logger, isTrusted });
  const origins = ownOrigins(env);
  const requireLive = createLiveness(db);
  const vault = vaultOf(secrets);
  const github = createGitHubClient({ apiUrl: env.github.apiUrl });
  const outgoing = createOutgoing(env.outgoing);
  const background = backgroundJobs({ ...options, limits, presence, vault, github, outgoing });
  const jobs = startJobs(background.kinds, { feed: hub, logger, health: createJobHealth(db), tracing });

  const connections = createConnectionLimits();
  const metrics = await createAppMetrics({
    env,
    db,
    root,
    times,
    readPools,
    isListening,
    connections,
    hub,
    kinds: background.kinds,
  });
  const system = startSystem({
    ...{ env, db, root, logger, background, procedureTimes: times.procedures },
    countStreams: () => ({ sockets: connections.sockets.size(), eventStreams: connections.eventStreams.size() }),
    isListening,
  });

  const shared: Omit<Context, keyof CallContext | "logger"> = {
    limits,
    contactEmail: env.contactEmail,
    timeZone: env.timeZone,
    mail: { isConfigured: env.smtpUrl !== null, from: env.mailFrom },
    db,
    feed: hub,
    streamTimes,
    presence,
    auth,
    vault,
    github,
    outgoing,
    publicUrl: env.publicUrl,
    tracing,
    procedureTimes: times.procedures,
    deliveryTimes: times.deliveries,
    system,
    requireLive,
    endSession: (sessionId) => deleteSession(db, { id: sessionId }),
    hasFreshProof: (sessionId) => hasFreshProof(db, { sessionId }),
  };
  // A named property comes first: V8 makes a hidden class for each object that begins with a spread, 2 kB until a full collection.
  const contextFor = ({ requestId, ...call }: CallContext): Context => ({
    requestId,
    ...shared,
    ...call,
    logger: logger.with({ requestId }),
  });
  const sessions = createSessionReader({ db: sessionDb, readCookie: auth.readToken, logger });
  const sockets = createSockets({
    router: appRouter,
    endpoint: ENDPOINT,
    ownOrigins: origins,
    logger,
    ...sessions,
    addressOf,
    connections: connections.sockets,
    sessionlessMs,
    requestIdOf,
    // A connection outlives sessions and roles: each operation on it reads them afresh.
    createContext({ requestId, headers, socketAddress, ended }) {
      const address = addressOf(headers, socketAddress);
      const session = () => sessions.readSession(headers, address);
      const feed = boundFeed(hub, { maxStreams: STREAMS_PER_SOCKET, ended });
      return { ...contextFor({ requestId, headers, address, setCookie: null, session, reply: null }), feed };
    },
  });
  const eventStreams = createEventStreams({
    router: appRouter,
    connections: connections.eventStreams,
    logger,
    maxMs,
  });
  const revocation = startSessionRevocation({ db, feed: hub, connections: sockets, logger });
  const {
    routes: pages,
    scriptHashes,
    find,
    openApi,
  } = staticPages({
    root,
    publicUrl: env.publicUrl,
    keptBuilds: keptBuildsIn(env.dataDir),
    findVisitor: sessions.findVisitor,
    readFirst: createFirstAnswers({
      endpoint: ENDPOINT,
      ask: (path, headers, bindings) => api.request(path, { headers }, bindings),
    }),
    draw: builtRenderer(root, { file: "render-app", name: "renderApp" }),
  });
  const store = createFileStore(env);
  const limitedBody = bodyLimits({
    mayBeLarge: isLargePush,
    maxBytes: MAX_PUSH_BYTES,
    atOnce: 4,
    uploadPath: FILES_PATH,
  });
  const addressIn = (headers: Headers, { incoming }: Bindings) => addressOf(headers, incoming?.socket.remoteAddress);
  const downloadFile = createFileDownloads({ store });
  const api = apiRoutes({
    services: { db, limits, vitalTimes: times.vitals },
    sessionDb,
    auth,
    webhookSecret: env.github.webhookSecret,
    build,
    origins,
    limitedBody,
    openApi,
    addressOf: addressIn,
    liveCursor: hub.cursor,
    contextFor,
    sessions,
    upload: createUploads({
      ...{ store, images: createImages({ logger }) },
      folder: uploadFolderOf(env),
      quotaBytes: env.filesQuotaBytes,
    }),
    downloadFile,
    downloadPhoto: createPhotoDownloads(downloadFile),
    avatars: createAvatars({ apiUrl: env.github.apiUrl }),
    downloadEverything: createEverythingDownload({ connection, store }),
    eventStreams,
  });

  let isStopping = false;
  const app = new Hono<{ Bindings: Bindings }>();
  app.use(observeRequests(requestIdOf, { times: times.requests, tracing }));
  app.use(securityHeaders({ scriptHashes, https: env.publicUrl.startsWith("https:") }));
  app.onError(errorHandler(logger));
  app.route(
    "/",
    healthRoutes({ db, isListening, hasBus: env.pubsubUrl !== null, overdueMs, isStopping: () => isStopping }),
  );
  if (metrics && env.metrics.token !== null) app.get(METRICS_PATH, metrics.guarded(env.metrics.token));
  app.route("/", api);
  app.route(
    "/",
    formRoutes({
      services: { db, limits, logger, contactEmail: env.contactEmail },
      origins,
      limitedBody,
      formPages: createFormPages({ root, find }),
      addressOf: addressIn,
    }),
  );
  app.route("/", pages);

  return {
    fetch: (request, bindings) => app.fetch(request, bindings ?? {}),
    fetchMetrics: metrics?.open.fetch ?? null,
    attach(server) {
      refuseLongHeaders(server);
      sockets.attach(server);
    },
    announceStop() {
      isStopping = true;
      void jobs.close();
    },
    endStreams: async () => void (await Promise.all([sockets.drain(), eventStreams.drain()])),
    async close() {
      sockets.close();
      await Promise.all([revocation.close(), jobs.close(), system.close()]);
      await closeRealtime();
    },
  };
}
