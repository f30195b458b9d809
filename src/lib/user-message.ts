import type { ErrorReason } from "@server/contract/error-reasons";
import { AUTH_MESSAGES } from "@server/contract/messages/auth";
import { GENERAL_MESSAGES } from "@server/contract/messages/general";
import type { AppRouter } from "@server/router";
import { isTRPCClientError, type TRPCClientError } from "@trpc/client";

/** How a session ends without its person. */
export type SessionEnd = "pending" | "rejected" | "profile" | "signed-out";

/** What each `?notice=` of /login says: why a session ended, how Google or a password reset went. */
export const NOTICES = {
  pending: AUTH_MESSAGES.pending,
  rejected: AUTH_MESSAGES.refused,
  profile: AUTH_MESSAGES.profileNotFound,
  google: AUTH_MESSAGES.googleSignInFailed,
  "google-signup": AUTH_MESSAGES.googleSignUpFailed,
  "signed-out": AUTH_MESSAGES.signedOut,
  reset: AUTH_MESSAGES.resetDone,
} as const;
export type Notice = keyof typeof NOTICES;
export const NOTICE_NAMES = [
  "pending",
  "rejected",
  "profile",
  "google",
  "google-signup",
  "signed-out",
  "reset",
] as const satisfies readonly Notice[];

/** The sentence to show for anything that was thrown: the server's own for a refusal, a general one for all else. */
export function messageOf(error: unknown): string {
  if (!isApiError(error)) return GENERAL_MESSAGES.internal;
  // Without data the answer never came, or came from something else than our server.
  if (!error.data) return GENERAL_MESSAGES.unreachable;
  if (error.data.kind !== "internal") return error.message;
  return [GENERAL_MESSAGES.internal, referenceOf(error) ?? ""].join(" ").trim();
}

/** What somebody can tell support about a fault of the server; null for everything else. */
export function referenceOf(error: unknown): string | null {
  const requestId = isApiError(error) ? error.data?.requestId : undefined;
  return requestId === undefined ? null : referenceText(requestId);
}

/** The same for an answer that was no call's. */
export function referenceText(requestId: string): string {
  return `Reference: ${requestId}`;
}

/** The first complaint about each field of the form; the fields of a patch are named as the form names them. */
export function fieldErrorsOf(error: unknown): Record<string, string> {
  const found: Record<string, string> = {};
  const fieldErrors = isApiError(error) ? error.data?.fieldErrors : undefined;
  for (const [path, [message]] of Object.entries(fieldErrors ?? {})) {
    if (message) found[path.replace(/^patch\./, "")] = message;
  }
  return found;
}

/** Whether the server understood and refused: asking again would bring the same answer. */
export function isRefusal(error: unknown): boolean {
  const status = isApiError(error) ? error.data?.httpStatus : undefined;
  return status !== undefined && status >= 400 && status < 500;
}

/** The code of a refusal, such as "CONFLICT"; undefined when the server gave none. */
export function codeOf(error: unknown): string | undefined {
  return isApiError(error) ? error.data?.code : undefined;
}

/** Why the server refused, where programs branch on it. */
export function reasonOf(error: unknown): ErrorReason | undefined {
  return isApiError(error) ? error.data?.reason : undefined;
}

/** How the session ended, for an error that says so; null for every other error, a wrong password among them. */
export function sessionEndOf(error: unknown): SessionEnd | null {
  const reason = reasonOf(error);
  return (reason && SESSION_ENDS[reason]) ?? null;
}

const SESSION_ENDS: Partial<Record<ErrorReason, SessionEnd>> = {
  "session-ended": "signed-out",
  "account-pending": "pending",
  "account-inactive": "rejected",
  "profile-missing": "profile",
};

function isApiError(error: unknown): error is TRPCClientError<AppRouter> {
  return isTRPCClientError<AppRouter>(error);
}
