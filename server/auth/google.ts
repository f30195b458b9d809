import { MESSAGES } from "../contract/messages";
import type { AuthGateway, GoogleIntent } from "../core/context";
import { DomainError } from "../core/errors";
import { describeError } from "../core/logger";
import {
  ADDRESS_HEADER,
  createLibrary,
  findCodeRequired,
  type GoogleSettings,
  type LibraryOptions,
  REFUSALS,
} from "./library";
import { createChallenge } from "./second-step";

/** The redirect address registered with the provider, and the only path of the library that is mounted. */
export const GOOGLE_CALLBACK_PATH = "/api/auth/callback/google";
/** Redirects to /login with a notice for the library's error code, and where the person was going. */
export const GOOGLE_REFUSED_PATH = "/api/auth/google/refused";

/** What begins with two slashes names another site. */
const OWN_PATH = /^\/(?![/\\])/;

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
      // Signing in by password leads to the own dashboard then.
      const wish = redirect && OWN_PATH.test(redirect) ? redirect : null;
      try {
        const { response, headers: answer } = await connect(google).api.signInSocial({
          body: {
            provider: "google",
            callbackURL: loginPath(wish),
            errorCallbackURL: `${GOOGLE_REFUSED_PATH}?intent=${intent}${wish ? `&redirect=${encode(wish)}` : ""}`,
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
      const call = new Request(request, { headers });
      const answer = await connect(google).handler(call);
      const userId = findCodeRequired(call);
      if (userId === null) return answer;
      const challenge = await createChallenge(options.db, { userId, rememberMe: true });
      // Behind the #, which browsers send nowhere.
      return redirectTo(`${loginPath(wishIn(answer))}#challenge=${challenge}`, answer);
    },

    refusalPage(query) {
      const wish = query.get("redirect");
      return `/login?notice=${noticeOf(query.get("error"), query.get("intent"))}${wish ? `&redirect=${encode(wish)}` : ""}`;
    },
  };
}

function loginPath(wish: string | null): string {
  return wish ? `/login?redirect=${encode(wish)}` : "/login";
}

/** Where the person of a refused sign-in was going. */
function wishIn({ headers }: Response): string | null {
  const [, query = ""] = (headers.get("location") ?? "").split("?");
  return new URLSearchParams(query).get("redirect");
}

function redirectTo(path: string, { headers: given, status }: Response): Response {
  const headers = new Headers(given);
  headers.set("location", path);
  return new Response(null, { status, headers });
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
