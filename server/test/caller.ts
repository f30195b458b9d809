import { createHash, randomUUID } from "node:crypto";
import type { SessionScope } from "@db/enums";
import { TRPCError } from "@trpc/server";
import type { Db } from "../../db/client";
import { makeSession } from "../../db/factories";
import { apiKeys } from "../../db/schema";
import { hasFreshProof } from "../auth/identity";
import { createLiveness } from "../auth/liveness";
import { deleteSession } from "../auth/mutations";
import { findSession } from "../auth/queries";
import type { ErrorReason } from "../contract/error-reasons";
import type { AuthGateway, Context, StreamTimes, SystemGateway, TokenJudge } from "../core/context";
import { type FieldErrors, publicError } from "../core/errors";
import { createLogger, type Logger } from "../core/logger";
import { createOutgoing } from "../core/outgoing";
import { createProcedureTimes } from "../core/procedure-times";
import type { Limits } from "../core/rate-limit";
import { createVault } from "../core/vault";
import type { AnnouncerOptions } from "../realtime/announcer";
import { createHub, type Hub } from "../realtime/hub";
import { createPostgresTransport } from "../realtime/listener";
import { sendPayloads } from "../realtime/notify";
import { createPresence, type Presence, type PresenceTimes } from "../realtime/presence";
import { STREAM_TIMES } from "../realtime/stream";
import type { Listener, Transport } from "../realtime/transport";
import { createCaller } from "../router";
import type { TestDatabase } from "./db";

/** The auth library's part that router tests need: a cheap hash, and no cookies. Signing in is tested over HTTP. */
const testAuth: AuthGateway = {
  hashPassword: async (password) => cheapHash(password),
  verifyPassword: async ({ password, hash }) => cheapHash(password) === hash,
  withHashSlot: (_address, work) => work(),
  signIn: () => Promise.reject(new Error("sign in over HTTP in tests")),
  finishSignIn: () => Promise.reject(new Error("sign in over HTTP in tests")),
  signOut: async () => ({ cookies: [] }),
  startGoogle: async () => ({ url: "https://accounts.example/", cookies: [] }),
};

/** Most tests ask for no state of servers. */
const testSystem: SystemGateway = {
  readStatus: () => Promise.reject(new Error("give the callers a system, to read its status")),
  sendTestMail: () => Promise.reject(new Error("give the callers a system, to send a test mail")),
};

/** Seals in these callers' tests. */
export const TEST_KEY = "a-key-of-the-tests-that-is-long-enough";
export const testVault = createVault([TEST_KEY]);

/** The hash of these callers' passwords. */
export function cheapHash(password: string): string {
  return createHash("sha256").update(password).digest("hex");
}

export interface TestCallers {
  hub: Hub;
  presence: Presence;
  anonymous: TestCaller;
  /** A caller with a real session row of that person. */
  as(user: { id: string }): Promise<TestCaller>;
  /** An API key of that person, made past all rules: what its session goes by, and what revokes it. */
  makeKey(user: { id: string }, scope: SessionScope): Promise<{ id: string; token: string }>;
  /** A caller with that very session token. */
  withToken(token: string): TestCaller;
}

export type TestCaller = ReturnType<typeof createCaller>;

/** In-process callers of the whole router on a real database, with sessions that are rows. */
export function createTestCallers(
  db: Db,
  {
    logger = createLogger({ level: "silent" }),
    limits = { check: async () => {}, consume: async () => {}, giveBack: async () => {}, sweep: async () => {} },
    github = { checkToken: async () => "accepted" },
    contactEmail = null,
    announce = (payloads) => sendPayloads(db, payloads),
    system = testSystem,
    presenceTimes,
    streamTimes = { ...STREAM_TIMES, heartbeatAfterMs: Number.POSITIVE_INFINITY },
  }: {
    logger?: Logger;
    limits?: Limits;
    github?: TokenJudge;
    contactEmail?: string | null;
    announce?: AnnouncerOptions["announce"];
    system?: SystemGateway;
    presenceTimes?: PresenceTimes;
    /** Without any, streams send no heartbeats here: nothing happens by itself. */
    streamTimes?: StreamTimes;
  } = {},
): TestCallers {
  const hub = createHub();
  const presence = createPresence({
    processId: randomUUID(),
    hub,
    announce,
    logger,
    ...(presenceTimes && { times: presenceTimes }),
  });
  const requireLive = createLiveness(db);
  const [procedureTimes, deliveryTimes] = [createProcedureTimes(), createProcedureTimes()];
  const callerWith = (token: string | null) => {
    const context: Context = {
      db,
      feed: hub,
      streamTimes,
      presence,
      auth: testAuth,
      vault: testVault,
      github,
      system,
      limits,
      outgoing: createOutgoing({ allowLoopback: true }),
      publicUrl: "http://localhost:3000",
      contactEmail,
      timeZone: "Asia/Kolkata",
      mail: { isConfigured: false, from: "Sangam <sangam@localhost>" },
      requestId: "of-a-test",
      address: "127.0.0.1",
      logger,
      tracing: null,
      procedureTimes,
      deliveryTimes,
      headers: new Headers(),
      setCookie: () => {},
      reply: null,
      session: async () => (token ? findSession(db, { token }) : null),
      requireLive,
      endSession: (sessionId) => deleteSession(db, { id: sessionId }),
      hasFreshProof: (sessionId) => hasFreshProof(db, { sessionId }),
    };
    return createCaller(context);
  };
  return {
    hub,
    presence,
    anonymous: callerWith(null),
    as: async (user) => callerWith((await makeSession(db, { userId: user.id })).token),
    async makeKey({ id: userId }, scope) {
      const session = await makeSession(db, { userId, scope, token: `key-${randomUUID()}` });
      await db.insert(apiKeys).values({ sessionId: session.id, name: "A key", lastFour: "abcd" });
      return session;
    },
    withToken: callerWith,
  };
}

/** Callers whose streams receive what any process notifies, as if these were a process of their own. */
export interface TestProcess extends TestCallers {
  listener: Listener;
}

/** Close its `listener` before the database. */
export async function startTestProcess(
  { db, connection }: Pick<TestDatabase, "db" | "connection">,
  {
    transport = createPostgresTransport({ db, connection, logger: createLogger({ level: "silent" }) }),
    ...options
  }: { transport?: Transport } & Parameters<typeof createTestCallers>[1] = {},
): Promise<TestProcess> {
  const callers = createTestCallers(db, { ...options, announce: (payloads) => transport.announce(payloads) });
  // Without the safety timer, which would bring within 15 s what nobody was notified of, and no test would notice.
  const hub = { ...callers.hub, resyncPart: () => {} };
  return { ...callers, listener: await transport.listen({ ...callers, hub }) };
}

/** A cursor behind all that has been notified so far, as that process has received it: it is a moment in milliseconds. */
export async function cursorNow({ hub }: Pick<TestCallers, "hub">): Promise<string> {
  await hub.missedSince(hub.cursor());
  await new Promise((resolve) => setTimeout(resolve, 2));
  return hub.cursor();
}

export interface Refusal {
  code: string;
  message: string;
  reason?: ErrorReason;
  fieldErrors?: FieldErrors;
  current?: object;
}

/** The refusal of a call, as it leaves the server; fails when the call succeeds. */
export async function refusal(call: Promise<unknown>): Promise<Refusal> {
  const error = await call.then(
    () => new Error("the call was not refused"),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof TRPCError)) throw error;
  const { message, details } = publicError(error);
  const { kind: _, ...rest } = details;
  return { code: error.code, message, ...rest };
}
