import type { ErrorReason } from "@server/contract/error-reasons";
import { AUTH_MESSAGES } from "@server/contract/messages/auth";
import type { AppRouter } from "@server/router";
import type { QueryClient } from "@tanstack/react-query";
import { httpBatchLink, type OperationLink, splitLink, TRPCClientError, type TRPCLink } from "@trpc/client";
import { createTRPCQueryUtils, createTRPCReact } from "@trpc/react-query";
import { observable, type Unsubscribable } from "@trpc/server/observable";
import { createRevalidation } from "@/client/revalidating-link";
import { BATCH, transformer } from "@/client/transformer";
import { whenTakenOver } from "./drawing";
import { liveCursors } from "./live-cursor";
import { reasonOf, type SessionEnd, sessionEndOf } from "./user-message";

/** Hooks for every procedure. Called only in `features/*\/use-*.ts`, here in `lib/` and in route loaders. */
export const trpc = createTRPCReact<AppRouter>();

const ENDPOINT = "/api/trpc";
/** The lists of this page: the cache hands out what it is given, and nobody changes that. */
const revalidation = createRevalidation<AppRouter>({ url: ENDPOINT });

/** A connection that went silent tells nobody: then a call fails. The server answers or refuses in half of it; the rest is the network's. */
const DEADLINE_MS = { query: 30_000, mutation: 60_000, subscription: undefined };

/** Between two tries to fetch the code of the socket. */
const RELOAD_MS = 4_000;

/** What calls the server outside of React: the cache, typed by procedure. In the context of every route. */
export type Api = ReturnType<typeof createApi>["api"];

/** What calls the server past the cache. In the context of every route. */
export type Client = ReturnType<typeof createApi>["client"];

/** A fresh proof of who calls, or two-factor sign-in set up, is missing. */
export type IdentityRefusal = Extract<ErrorReason, "reauthentication-required" | "two-factor-setup-required">;

/** What the page knows and wants to know about the session behind its calls. */
interface SessionWatch {
  /** Whether somebody is signed in, as far as the page knows. */
  isExpected(): boolean;
  /** The server says that the session is over. True: the person may sign in again in place, and streams go on then. */
  onEnded(end: SessionEnd): boolean;
  /** The server wants more than a session. True once it has that: the call is then made again. */
  onIdentityRefused(reason: IdentityRefusal): Promise<boolean>;
}

/** The client of this page. */
export function createApi({ queryClient, session }: { queryClient: QueryClient; session: SessionWatch }) {
  queryClient.getQueryCache().subscribe(({ type, query }) => {
    if (type === "removed") liveCursors.forget(query);
  });
  const client = trpc.createClient({
    links: [
      sessionLink(session),
      splitLink({
        condition: ({ type }) => type === "subscription",
        true: lazySocketLink,
        false: [liveCursors.link, revalidation.link, httpBatchLink({ url: ENDPOINT, transformer, ...BATCH })],
      }),
    ],
  });
  return { client, api: createTRPCQueryUtils({ queryClient, client }) };
}

/** What "nobody is signed in" would have been as a refusal. */
const SIGNED_OUT = TRPCClientError.from<AppRouter>({
  error: {
    code: -32_001,
    message: AUTH_MESSAGES.signedOut,
    data: { code: "UNAUTHORIZED", httpStatus: 401, kind: "domain", reason: "session-ended" },
  },
});

/** Counts the sessions of this page: what was asked under an earlier one says nothing about the present one. */
let generation = 0;

interface Stream {
  stop(): void;
  start(): void;
}
const streams = new Set<Stream>();

/** Detects the end of the session, whichever call learns of it first, and repeats calls that want a fresh proof. */
function sessionLink({ isExpected, onEnded, onIdentityRefused }: SessionWatch): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        let running: Unsubscribable | null = null;
        let isOver = false;
        let late: ReturnType<typeof setTimeout> | undefined;

        function stop(): void {
          clearTimeout(late);
          running?.unsubscribe();
        }

        function start(): void {
          const begun = generation;
          const deadlineMs = DEADLINE_MS[op.type];
          if (deadlineMs) {
            late = setTimeout(() => {
              stop();
              observer.error(new TRPCClientError("no answer came in time"));
            }, deadlineMs);
          }
          function fail(error: TRPCClientError<AppRouter>): void {
            clearTimeout(late);
            const reason = reasonOf(error);
            if (reason === "two-factor-setup-required" || reason === "reauthentication-required") {
              const refuse = () => observer.error(error);
              onIdentityRefused(reason).then((isGiven) => (isGiven ? isOver || start() : refuse()), refuse);
              return;
            }
            const end = begun === generation ? sessionEndOf(error) : null;
            const goesOn = end !== null && onEnded(end);
            if (!goesOn || op.type !== "subscription") observer.error(error);
          }
          running = next(op).subscribe({
            next(value) {
              // The one query that answers instead of refusing.
              const isNobody = op.path === "auth.me" && "data" in value.result && value.result.data === null;
              clearTimeout(late);
              if (isNobody && begun === generation && isExpected()) fail(SIGNED_OUT);
              else observer.next(value);
            },
            complete: () => observer.complete(),
            error: fail,
          });
        }

        const stream: Stream = { start, stop };
        if (op.type === "subscription") streams.add(stream);
        start();
        return () => {
          isOver = true;
          streams.delete(stream);
          stop();
        };
      });
}

let socketModule: Promise<typeof import("./socket-link")> | null = null;

function loadSocket() {
  socketModule ??= import("./socket-link").catch((error: unknown) => {
    socketModule = null;
    throw error;
  });
  return socketModule;
}

/** Ends the live connection, if one was ever made: the next one carries the next session's cookie. */
export async function disconnect(): Promise<void> {
  revalidation.forget();
  await closeConnection();
}

async function closeConnection(): Promise<void> {
  generation += 1;
  const module = await socketModule;
  await module?.closeSocket();
}

/** After the same person has signed in again in place: every open stream begins anew, with the cookie of now. */
export async function reconnect(): Promise<void> {
  const open = [...streams];
  for (const stream of open) stream.stop();
  await closeConnection();
  for (const stream of open) if (streams.has(stream)) stream.start();
}

/** Closes the live connection of a page that is left: the browser may then keep it whole, for `reconnect` to go on with. */
export function suspend(): void {
  for (const stream of streams) stream.stop();
  void socketModule?.then(({ closeSocket }) => closeSocket()).catch(() => undefined);
}

/** Fetches the WebSocket code with the first subscription, so that screens without one do without it. */
const lazySocketLink: TRPCLink<AppRouter> = (runtime) => {
  let link: OperationLink<AppRouter> | null = null;
  return ({ op, next }) =>
    observable((observer) => {
      let isOver = false;
      let running: Unsubscribable | null = null;
      let timer: ReturnType<typeof setTimeout> | undefined;
      function start(): void {
        Promise.all([loadSocket(), whenTakenOver()]).then(
          ([{ socketLink }]) => {
            link ??= socketLink(runtime);
            if (!isOver) running = link({ op, next }).subscribe(observer);
          },
          () => {
            if (!isOver) timer = setTimeout(start, RELOAD_MS);
          },
        );
      }
      start();
      return () => {
        isOver = true;
        clearTimeout(timer);
        running?.unsubscribe();
      };
    });
};
