import type { Account, BetterAuthOptions, BetterAuthPlugin, Session, User, Verification } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { APIError, createAuthEndpoint } from "better-auth/api";
import { setSessionCookie } from "better-auth/cookies";
// Without the library's own access to databases, which its other entry loads at every start.
import { betterAuth } from "better-auth/minimal";
import { genericOAuth } from "better-auth/plugins/generic-oauth";
import * as z from "zod/mini";
import type { Db } from "../../db/client";
import { accounts, sessions, users, verifications } from "../../db/schema";
import { columnsOf } from "../../db/writes";
import { lineOf } from "../contract/shown-text";
import type { Logger } from "../core/logger";
import { claimUsername } from "./mutations";
import { hashPassword, verifyPassword } from "./passwords";
import type { findStatus } from "./queries";
import { findSignInState } from "./second-step";
import { isProvisional, provisionalUsername } from "./username";

const REMEMBERED_SECONDS = 30 * 24 * 3600;
const BROWSER_SESSION_SECONDS = 12 * 3600;
const COOKIE_PREFIX = "sangam";

/** Set by the server on every call, so that a client cannot choose the address shown for its session. */
export const ADDRESS_HEADER = "x-sangam-client-address";

/** Error codes of the sign-ins that the hooks below refuse. client.ts and google.ts map them to messages. */
export const REFUSALS = {
  pending: "ACCOUNT_PENDING",
  refused: "ACCOUNT_REFUSED",
  noProfile: "PROFILE_NOT_FOUND",
  unverified: "EMAIL_NOT_VERIFIED",
  /** For whom: findCodeRequired. */
  codeRequired: "TWO_FACTOR_REQUIRED",
} as const;

export interface LibraryOptions {
  db: Db;
  secret: string;
  /** The origin that cookies belong to; https makes them `Secure`. */
  publicUrl: string;
  logger: Logger;
}

export interface GoogleSettings {
  clientId: string;
  clientSecret: string;
  /** Base URL of the discovery document, `/.well-known/openid-configuration`. */
  issuer: string;
}

/** Name of the session cookie, as the library sets it. */
export function sessionCookieName(publicUrl: string): string {
  return `${isSecure(publicUrl) ? "__Secure-" : ""}${COOKIE_PREFIX}.session_token`;
}

/** The library reads columns by name. This type lists the names, so that renaming one of the columns fails to compile. */
const TABLES: {
  users: Record<Exclude<keyof User, "image">, object>;
  sessions: Record<keyof Session, object>;
  accounts: Record<keyof Account, object>;
  verifications: Record<keyof Verification, object>;
} = { users, sessions, accounts, verifications };

/** better-auth with the app's tables and rules. With Google settings, creating it fetches the provider's discovery document. */
export function createLibrary({ db, secret, publicUrl, logger }: LibraryOptions, google: GoogleSettings | null) {
  return betterAuth({
    appName: "Sangam",
    baseURL: publicUrl,
    basePath: "/api/auth",
    secret,
    telemetry: { enabled: false },
    logger: { log: (level, message) => logger.debug("auth library", { level, text: message }) },
    onAPIError: { errorURL: `${publicUrl}/login?notice=google` },
    database: drizzleAdapter(db, { provider: "pg", usePlural: true, schema: TABLES, transaction: false }),
    advanced: {
      database: { generateId: "uuid" },
      cookiePrefix: COOKIE_PREFIX,
      disableOriginCheck: false,
      useSecureCookies: isSecure(publicUrl),
      // The library takes no network for an address, and of IPv6 it is given networks: the session hook below stores them.
      ipAddress: { disableIpTracking: true },
    },
    user: {
      fields: { image: "profileImgLink" satisfies keyof typeof users.$inferSelect },
      additionalFields: columnsOf(users, {
        username: { type: "string", required: false, input: false },
        displayName: { type: "string", required: false, input: false },
        accessLevel: { type: "string", required: false, input: false },
      }),
    },
    session: { expiresIn: REMEMBERED_SECONDS, disableSessionRefresh: true },
    // The contract allows 128 code points. The library counts UTF-16 units, so its own limit is set higher.
    emailAndPassword: {
      enabled: true,
      autoSignIn: false,
      minPasswordLength: 6,
      maxPasswordLength: 1024,
      password: { hash: hashPassword, verify: verifyPassword },
    },
    // A local account with an unverified email is never linked: somebody else may have registered it.
    // The provider's tokens are not needed after sign-in, so they are neither stored (hooks) nor updated.
    account: {
      updateAccountOnSignIn: false,
      accountLinking: { enabled: true, requireLocalEmailVerified: true },
    },
    rateLimit: { enabled: false },
    plugins: [secondStep, ...(google ? [googleProvider(google)] : [])],
    databaseHooks: hooks(db),
  });
}

