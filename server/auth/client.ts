import { createHmac, timingSafeEqual } from "node:crypto";
import { APIError } from "better-auth/api";
import { MESSAGES } from "../contract/messages";
import type { AuthGateway } from "../core/context";
import { DomainError } from "../core/errors";
import { profileMissing, refusedStatus } from "../core/procedures";
import { createGoogleSignIn, type GoogleSignIn } from "./google";
import {
  ADDRESS_HEADER,
  createLibrary,
  type GoogleSettings,
  type LibraryOptions,
  REFUSALS,
  sessionCookieName,
} from "./library";
import { confirmSession } from "./mutations";
import { hashPassword, verifyPassword, withHashSlot } from "./passwords";
import { findCredential } from "./queries";

/** The gateway, plus what only the composition root uses. */
export interface AuthParts extends AuthGateway {
  /** The session token of a request, or null if it has none signed by this server. */
  readToken(headers: Headers): string | null;
  /** Handles the provider's redirect, the only path of the library that is mounted. */
  handleGoogleCallback: GoogleSignIn["handleCallback"];
  refusalPage: GoogleSignIn["refusalPage"];
}

/**
 * Wraps the auth library, which checks passwords and issues sessions and cookies. Procedures decide who may call it, how often,
 * and what errors say.
 */
export function createAuthGateway(
  options: LibraryOptions & { google: GoogleSettings | null; closedTo: readonly string[] },
): AuthParts {
  const library = createLibrary(options, null);
  const google = createGoogleSignIn(options);
  const cookie = { name: sessionCookieName(options.publicUrl), secret: options.secret };

  return {
    hashPassword,
    verifyPassword,
    withHashSlot,

    async signIn({ email, password, rememberMe }, { headers: given, address }) {
      const headers = new Headers(given);
      headers.set(ADDRESS_HEADER, address);
      const checked = await findCredential(options.db, { email });
      try {
        const { response, headers: answer } = await library.api.signInEmail({
          // No account has this address: a closed account answers like a wrong password, after the same time.
          body: { email: options.closedTo.includes(email) ? `closed.${email}` : email, password, rememberMe },
          headers,
          returnHeaders: true,
        });
        const isConfirmed =
          checked !== null &&
          (await confirmSession(options.db, { userId: checked.userId, checkedHash: checked.hash }, response));
        if (!isConfirmed) throw new DomainError("UNAUTHORIZED", MESSAGES.auth.signInFailed);
        return { userId: response.user.id, cookies: answer.getSetCookie() };
      } catch (error) {
        throw error instanceof APIError ? refusalOf(error) : error;
      }
    },

    async signOut(headers) {
      const { headers: answer } = await library.api.signOut({ headers, returnHeaders: true });
      return { cookies: answer.getSetCookie() };
    },

    startGoogle: google.start,
    handleGoogleCallback: google.handleCallback,
    refusalPage: google.refusalPage,
    readToken: (headers) => readSignedCookie(headers.get("cookie"), cookie),
  };
}

function refusalOf(error: APIError): DomainError | APIError {
  switch (error.body?.code) {
    case REFUSALS.pending:
      return refusedStatus("pending");
    case REFUSALS.refused:
      return refusedStatus("rejected");
    case REFUSALS.noProfile:
      return profileMissing();
    case "INVALID_EMAIL":
    case "INVALID_EMAIL_OR_PASSWORD":
      return new DomainError("UNAUTHORIZED", MESSAGES.auth.signInFailed);
    default:
      return error;
  }
}

/**
 * The value of a cookie signed by this server, or null. Every call needs it: one HMAC, and one query for the session, cost a
 * tenth of the library's own session lookup.
 */
function readSignedCookie(header: string | null, { name, secret }: { name: string; secret: string }): string | null {
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
