import { createHmac, timingSafeEqual } from "node:crypto";
import { betterAuth } from "better-auth";
import { drizzleAdapter } from "better-auth/adapters/drizzle";
import { APIError } from "better-auth/api";
import { hashPassword, verifyPassword } from "better-auth/crypto";
import type { Db } from "../../db/client";
import * as schema from "../../db/schema";
import { MESSAGES } from "../contract/messages";
import type { AuthGateway } from "../core/context";
import { DomainError } from "../core/errors";
import type { Logger } from "../core/logger";
import { refusedStatus } from "../core/procedures";
import { findStatus } from "./queries";

const REMEMBERED_SECONDS = 30 * 24 * 3600;
const BROWSER_SESSION_SECONDS = 12 * 3600;
const COOKIE_PREFIX = "sangam";
/** Set by us on each call, so that no client can choose the address that its session shows. */
const ADDRESS_HEADER = "x-sangam-client-address";

interface Options {
  db: Db;
  secret: string;
  /** The origin that cookies belong to; https makes them `Secure`. */
  publicUrl: string;
  logger: Logger;
}

/**
 * The auth library behind our own doors: it checks passwords and issues sessions and cookies; who may call it, how often
 * and with what words is decided by the procedures. Its HTTP endpoints are not mounted.
 */
export function createAuthGateway({
  db,
  secret,
  publicUrl,
  logger,
}: Options): AuthGateway & { readToken(headers: Headers): string | null } {
  const secure = publicUrl.startsWith("https:");
  const cookieName = `${secure ? "__Secure-" : ""}${COOKIE_PREFIX}.session_token`;
  const auth = betterAuth({
    appName: "Sangam",
    baseURL: publicUrl,
    basePath: "/api/auth",
    secret,
    telemetry: { enabled: false },
    logger: { log: (level, message) => logger.debug("auth library", { level, text: message }) },
    database: drizzleAdapter(db, {
      provider: "pg",
      usePlural: true,
      schema,
      transaction: false,
    }),
    advanced: {
      database: { generateId: "uuid" },
      cookiePrefix: COOKIE_PREFIX,
      disableOriginCheck: false,
      useSecureCookies: secure,
      ipAddress: { ipAddressHeaders: [ADDRESS_HEADER] },
    },
    user: {
      fields: { image: "profileImgLink" },
      additionalFields: { username: { type: "string", required: true, input: false } },
    },
    session: { expiresIn: REMEMBERED_SECONDS, disableSessionRefresh: true },
    // The contract counts code points up to 128; the library counts UTF-16 units, so its own limit stays out of the way.
    emailAndPassword: { enabled: true, autoSignIn: false, minPasswordLength: 6, maxPasswordLength: 1024 },
    rateLimit: { enabled: false },
    databaseHooks: {
      session: {
        create: {
          // Every way in passes here, after the password: who is not active gets no session, and fails closed.
          before: async (session, call) => {
            const status = await findStatus(db, { id: session.userId });
            if (status !== "active") {
              throw new APIError("FORBIDDEN", {
                code: status ? STATUS_CODES[status] : "PROFILE_NOT_FOUND",
                message: "refused",
              });
            }
            if (call?.body?.rememberMe !== false) return;
            return { data: { ...session, expiresAt: new Date(Date.now() + BROWSER_SESSION_SECONDS * 1000) } };
          },
        },
      },
    },
  });
  return {
    hashPassword,
    verifyPassword,

    async signIn({ email, password, rememberMe }, { headers: given, address }) {
      const headers = new Headers(given);
      headers.set(ADDRESS_HEADER, address);
      try {
        const { response, headers: answer } = await auth.api.signInEmail({
          body: { email, password, rememberMe },
          headers,
          returnHeaders: true,
        });
        return { userId: response.user.id, cookies: answer.getSetCookie() };
      } catch (error) {
        throw error instanceof APIError ? refusalOf(error) : error;
      }
    },

    async signOut(headers) {
      const { headers: answer } = await auth.api.signOut({ headers, returnHeaders: true });
      return { cookies: answer.getSetCookie() };
    },

    readToken: (headers) => readSignedCookie(headers.get("cookie"), { name: cookieName, secret }),
  };
}

const STATUS_CODES = {
  active: "ACTIVE",
  pending: "ACCOUNT_PENDING",
  inactive: "ACCOUNT_REFUSED",
  rejected: "ACCOUNT_REFUSED",
} as const;

function refusalOf(error: APIError): DomainError | APIError {
  switch (error.body?.code) {
    case "ACCOUNT_PENDING":
      return refusedStatus("pending");
    case "ACCOUNT_REFUSED":
      return refusedStatus("rejected");
    case "PROFILE_NOT_FOUND":
      return new DomainError("FORBIDDEN", MESSAGES.auth.profileNotFound);
    case "INVALID_EMAIL":
    case "INVALID_EMAIL_OR_PASSWORD":
      return new DomainError("UNAUTHORIZED", MESSAGES.auth.signInFailed);
    default:
      return error;
  }
}

/**
 * The value of a cookie that this server signed, or null. The hot path of every call: one HMAC here and one query for the
 * session, a tenth of what the library's own session lookup costs.
 */
export function readSignedCookie(
  header: string | null,
  { name, secret }: { name: string; secret: string },
): string | null {
  const pair = header?.split(/;\s*/).find((part) => part.startsWith(`${name}=`));
  const decoded = pair && decode(pair.slice(name.length + 1));
  const at = decoded ? decoded.lastIndexOf(".") : -1;
  if (!decoded || at < 1) return null;
  const value = decoded.slice(0, at);
  const given = Buffer.from(decoded.slice(at + 1), "base64");
  const expected = createHmac("sha256", secret).update(value).digest();
  return given.length === expected.length && timingSafeEqual(given, expected) ? value : null;
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}
