import { randomUUID } from "node:crypto";
import type { Server } from "node:http";
import { Hono } from "hono";
import { type Connection, type Db, isReachable, type Sql } from "../db/client";
import { apiRoutes, type CallContext, ENDPOINT } from "./api-routes";
import { createAuthGateway } from "./auth/client";
import { hasFreshProof } from "./auth/identity";
import { createLiveness } from "./auth/liveness";
import { createAccountMails } from "./auth/mails";
import { deleteSession } from "./auth/mutations";
import { createSessionReader } from "./auth/session-reader";
import { startSessionRevocation } from "./auth/session-revocation";
import { createUnreadMails, unreadMailKind } from "./chat/unread-mail";
import { type Bindings, createAddressReader } from "./core/client-address";
import { createConnectionLimits } from "./core/connection-limits";
import type { Context, StreamTimes } from "./core/context";
import { measureDisks } from "./core/disk";
import type { Env } from "./core/env";
import { errorResponse } from "./core/errors";
import { createEventStreams } from "./core/event-streams";
import { createFormPages } from "./core/form-pages";
import { describeError, type Logger } from "./core/logger";
import { ownOrigins } from "./core/origin";
import { createLimits } from "./core/rate-limit";
import { builtRenderer } from "./core/renderer";
import { bodyLimits, refuseLongHeaders } from "./core/request-limits";
import { type Secrets, vaultOf } from "./core/secrets";
import { securityHeaders } from "./core/security-headers";
import { createSockets } from "./core/sockets";
import { staticPages } from "./core/static-pages";
import { createFirstAnswers } from "./first-answers";
import { formRoutes } from "./form-routes";
import { createGitHubClient } from "./github/client";
import { repositoryKinds } from "./github/jobs";
import { isLargePush, MAX_PUSH_BYTES } from "./github/webhook";
import { createInquiryMails } from "./inquiries/mails";
import { createInvitationMails } from "./invitations/mails";
import { createJobHealth } from "./jobs/health";
import { recurringJob } from "./jobs/recurring";
import { deleteExpired, OUTBOX_DAYS } from "./jobs/retention";
import { startJobs } from "./jobs/runner";
import { createMailTransport, sweepOutbox } from "./mail/client";
import { type MailComposer, mailKind } from "./mail/jobs";
import { conditionOf, INQUIRY_TEMPLATE, INVITATION_TEMPLATE, UNREAD_TEMPLATE } from "./mail/templates";
import { nightlyBackup } from "./operations/backup/nightly";
import { backupSource } from "./operations/commands";
import { createEverythingDownload } from "./operations/export/download";
import { boundFeed, createHub } from "./realtime/hub";
import { startListener } from "./realtime/listener";
import { sendPayloads } from "./realtime/notify";
import { createPresence } from "./realtime/presence";
import { STREAM_TIMES } from "./realtime/stream";
import { appRouter } from "./router";
import { conditionKind } from "./system/conditions";
import { createConditionMails } from "./system/mails";
import { repairTaskTotals } from "./tasks/totals";

