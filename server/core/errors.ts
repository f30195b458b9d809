import { TRPCError } from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { type TRPC_ERROR_CODE_KEY, TRPC_ERROR_CODES_BY_KEY } from "@trpc/server/rpc";
import * as z from "zod/mini";
import { isUnavailable } from "../../db/deadlines";
import type { ErrorReason } from "../contract/error-reasons";
import { MESSAGES } from "../contract/messages";
import "./validation-sentences";

/** An error that the caller is meant to read: thrown where the rule lives, shown as it is. */
export class DomainError extends Error {
  override readonly name = "DomainError";
  readonly code: TRPC_ERROR_CODE_KEY;
  /** With a CONFLICT of versions: the row as it is now, in its view type. */
  readonly current: object | undefined;
  /** What programs branch on; the message is for people. */
  readonly reason: ErrorReason | undefined;
  /** When to try again, where time mends it; also sent as Retry-After. */
  readonly retryAfterSeconds: number | undefined;

  constructor(
    code: TRPC_ERROR_CODE_KEY,
    message: string,
    options: { current?: object; reason?: ErrorReason; retryAfterSeconds?: number } = {},
  ) {
    super(message);
    this.code = code;
    this.current = options.current;
    this.reason = options.reason;
    this.retryAfterSeconds = options.retryAfterSeconds;
  }
}

/** The header that says when to try again, if any call of a batch failed for now. */
export function retryAfter(errors: readonly { cause?: unknown }[]): Record<string, string> {
  const waits = errors.flatMap(({ cause }) => (cause instanceof DomainError ? (cause.retryAfterSeconds ?? []) : []));
  return waits.length > 0 ? { "retry-after": String(Math.max(...waits)) } : {};
}

/** The paths of an input's fields: `patch.dueDate`. */
export type FieldPath<Input> = Input extends object
  ? { [Key in keyof Input & string]: Key | PathBelow<Key, NonNullable<Input[Key]>> }[keyof Input & string]
  : never;
/** Sentences by field of an input. */
export type FieldErrorsOf<Input> = { [Path in FieldPath<Input>]?: string[] };
type PathBelow<Key extends string, Value> = Value extends readonly unknown[] ? never : `${Key}.${FieldPath<Value>}`;

/**
 * Input of the right shape that a rule refuses, with sentences by field: `{ "patch.dueDate": ["…"] }`. Made with the type of the
 * input, so that a renamed field does not compile.
 */
export class ValidationError<Input = never> extends Error {
  override readonly name = "ValidationError";
  readonly fieldErrors: FieldErrors;

  constructor(fieldErrors: FieldErrorsOf<Input>);
  constructor(fieldErrors: FieldErrors) {
    super(MESSAGES.general.invalid);
    this.fieldErrors = fieldErrors;
  }
}

export type FieldErrors = Record<string, string[]>;

/** What an error says besides its message. */
export interface ErrorDetails {
  kind: "domain" | "validation" | "internal";
  reason?: ErrorReason;
  retryAfterSeconds?: number;
  fieldErrors?: FieldErrors;
  current?: object;
  /** With a fault of the server or its database: under which the log has more. */
  requestId?: string;
}

/** The tRPC error for anything thrown; domain and validation errors keep their code, all else is internal. */
export function toTrpcError(thrown: unknown): TRPCError {
  if (thrown instanceof TRPCError) return isOurs(thrown) ? toTrpcError(thrown.cause) : thrown;
  if (thrown instanceof DomainError)
    return new TRPCError({ code: thrown.code, message: thrown.message, cause: thrown });
  if (thrown instanceof ValidationError)
    return new TRPCError({ code: "BAD_REQUEST", message: thrown.message, cause: thrown });
  if (isUnavailable(thrown)) return new TRPCError({ code: "SERVICE_UNAVAILABLE", cause: thrown });
  return new TRPCError({ code: "INTERNAL_SERVER_ERROR", cause: thrown });
}

/** Whether tRPC has wrapped an error of ours. */
function isOurs({ code, cause }: TRPCError): boolean {
  if (cause instanceof DomainError || cause instanceof ValidationError) return true;
  return code === "INTERNAL_SERVER_ERROR" && isUnavailable(cause);
}

