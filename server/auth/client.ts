import { APIError } from "better-auth/api";
import { MESSAGES } from "../contract/messages";
import type { AuthGateway } from "../core/context";
import { DomainError } from "../core/errors";
import { profileMissing, refusedStatus } from "../core/procedures";
import { createSignedCookies } from "../core/signed-cookies";
import { createGoogleSignIn, type GoogleSignIn } from "./google";
import {
  ADDRESS_HEADER,
  createLibrary,
  type GoogleSettings,
  isSecure,
  type LibraryOptions,
  REFUSALS,
  sessionCookieName,
} from "./library";
import { confirmSession } from "./mutations";
import { hashPassword, verifyPassword, withHashSlot } from "./passwords";
import { findCredential } from "./queries";
import { browserCookie, createChallenge } from "./second-step";

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
  options: LibraryOptions & {
    google: GoogleSettings | null;
    closedTo: readonly string[];
    /** What one of these signed still counts. */
    formerSecrets: readonly string[];
  },
): AuthParts {
  const library = createLibrary(options, null);
  const google = createGoogleSignIn(options);
  const cookies = createSignedCookies([options.secret, ...options.formerSecrets]);
  const sessionCookie = sessionCookieName(options.publicUrl);

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
        const isConfirmed = checked !== null && (await confirmSession(options.db, checked, response));
        if (!isConfirmed) throw new DomainError("UNAUTHORIZED", MESSAGES.auth.signInFailed);
        return { userId: response.user.id, cookies: answer.getSetCookie() };
      } catch (error) {
        if (!(error instanceof APIError)) throw error;
        if (error.body?.code !== REFUSALS.codeRequired || !checked) throw refusalOf(error);
        const challenge = await createChallenge(options.db, { ...checked, rememberMe });
        if (challenge === null) throw new DomainError("UNAUTHORIZED", MESSAGES.auth.signInFailed);
        return { challenge };
      }
    },

    async finishSignIn({ userId, passwordHash, rememberMe, rememberedBrowser }, { headers: given, address }) {
      const headers = new Headers(given);
      headers.set(ADDRESS_HEADER, address);
      const answer = await library.api
        .finishSignIn({ body: { userId, rememberMe }, headers, returnHeaders: true })
        .catch((error: unknown) => {
          throw error instanceof APIError ? refusalOf(error) : error;
        });
      if (!(await confirmSession(options.db, { userId, passwordHash }, answer.response)))
        throw new DomainError("UNAUTHORIZED", MESSAGES.auth.signInFailed);
      const secure = isSecure(options.publicUrl);
      const remembered = rememberedBrowser === null ? [] : [browserCookie(rememberedBrowser, { secure })];
      return { cookies: [...answer.headers.getSetCookie(), ...remembered] };
    },

    async signOut(headers) {
      const { headers: answer } = await library.api.signOut({ headers: cookies.renew(headers), returnHeaders: true });
      return { cookies: answer.getSetCookie() };
    },

    startGoogle: google.start,
    handleGoogleCallback: (request, address) =>
      google.handleCallback(new Request(request, { headers: cookies.renew(request.headers) }), address),
    refusalPage: google.refusalPage,
    // Every call needs it: one HMAC, and one query for the session, cost a tenth of the library's own look-up.
    readToken: (headers) => cookies.read(headers, sessionCookie),
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