/** A page opens one or two. */
const STREAMS_PER_SOCKET = 50;
/** access.md, Limits: how long a connection without a session may last. */
const SESSIONLESS_MS = 10_000;

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
    | "timeZone"
    | "dataDir"
    | "github"
    | "backup"
  >;
  secrets: Secrets;
  db: Db;
  /**
   * For the read of a session that every call begins with; `db` when left out. Over one connection those of calls that come
   * together are one write, which wakes PostgreSQL up once: that costs Node.js more than anything else of a small call.
   */
  sessionDb?: Db;
  /** The plain client of the same pool. */
  sql: Sql;
  /** Of the same pool: how long a call has been pending past its deadline. */
  overdueMs?: () => number;
  connection: Connection;
  logger: Logger;
  /** E-mails that may not sign in, and answer like a wrong password: the demo's, outside the demo. */
  closedTo: readonly string[];
  /** The checkout, with `dist/` below it; and which build it runs, without which no two processes agree on a tag. */
  root: string;
  build?: string | undefined;
  /** For tests: other times for connections than the product's. */
  connectionTimes?: { sessionlessMs?: number; eventStreamMs?: number };
  /** Other than the product's: for tests. */
  streamTimes?: StreamTimes;
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
  sessionDb = db,
  sql,
  overdueMs = () => 0,
  connection,
  logger,
  root,
  closedTo,
  build = randomUUID(),
  connectionTimes: { sessionlessMs = SESSIONLESS_MS, eventStreamMs: maxMs } = {},
  streamTimes = STREAM_TIMES,
}: AppOptions): Promise<App> {
  const hub = createHub();
  const announce = (payloads: string[]) => sendPayloads(db, payloads);
  const presence = createPresence({ processId: randomUUID(), hub, announce, logger });
  const listener = await startListener({ connection, hub, presence, logger });
  const auth = createAuthGateway({
    db,
    secret: secrets.betterAuthSecret,
    formerSecrets: secrets.oldBetterAuthSecrets,
    publicUrl: env.publicUrl,
    google: env.google,
    closedTo,
    logger,
  });
  const limits = createLimits({ sql, multiplier: env.rateLimitMultiplier });
  const addressOf = createAddressReader(env.trustedProxies, { logger });
  const origins = ownOrigins(env);
  const requireLive = createLiveness(db);
  const vault = vaultOf(secrets);
  const github = createGitHubClient({ apiUrl: env.github.apiUrl });
  const compose = createComposer({ db, publicUrl: env.publicUrl });
  const housekeeping = () =>
    Promise.all([
      deleteExpired(db),
      sweepOutbox(env.dataDir, { days: OUTBOX_DAYS }),
      limits.sweep(),
      repairTaskTotals(db),
    ]);
  const kinds = [
    mailKind(db, { compose, transport: createMailTransport({ ...env, logger }) }),
    unreadMailKind(db, { presence }),
    ...repositoryKinds({ db, logger, vault, github }),
    recurringJob(db, { name: "housekeeping", everySeconds: 3_600, work: housekeeping }),
  ];
  const watched = {
    db,
    logger,
    closedTo,
    kinds,
    measureDisks: () => measureDisks([env.dataDir, ...(env.backup.dir === null ? [] : [env.backup.dir])]),
    hasNightlyBackups: env.backup.dir !== null,
  };
  // Nightly backups are watched by what is recorded of them.
  const unwatched = [...nightlyBackups({ env, secrets, db, connection, root }), conditionKind(watched)];
  const jobs = startJobs([...kinds, ...unwatched], { feed: hub, logger, health: createJobHealth(db) });

  const shared: Omit<Context, keyof CallContext> = {
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
    logger,
    requireLive,
    endSession: (sessionId) => deleteSession(db, { id: sessionId }),
    hasFreshProof: (sessionId) => hasFreshProof(db, { sessionId }),
  };
  // A named property comes first: V8 makes a hidden class for each object that begins with a spread, 2 kB until a full collection.
  const contextFor = ({ headers, ...call }: CallContext): Context => ({ headers, ...shared, ...call });
  const sessions = createSessionReader({ db: sessionDb, readCookie: auth.readToken, logger });
  const connections = createConnectionLimits();
  const sockets = createSockets({
    router: appRouter,
    endpoint: ENDPOINT,
    ownOrigins: origins,
    logger,
    ...sessions,
    addressOf,
    connections: connections.sockets,
    sessionlessMs,
    // A connection outlives sessions and roles: each operation on it reads them afresh.
    createContext({ headers, socketAddress, ended }) {
      const address = addressOf(headers, socketAddress);
      const session = () => sessions.readSession(headers, address);
      const feed = boundFeed(hub, { maxStreams: STREAMS_PER_SOCKET, ended });
      return { ...contextFor({ headers, address, setCookie: null, session, reply: null }), feed };
    },
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
    findVisitor: sessions.findVisitor,
    readFirst: createFirstAnswers({
      endpoint: ENDPOINT,
      ask: (path, headers, bindings) => api.request(path, { headers }, bindings),
    }),
    draw: builtRenderer(root, { file: "render-app", name: "renderApp" }),
  });
  const limitedBody = bodyLimits({ mayBeLarge: isLargePush, maxBytes: MAX_PUSH_BYTES, atOnce: 4 });
  const addressIn = (headers: Headers, { incoming }: Bindings) => addressOf(headers, incoming?.socket.remoteAddress);
  const api = apiRoutes({
    services: { db, limits },
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
    downloadEverything: createEverythingDownload({ connection, dataDir: env.dataDir }),
    admitEventStream: createEventStreams({ router: appRouter, connections: connections.eventStreams, logger, maxMs }),
  });

  const app = new Hono<{ Bindings: Bindings }>();
  app.use(securityHeaders({ scriptHashes, https: env.publicUrl.startsWith("https:") }));
  app.onError((error) => {
    const answer = errorResponse(error);
    if (answer.status >= 500) logger.error("request", describeError(error));
    return answer;
  });
  app.get("/healthz", (c) => c.json({ ok: true }));
  app.get("/readyz", async (c) => {
    const [database, listening] = await Promise.all([isReachable(db), listener.isWell()]);
    const parts = { database, listener: listening, pool: overdueMs() === 0 };
    return c.json(parts, Object.values(parts).every(Boolean) ? 200 : 503);
  });
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
    attach(server) {
      refuseLongHeaders(server);
      sockets.attach(server);
    },
    async close() {
      sockets.close();
      await Promise.all([revocation.close(), jobs.close(), presence.close()]);
      await listener.close();
    },
  };
}

/** Where BACKUP_DIR says to. */
function nightlyBackups({ db, env, ...rest }: Pick<AppOptions, "db" | "env" | "secrets" | "connection" | "root">) {
  const { dir, keep } = env.backup;
  if (dir === null) return [];
  return [nightlyBackup(db, { dir, keep, timeZone: env.timeZone, source: backupSource({ env, ...rest }) })];
}

/** Each mail is written by the module that it is about. */
function createComposer(options: { db: Db; publicUrl: string }): MailComposer {
  const composeUnread = createUnreadMails(options);
  const composeInquiry = createInquiryMails(options);
  const composeCondition = createConditionMails(options);
  const composeInvitation = createInvitationMails(options);
  const composeAccount = createAccountMails(options);
  return (job) => {
    if (conditionOf(job.template) !== null) return composeCondition(job);
    if (job.template === UNREAD_TEMPLATE) return composeUnread(job);
    if (job.template === INVITATION_TEMPLATE) return composeInvitation(job);
    return job.template === INQUIRY_TEMPLATE ? composeInquiry(job) : composeAccount(job);
  };
}