/** What may leave the server about an error: a text and details. Everything unexpected is scrubbed. */
export function publicError(
  error: TRPCError,
  { requestId }: { requestId?: string | undefined } = {},
): { message: string; details: ErrorDetails } {
  const reference = requestId === undefined ? {} : { requestId };
  const { cause } = error;
  if (cause instanceof DomainError) {
    const { message, reason, retryAfterSeconds, current } = cause;
    return {
      message,
      details: {
        kind: "domain",
        ...(reason && { reason }),
        ...(retryAfterSeconds !== undefined && { retryAfterSeconds }),
        ...(current && { current }),
      },
    };
  }
  if (cause instanceof ValidationError) {
    return { message: cause.message, details: { kind: "validation", fieldErrors: cause.fieldErrors } };
  }
  if (error.code === "BAD_REQUEST" && cause instanceof z.core.$ZodError) {
    return { message: MESSAGES.general.invalid, details: { kind: "validation", fieldErrors: fieldErrorsOf(cause) } };
  }
  if (error.code === "INTERNAL_SERVER_ERROR") {
    return { message: MESSAGES.general.internal, details: { kind: "internal", ...reference } };
  }
  if (error.code === "SERVICE_UNAVAILABLE" && isUnavailable(cause)) {
    const details = { kind: "domain", reason: "database-unavailable", ...reference } as const;
    return { message: MESSAGES.general.databaseAway, details };
  }
  const reason = FRAMEWORK_REASONS[error.code];
  return {
    message: FRAMEWORK_MESSAGES[error.code] ?? MESSAGES.general.unreadable,
    details: { kind: "domain", ...(reason && { reason }) },
  };
}

/** The response for anything thrown outside a procedure, with the body that a procedure's refusal has. */
export function errorResponse(
  thrown: unknown,
  { headers = {}, requestId }: { headers?: Record<string, string>; requestId?: string | undefined } = {},
): Response {
  const error = toTrpcError(thrown);
  const status = getHTTPStatusCodeFromError(error);
  const body = errorBody({ ...publicError(error, { requestId }), code: error.code, status });
  return Response.json(body, { status, headers: { ...retryAfter([error]), ...headers } });
}

/** The same without envelopes, for what no client of procedures reads: `{ message, reason, … }`. */
export function plainErrorResponse(thrown: unknown, { requestId }: { requestId?: string | undefined } = {}): Response {
  const error = toTrpcError(thrown);
  const { message, details } = publicError(error, { requestId });
  const { kind: _, ...rest } = details;
  return Response.json(
    { message, ...rest },
    { status: getHTTPStatusCodeFromError(error), headers: retryAfter([error]) },
  );
}

interface Refusal {
  code: TRPC_ERROR_CODE_KEY;
  status: number;
  message: string;
  details: ErrorDetails;
}

/** The body that every refusal has over HTTP: tRPC's error in superjson's envelope. */
export function errorBody({ code, status: httpStatus, message, details }: Refusal) {
  const json = { message, code: TRPC_ERROR_CODES_BY_KEY[code], data: { code, httpStatus, ...details } };
  return { error: { json } };
}

/** For programs: the app itself sends nothing else. */
export const JSON_ONLY = "Send the input as JSON, with the header content-type: application/json.";

/** tRPC takes forms and bytes for any procedure; none of ours has a use for them. */
export function requireJson({ method, headers }: Request): void {
  const [type = ""] = (headers.get("content-type") ?? "").split(";");
  if (method === "GET" || type.trim().toLowerCase() === "application/json") return;
  throw new TRPCError({ code: "UNSUPPORTED_MEDIA_TYPE" });
}

/** Sentences for refusals of tRPC itself, whose own texts name procedures and parsers. */
const FRAMEWORK_MESSAGES: Partial<Record<TRPC_ERROR_CODE_KEY, string>> = {
  NOT_FOUND: MESSAGES.general.notFound,
  METHOD_NOT_SUPPORTED: MESSAGES.general.wrongMethod,
  UNAUTHORIZED: MESSAGES.auth.signedOut,
  FORBIDDEN: MESSAGES.general.notAllowed,
  TOO_MANY_REQUESTS: MESSAGES.general.tooMany,
  PAYLOAD_TOO_LARGE: MESSAGES.general.tooLarge,
  UNSUPPORTED_MEDIA_TYPE: JSON_ONLY,
};

const FRAMEWORK_REASONS: Partial<Record<TRPC_ERROR_CODE_KEY, ErrorReason>> = {
  UNAUTHORIZED: "session-ended",
  UNSUPPORTED_MEDIA_TYPE: "unsupported-media-type",
};

/** An input may have thousands of wrong fields, with names of any length; an answer names this many, and the start of each. */
const MAX_FIELDS = 20;
const MAX_FIELD_LENGTH = 200;

/** The first wrong fields, each with all that is wrong with it. */
function fieldErrorsOf(error: z.core.$ZodError): FieldErrors {
  const found = new Map<string, string[]>();
  const add = (path: PropertyKey[], text: string) => {
    // The transformer refuses to carry names that could reach a prototype.
    const name = path.map((key) => (RESERVED.has(key) ? "(reserved)" : String(key))).join(".");
    const field = name.slice(0, MAX_FIELD_LENGTH);
    const texts = found.get(field);
    if (texts && texts.length < MAX_FIELDS) texts.push(text);
    else if (!texts && found.size < MAX_FIELDS) found.set(field, [text]);
  };
  for (const issue of error.issues) {
    if (issue.code === "unrecognized_keys")
      for (const key of issue.keys.slice(0, MAX_FIELDS)) add([...issue.path, key], MESSAGES.validation.unknownField);
    else add(issue.path, issue.message);
  }
  return Object.fromEntries(found);
}

const RESERVED = new Set<PropertyKey>(["__proto__", "constructor", "prototype"]);
