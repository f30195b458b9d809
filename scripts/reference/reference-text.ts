import { TRPCError } from "@trpc/server";
import { getHTTPStatusCodeFromError } from "@trpc/server/http";
import { MESSAGES } from "../../server/contract/messages";
import { JSON_ONLY } from "../../server/core/errors";
import { RULES } from "../../server/core/rate-limit";
import type { DescribedError, Procedure } from "./read-procedures";

/** Who may call. */
export const ACCESS_LABELS: Record<Procedure["access"], string> = {
  anyone: "anyone, signed in or not",
  active: "every active account",
  browsers: "every active account in a browser, by no API key",
  employees: "users and admins",
  clients: "clients",
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
    [kind === "Mutation", "FORBIDDEN", MESSAGES.general.foreignOrigin],
    [access !== "anyone", "UNAUTHORIZED", MESSAGES.auth.signedOut],
    [access !== "anyone", "FORBIDDEN", MESSAGES.auth.pending],
    [access !== "anyone", "FORBIDDEN", MESSAGES.auth.refused],
    [forKeys && kind === "Mutation", "FORBIDDEN", MESSAGES.apiKeys.readsOnly],
    [access === "browsers", "FORBIDDEN", MESSAGES.apiKeys.notAllowed],
    [forKeys && access !== "active", "FORBIDDEN", MESSAGES.general.notAllowed],
    [kind === "Mutation", "PAYLOAD_TOO_LARGE", MESSAGES.general.tooLarge],
    [kind === "Mutation", "UNSUPPORTED_MEDIA_TYPE", JSON_ONLY],
    [kind !== "Mutation" && inputSchema !== null, HEADERS_TOO_LARGE, MESSAGES.general.headersTooLarge],
    [true, "TOO_MANY_REQUESTS", MESSAGES.general.tooMany],
    [kind === "Subscription", "TOO_MANY_REQUESTS", MESSAGES.limits.tooManyConnections],
    [kind === "Subscription", "SERVICE_UNAVAILABLE", MESSAGES.general.readTimeout],
    [true, "INTERNAL_SERVER_ERROR", MESSAGES.general.internal],
  ];
  return shared.flatMap(([applies, code, sentence]) => (applies ? [{ code, sentence }] : []));
}

/** Refused before there is a request, with a status for which tRPC has no code of its own. */
const HEADERS_TOO_LARGE = "PAYLOAD_TOO_LARGE (431)";

/** The HTTP status of a code, 400 for one that tRPC does not know. */
export function statusOf(code: string): number {
  if (code === HEADERS_TOO_LARGE) return 431;
  const known = CODES.find((one) => one === code);
  return known ? getHTTPStatusCodeFromError(new TRPCError({ code: known })) : 400;
}

/** How many calls in how long, as text. */
export function limitOf({ access, limit, kind }: Pick<Procedure, "access" | "limit" | "kind">): string | null {
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

/** In the document, of what is no procedure. */
export const HTTP_TAG = "http";

/** What each router is about. */
const ROUTER_TEXTS = new Map([
  [HTTP_TAG, "What is no procedure: plain HTTP, without the envelopes of the calls."],
  ["auth", "Signing up, in and out; one's own password, two-factor sign-in, sessions and API keys."],
  ["users", "The people: the team, one's own profile, and what admins decide about accounts."],
  ["organisation", "The organisation's settings: what is required of admins, time zone, business hours, holidays."],
  ["projects", "Projects, their calendar and their history."],
  ["statusUpdates", "What managers tell the clients of a project: how it stands, and what happened."],
  ["tasks", "Tasks of projects, and what the caller is assigned to."],
  ["labels", "The organisation's labels, for tasks of any project."],
  ["chat", "Conversations of two, their messages, who is online and who types."],
  ["comments", "Comments on projects and their tasks: for the team alone, or for the client too."],
  ["signOffs", "What clients are asked to sign off, and the records of what they signed."],
  ["files", "Files on projects, tasks, comments and messages."],
  ["overview", "Whose turn it is, and what happened since the caller was last here."],
  ["requests", "What clients ask for in projects, and what the firm decides about it."],
  ["github", "Commits of the projects' repositories, and the organisation's token."],
  ["inquiries", "What visitors write with the forms of the public pages."],
  ["notifications", "What the caller is told of, how and when, and what the caller follows."],
  ["audit", "Who did what to whom."],
  ["live", "The events of several topics in one stream."],
  ["search", "Projects, tasks, people and files by what they are called, comments and messages by what they say."],
  ["system", "How the server itself is set up."],
  ["feeds", "Private addresses of the caller's own due dates, for calendar programs."],
  ["webhooks", "Addresses of other programs that are sent what happens, and what became of each delivery."],
  ["vitals", "Page speed as visitors' browsers measure it."],
]);

/** A sentence on a router. Throws for one that has none yet. */
export function describeRouter(name: string): string {
  const text = ROUTER_TEXTS.get(name);
  if (!text) throw new Error(`Say in scripts/reference/reference-text.ts what the router ${name} is about.`);
  return text;
}

/** A procedure's name in words: `auth.createApiKey` is "Auth: create API key". */
export function summaryOf(path: string): string {
  const [router = "", name = ""] = path.split(".");
  const said = name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).replace(/\bapi\b/, "API");
  const words = said.replace(/\bgoogle\b/, "Google");
  return `${router === "github" ? "GitHub" : router.charAt(0).toUpperCase() + router.slice(1)}: ${words}`;
}

