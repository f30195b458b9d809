import { MESSAGES } from "@server/contract/messages";
import type { AppRouter } from "@server/router";
import { isTRPCClientError, type TRPCClientError } from "@trpc/client";

/** Why somebody is sent to /login; the `?notice=` of its address. */
export const NOTICE_NAMES = ["pending", "rejected", "profile", "signed-out"] as const;
export type Notice = (typeof NOTICE_NAMES)[number];

/** What each notice says. */
export const NOTICES: Record<Notice, string> = {
  pending: MESSAGES.auth.pending,
  rejected: MESSAGES.auth.refused,
  profile: MESSAGES.auth.profileNotFound,
  "signed-out": MESSAGES.auth.signedOut,
};

/** The sentence to show for anything that was thrown: the server's own for a refusal, a general one for all else. */
export function messageOf(error: unknown): string {
  if (!isApiError(error)) return MESSAGES.general.internal;
  // Without data the answer never came, or came from something else than our server.
  if (!error.data) return MESSAGES.general.unreachable;
  return error.data.kind === "internal" ? MESSAGES.general.internal : error.message;
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

/** The notice for an error that means "this session is over"; null for every other error. */
export function noticeOf(error: unknown): Notice | null {
  const code = codeOf(error);
  if (code === "UNAUTHORIZED") return "signed-out";
  if (code !== "FORBIDDEN") return null;
  const text = messageOf(error);
  if (text === NOTICES.pending) return "pending";
  if (text === NOTICES.rejected) return "rejected";
  return text === NOTICES.profile ? "profile" : null;
}

function isApiError(error: unknown): error is TRPCClientError<AppRouter> {
  return isTRPCClientError<AppRouter>(error);
}
