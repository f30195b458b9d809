import { TRPCError } from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { MESSAGES } from "../../server/contract/messages";
import { RULES } from "../../server/core/rate-limit";
import type { DescribedError, Procedure } from "./read-procedures";

/** Who may call. */
export const ACCESS_LABELS: Record<Procedure["access"], string> = {
  anyone: "anyone, signed in or not",
  active: "every active account",
  browsers: "every active account in a browser, by no API key",
  employees: "users and admins",
  "clients-and-admins": "clients and admins",
  admins: "admins",
};

/** The errors that base procedures throw before a procedure looks at anything. */
export function sharedErrorsOf({
  access,
  kind,
  inputSchema,
}: Pick<Procedure, "access" | "kind" | "inputSchema">): DescribedError[] {
  const forKeys = access !== "anyone" && access !== "browsers";
  const shared: [boolean, Procedure["refusals"][number]["code"], string][] = [
    [inputSchema !== null, "BAD_REQUEST", MESSAGES.general.invalid],
    [access !== "anyone", "UNAUTHORIZED", MESSAGES.auth.signedOut],
    [access !== "anyone", "FORBIDDEN", MESSAGES.auth.pending],
    [access !== "anyone", "FORBIDDEN", MESSAGES.auth.refused],
    [forKeys && kind === "Mutation", "FORBIDDEN", MESSAGES.apiKeys.readsOnly],
    [access === "browsers", "FORBIDDEN", MESSAGES.apiKeys.notAllowed],
    [forKeys && access !== "active", "FORBIDDEN", MESSAGES.general.notAllowed],
    [true, "TOO_MANY_REQUESTS", MESSAGES.general.tooMany],
    [kind === "Subscription", "SERVICE_UNAVAILABLE", MESSAGES.general.readTimeout],
    [true, "INTERNAL_SERVER_ERROR", MESSAGES.general.internal],
  ];
  return shared.flatMap(([applies, code, sentence]) => (applies ? [{ code, sentence }] : []));
}

/** The HTTP status of a code, 400 for one that tRPC does not know. */
export function statusOf(code: string): number {
  const known = CODES.find((one) => one === code);
  return known ? getHTTPStatusCodeFromError(new TRPCError({ code: known })) : 400;
}

/** How many calls in how long, as text. */
export function limitOf({ access, limit, kind }: Procedure): string | null {
  if (access === "anyone") return null;
  const { points, seconds } = RULES[limit ?? (kind === "Mutation" ? "write" : "read")];
  return `${points.toLocaleString("en-GB")} in ${seconds === 60 ? "a minute" : `${seconds / 60} minutes`} for each person`;
}

const CODES = [
  "BAD_REQUEST",
  "UNAUTHORIZED",
  "FORBIDDEN",
  "NOT_FOUND",
  "CONFLICT",
  "PAYLOAD_TOO_LARGE",
  "UNSUPPORTED_MEDIA_TYPE",
  "UNPROCESSABLE_CONTENT",
  "TOO_MANY_REQUESTS",
  "INTERNAL_SERVER_ERROR",
  "SERVICE_UNAVAILABLE",
] as const;

/** How every call looks on the wire. */
export const WIRE_FORMAT = [
  "Send `Authorization: Bearer sgm_…` with a key made in Settings. A key acts with its owner's rights, except that it manages no keys, sessions, passwords and profiles (403, reason `api-key-not-allowed`); one of scope `read` is refused by every mutation.",
  'Queries are `GET /api/trpc/<procedure>?input=<URL-encoded JSON>`, mutations `POST /api/trpc/<procedure>` with a JSON body. Both carry their input as `{"json": input}`; a procedure without input wants none. An input outside that envelope is refused (400, reason `missing-envelope`), and so is a mutation of another content type than `application/json` (415, `unsupported-media-type`).',
  "An input is plain JSON. Of superjson's annotations only `Date` and `undefined` are read, each for a value at its own path; all others and `referentialEqualities` are refused (400, `unsupported-input`), as is an input of more than 10,000 values or 32 levels. A client that uses superjson by itself sends copies of a list or an object that it names twice.",
  'An answer is `{"result": {"data": {"json": value}}}`, superjson\'s envelope around plain JSON. Instants are ISO-8601 texts in UTC with milliseconds (`2026-11-20T10:42:00.000Z`), calendar days are `YYYY-MM-DD`, absent values are null; in a patch a missing key stays as it is and null clears.',
  "A refusal has the HTTP status of its code and the body of the schema `Error`: `data.kind` is `domain` (a rule, said in `message`), `validation` (`data.fieldErrors` holds sentences by field) or `internal`; with a `CONFLICT` of versions `data.current` is the row as it is now. `data.reason` says why where programs branch on it. 429, and 503 of a busy server, come with `Retry-After` and `data.retryAfterSeconds`; the sentence says when to try again.",
  "Subscriptions are server-sent events: `GET /api/trpc/<procedure>?input=…` with `Accept: text/event-stream`. Each event's `data` is `{\"json\": value}`; an event with an `id` can be resumed after it by the header `Last-Event-ID`. `event: ping` comes every 15 seconds; a refused stream answers with one `event: serialized-error`. The same path upgraded speaks tRPC's WebSocket protocol.",
  'Every subscription may also send `{"type": "heartbeat"}`, under the last id where its events have ids: at least every 20 seconds something comes, and the server has read by then. Whoever receives nothing for 45 seconds subscribes again, after the last id; the same after `SERVICE_UNAVAILABLE` with `data.reason` `read-timeout`. The typed client does so by itself and passes no heartbeat on.',
  'Up to ten queries, or ten mutations, go in one request: `/api/trpc/a,b?batch=1` with `{"0": {"json": …}, "1": {"json": …}}`; the answer is an array. A request has 256 KB at most.',
];