/** How every call looks on the wire. */
export const WIRE_FORMAT = [
  "Send `Authorization: Bearer sgm_…` with a key made in Settings. A key acts with its owner's rights, except that it manages no keys, sessions, passwords and profiles (403, reason `api-key-not-allowed`); one of scope `read` is refused by every mutation.",
  'Queries are `GET /api/trpc/<procedure>?input=<URL-encoded JSON>`, mutations `POST /api/trpc/<procedure>` with a JSON body. A query may be sent like a mutation too: for clients generated from this document, which type a body and no JSON in an address, and for inputs that are too long for an address (address and headers have 16 KB at most, else 431). Both carry their input as `{"json": input}`; a procedure without input wants none. An input outside that envelope is refused (400, reason `missing-envelope`), and so is a `POST` of another content type than `application/json` (415, `unsupported-media-type`).',
  "An input is plain JSON. Of superjson's annotations only `Date` and `undefined` are read, each for a value at its own path; all others and `referentialEqualities` are refused (400, `unsupported-input`), as is an input of more than 10,000 values or 32 levels. A client that uses superjson by itself sends copies of a list or an object that it names twice.",
  'An answer is `{"result": {"data": {"json": value}}}`, superjson\'s envelope around plain JSON. Instants are ISO-8601 texts in UTC with milliseconds (`2026-11-20T10:42:00.000Z`), calendar days are `YYYY-MM-DD`, absent values are null; in a patch a missing key stays as it is and null clears.',
  "A refusal has the HTTP status of its code and the body of the schema `Error`, also where no procedure was asked (another site, an unknown address, too large, no JSON): `data.kind` is `domain` (a rule, said in `message`), `validation` (`data.fieldErrors` holds sentences by field) or `internal`; with a `CONFLICT` of versions `data.current` is the row as it is now. `data.reason` says why where programs branch on it. 429, and 503 of a busy server, come with `Retry-After` and `data.retryAfterSeconds`; the sentence says when to try again. Every answer has the header `x-request-id`, which the server's log repeats; a fault of the server names it in `data.requestId` too.",
  'Subscriptions are server-sent events: `GET /api/trpc/<procedure>?input=…` with `Accept: text/event-stream`. Each event\'s `data` is `{"json": value}`; an event with an `id` can be resumed after it by the header `Last-Event-ID`. `event: ping` comes every 15 seconds. A stream that its procedure refuses answers 200 with one `event: serialized-error`, whose `data` is the schema `StreamError`; what is refused before, such as too many streams (429), has its status and the schema `Error`.',
  'The WebSocket is at `/api/trpc` alone and speaks tRPC\'s protocol: `{"id": 1, "method": "subscription", "params": {"path": "chat.onInbox", "input": {"json": …}}}`, and queries and mutations likewise. A browser cannot send headers with it: open `/api/trpc?connectionParams=1` and send `{"method": "connectionParams", "data": {"authorization": "Bearer sgm_…"}}` first.',
  'Every subscription may also send `{"type": "heartbeat"}`, under the last id where its events have ids: at least every 20 seconds something comes, and the server has read by then. Whoever receives nothing for 45 seconds subscribes again, after the last id; the same after `SERVICE_UNAVAILABLE` with `data.reason` `read-timeout`. The typed client does so by itself and passes no heartbeat on.',
  'Up to ten queries, or ten mutations, go in one request: `/api/trpc/a,b?batch=1` with `{"0": {"json": …}, "1": {"json": …}}`; the answer is an array. A request has 256 KB at most.',
];

/** `CONFLICT: one sentence. Another.` */
export function describeRefusals(refusals: DescribedError[]): string {
  const codes = [...new Set(refusals.map(({ code }) => code))];
  return codes
    .map((code) => {
      const sentences = refusals.flatMap((one) => (one.code === code && one.sentence ? [one.sentence] : []));
      return sentences.length > 0 ? `${code}: ${[...new Set(sentences)].join(" ")}` : code;
    })
    .join("; ");
}

/** Docs without their line breaks. */
export function oneLine(docs: string): string {
  return docs.replace(/\s*\n\s*/g, " ");
}