const SECOND_STEP_PATH = "/second-step";

/** Issues the session of a sign-in whose code a procedure has checked. The server calls it; no address leads to it. */
const secondStep = {
  id: "second-step",
  endpoints: {
    finishSignIn: createAuthEndpoint(
      SECOND_STEP_PATH,
      {
        method: "POST",
        body: z.object({ userId: z.string(), rememberMe: z.boolean() }),
        metadata: { SERVER_ONLY: true },
      },
      async (call) => {
        const { userId, rememberMe } = call.body;
        const { internalAdapter } = call.context;
        const user = await internalAdapter.findUserById(userId);
        if (!user) throw new APIError("FORBIDDEN", { code: REFUSALS.noProfile, message: "refused" });
        const session = await internalAdapter.createSession(userId, !rememberMe);
        await setSessionCookie(call, { session, user }, !rememberMe);
        return { token: session.token };
      },
    ),
  },
} satisfies BetterAuthPlugin;

function googleProvider({ clientId, clientSecret, issuer }: GoogleSettings) {
  return genericOAuth({
    config: [
      {
        providerId: "google",
        clientId,
        clientSecret,
        discoveryUrl: `${issuer.replace(/\/$/, "")}/.well-known/openid-configuration`,
        scopes: ["openid", "email", "profile"],
        pkce: true,
        requireIdTokenVerification: true,
      },
    ],
  });
}

function hooks(db: Db): NonNullable<BetterAuthOptions["databaseHooks"]> {
  return {
    user: {
      create: {
        // The library creates users for Google sign-ins only. The sign-up form inserts its own rows.
        async before(user) {
          if (!user.emailVerified) throw new APIError("FORBIDDEN", { code: REFUSALS.unverified, message: "refused" });
          const name = [...(lineOf(user.name) || user.email)].slice(0, 100).join("");
          const email = user.email.toLowerCase();
          const profile = { name, email, displayName: name, username: provisionalUsername(), accessLevel: "user" };
          // Pages show no picture from another host.
          return { data: { ...user, image: null, ...columnsOf(users, profile) } };
        },
      },
    },
    account: {
      create: {
        // The provider's tokens are not needed after sign-in.
        before: async (account) => ({
          data: { ...account, ...columnsOf(accounts, { accessToken: null, refreshToken: null, idToken: null }) },
        }),
      },
    },
    session: {
      create: {
        // Every sign-in comes through here after its credentials are checked. Only active accounts get a session.
        async before(session, call) {
          const { userId: id } = session;
          const { status, username, asksForCode } = await findSignInState(db, { id, headers: call?.headers });
          // Here and not once the user is made: after a restart in between the next sign-in makes up for it.
          if (username !== null && isProvisional(username))
            await claimUsername(db, { userId: id, provisional: username });
          if (status !== "active") throw new APIError("FORBIDDEN", { code: refusalCode(status), message: "refused" });
          if (asksForCode && call?.path !== SECOND_STEP_PATH) {
            if (call?.request) codeRequired.set(call.request, id);
            throw new APIError("FORBIDDEN", { code: REFUSALS.codeRequired, message: "refused" });
          }
          const ipAddress = call?.headers?.get(ADDRESS_HEADER) ?? null;
          const expiresAt =
            call?.body?.rememberMe === false
              ? new Date(Date.now() + BROWSER_SESSION_SECONDS * 1000)
              : session.expiresAt;
          return { data: { ...session, ...columnsOf(sessions, { ipAddress, expiresAt }) } };
        },
      },
    },
  };
}

const codeRequired = new WeakMap<Request, string>();

/**
 * Whose sign-in this very request has proven up to the code that they are asked for; null when it has not. The answer's own words
 * prove nothing: the library repeats errors of the provider's redirect, which anybody can write.
 */
export function findCodeRequired(request: Request): string | null {
  return codeRequired.get(request) ?? null;
}

function refusalCode(status: Awaited<ReturnType<typeof findStatus>>): string {
  if (status === null) return REFUSALS.noProfile;
  return status === "pending" ? REFUSALS.pending : REFUSALS.refused;
}

/** Whether cookies go over https only. */
export function isSecure(publicUrl: string): boolean {
  return publicUrl.startsWith("https:");
}
