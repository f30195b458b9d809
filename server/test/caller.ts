import { createHash, randomUUID } from "node:crypto";
import { TRPCError } from "@trpc/server";
import type { Db } from "../../db/client";
import { makeSession } from "../../db/factories";
import { createLiveness } from "../auth/liveness";
import { deleteSession, findSession } from "../auth/queries";
import type { AuthGateway, Context } from "../core/context";
import { type FieldErrors, publicError } from "../core/errors";
import { createLogger, type Logger } from "../core/logger";
import { createHub, type Hub } from "../realtime/hub";
import { createCaller } from "../router";

/** The auth library's part that router tests need: a cheap hash, and no cookies. Signing in is tested over HTTP. */
const testAuth: AuthGateway = {
  hashPassword: async (password) => createHash("sha256").update(password).digest("hex"),
  signIn: () => Promise.reject(new Error("sign in over HTTP in tests")),
  signOut: async () => ({ cookies: [] }),
};

export interface TestCallers {
  hub: Hub;
  anonymous: TestCaller;
  /** A caller with a real session row of that person. */
  as(user: { id: string }): Promise<TestCaller>;
  /** A caller with that very session token. */
  withToken(token: string): TestCaller;
}

export type TestCaller = ReturnType<typeof createCaller>;

/** In-process callers of the whole router on a real database, with sessions that are rows. */
export function createTestCallers(
  db: Db,
  { logger = createLogger({ level: "silent" }) }: { logger?: Logger } = {},
): TestCallers {
  const hub = createHub();
  const requireLive = createLiveness(db);
  const callerWith = (token: string | null) => {
    const context: Context = {
      db,
      feed: hub,
      auth: testAuth,
      logger,
      requestId: randomUUID(),
      headers: new Headers(),
      setCookie: () => {},
      session: async () => (token ? findSession(db, { token }) : null),
      requireLive,
      endSession: (sessionId) => deleteSession(db, { id: sessionId }),
    };
    return createCaller(context);
  };
  return {
    hub,
    anonymous: callerWith(null),
    as: async (user) => callerWith((await makeSession(db, { userId: user.id })).token),
    withToken: callerWith,
  };
}

export interface Refusal {
  code: string;
  message: string;
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
  const { kind: _, ...told } = details;
  return { code: error.code, message, ...told };
}
