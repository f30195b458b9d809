import { MESSAGES } from "../contract/messages";
import type { AuthGateway, GoogleIntent } from "../core/context";
import { DomainError } from "../core/errors";
import { describeError } from "../core/logger";
import { ADDRESS_HEADER, createLibrary, type GoogleSettings, type LibraryOptions, REFUSALS } from "./library";

/** The redirect address registered with the provider, and the only path of the library that is mounted. */
export const GOOGLE_CALLBACK_PATH = "/api/auth/callback/google";
/** Redirects to /login with a notice for the library's error code. */
export const GOOGLE_REFUSED_PATH = "/api/auth/google/refused";

export interface GoogleSignIn {
  start: AuthGateway["startGoogle"];
  handleCallback(request: Request, address: string): Promise<Response>;
  /** The path of this site that a refused sign-in leads to. */
  refusalPage(query: URLSearchParams): string;
}

/** Sign-in with Google over OpenID Connect. Without settings it refuses every attempt and logs what is missing. */
export function createGoogleSignIn(options: LibraryOptions & { google: GoogleSettings | null }): GoogleSignIn {
  const { google, logger } = options;
  let library: ReturnType<typeof createLibrary> | null = null;

  /** Created on first use, because that fetches the provider's discovery document. */
  const connect = (settings: GoogleSettings) => {
    library ??= createLibrary(options, settings);
    return library;
  };

  return {
    async start({ intent, redirect, headers }) {
      const refused = new DomainError(
        "SERVICE_UNAVAILABLE",
        intent === "signUp" ? MESSAGES.auth.googleSignUpFailed : MESSAGES.auth.googleSignInFailed,
      );
      if (!google) {
        logger.warn("Google sign-in is not set up: GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET are missing");
        throw refused;
      }
      try {
        const { response, headers: answer } = await connect(google).api.signInSocial({
          body: {
            provider: "google",
            callbackURL: redirect === undefined ? "/login" : `/login?redirect=${encode(redirect)}`,
            errorCallbackURL: `${GOOGLE_REFUSED_PATH}?intent=${intent}`,
            disableRedirect: true,
          },
          headers,
          returnHeaders: true,
        });
        if (!response.url) throw new Error("the provider has no address to go to");
        return { url: response.url, cookies: answer.getSetCookie() };
      } catch (error) {
        // The discovery document may be what failed, so fetch it again next time.
        library = null;
        logger.warn("Google sign-in", describeError(error));
        throw refused;
      }
    },

    async handleCallback(request, address) {
      if (!google) return new Response("Not found", { status: 404 });
      const headers = new Headers(request.headers);
      headers.set(ADDRESS_HEADER, address);
      return connect(google).handler(new Request(request, { headers }));
    },

    refusalPage: (query) => `/login?notice=${noticeOf(query.get("error"), query.get("intent"))}`,
  };
}

/** The library accepts fewer unescaped characters in an address than browsers do. */
function encode(text: string): string {
  return encodeURIComponent(text).replace(/[!~*'()]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
}

function noticeOf(error: string | null, intent: string | null): string {
  switch (error) {
    case REFUSALS.pending:
      return "pending";
    case REFUSALS.refused:
      return "rejected";
    case REFUSALS.noProfile:
      return "profile";
    default:
      return intent === ("signUp" satisfies GoogleIntent) ? "google-signup" : "google";
  }
}
