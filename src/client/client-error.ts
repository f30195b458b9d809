/**
 * Who refused: "domain" a rule of the product, told in `message`; "validation" a field, told in `fieldErrors`; "internal" a
 * fault of the server; "connection" nobody, since no answer came.
 */
export type ErrorKind = "domain" | "validation" | "internal" | "connection";

interface ErrorDetails {
  code: string;
  kind: ErrorKind;
  httpStatus: number | null;
  reason: string | null;
  retryAfterSeconds: number | null;
  fieldErrors: Record<string, string[]>;
  current: unknown;
  requestId: string | null;
  path: string;
  cause: unknown;
}

/** What every call of the client fails with. `message` is the server's own sentence. */
export class ClientError extends Error {
  override readonly name = "ClientError";
  /** tRPC's word, such as "NOT_FOUND"; "UNREACHABLE" when no answer came, "ABORTED" when the caller gave up. */
  readonly code: string;
  readonly kind: ErrorKind;
  /** Null when no answer came. */
  readonly httpStatus: number | null;
  /** A stable word to branch on, such as "stale-version"; null where the code says enough. */
  readonly reason: string | null;
  /** When to try again, with a refusal that passes by itself; else null. */
  readonly retryAfterSeconds: number | null;
  /** By field, such as `patch.dueDate`; empty unless the kind is "validation". */
  readonly fieldErrors: Record<string, string[]>;
  /** With a CONFLICT of versions: the row as it is now. */
  readonly current: unknown;
  /** With a fault of the server: under which its log has more; else null. */
  readonly requestId: string | null;
  /** The procedure, such as `projects.list`. */
  readonly path: string;

  constructor(message: string, { cause, ...details }: ErrorDetails) {
    super(message, { cause });
    this.code = details.code;
    this.kind = details.kind;
    this.httpStatus = details.httpStatus;
    this.reason = details.reason;
    this.retryAfterSeconds = details.retryAfterSeconds;
    this.fieldErrors = details.fieldErrors;
    this.current = details.current;
    this.requestId = details.requestId;
    this.path = details.path;
  }
}

/** Whether something that was thrown is a refusal of the server or a failure to reach it; with a code, that one. */
export function isClientError(thrown: unknown, code?: string): thrown is ClientError {
  return thrown instanceof ClientError && (code === undefined || thrown.code === code);
}
