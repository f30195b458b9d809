import { TRPCClientError } from "@trpc/client";
import { ClientError } from "./client-error";
import { isRecord } from "./is-record";

/** The error of this client for whatever tRPC threw. */
export function toClientError(thrown: unknown, path: string): ClientError {
  const details = thrown instanceof TRPCClientError && isRecord(thrown.data) ? thrown.data : null;
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (!details) return unanswered(thrown, path);
  const { code, kind, httpStatus, reason, retryAfterSeconds, fieldErrors, current, requestId } = details;
  return new ClientError(message, {
    path,
    cause: thrown,
    code: typeof code === "string" ? code : "INTERNAL_SERVER_ERROR",
    kind: kind === "domain" || kind === "validation" ? kind : "internal",
    httpStatus: typeof httpStatus === "number" ? httpStatus : null,
    reason: typeof reason === "string" ? reason : null,
    retryAfterSeconds: typeof retryAfterSeconds === "number" ? retryAfterSeconds : null,
    fieldErrors: isFieldErrors(fieldErrors) ? fieldErrors : {},
    current,
    requestId: typeof requestId === "string" ? requestId : null,
  });
}

/** The HTTP status of an answer that was no answer of the API, such as a proxy's page. */
export function strangeStatusOf(thrown: unknown): number | null {
  const cause = thrown instanceof TRPCClientError ? thrown.cause : undefined;
  return isRecord(cause) && typeof cause.code === "number" ? cause.code : null;
}

function unanswered(thrown: unknown, path: string): ClientError {
  const causes = [thrown, thrown instanceof Error ? thrown.cause : undefined];
  const isAborted = causes.some((cause) => cause instanceof Error && cause.name === "AbortError");
  const status = strangeStatusOf(thrown);
  const reason = status === null ? "no answer came" : `the answer was ${status}, and not the API's`;
  return new ClientError(isAborted ? `${path} was given up.` : `${path} could not be called: ${reason}.`, {
    path,
    cause: thrown,
    code: isAborted ? "ABORTED" : "UNREACHABLE",
    kind: "connection",
    httpStatus: status,
    reason: null,
    retryAfterSeconds: null,
    fieldErrors: {},
    current: undefined,
    requestId: null,
  });
}

function isFieldErrors(value: unknown): value is Record<string, string[]> {
  return isRecord(value) && Object.values(value).every((texts) => Array.isArray(texts));
}
