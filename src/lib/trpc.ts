import type { AppRouter } from "@server/router";
import type { QueryClient } from "@tanstack/react-query";
import { httpBatchLink, type OperationLink, retryLink, splitLink, TRPCClientError, type TRPCLink } from "@trpc/client";
import { createTRPCQueryUtils, createTRPCReact } from "@trpc/react-query";
import { observable, type Unsubscribable } from "@trpc/server/observable";
import superjson from "superjson";
import { isRefusal, type Notice, noticeOf } from "./user-message";

/** Hooks for every procedure. Called only in `features/*\/use-*.ts`, here in `lib/` and in route loaders. */
export const trpc = createTRPCReact<AppRouter>();

/** The server's limit of calls in one request. */
const BATCH_SIZE = 10;
const LONGEST_WAIT_MS = 30_000;

/** What calls the server outside of React: the cache, typed by procedure. In the context of every route. */
export type Api = ReturnType<typeof createApi>["api"];

/**
 * The client of this page. `onRefused` hears when a query or a stream is told that the session is over (a mutation's own
 * screen says so itself, and keeps what was typed).
 */
export function createApi({
  queryClient,
  onRefused,
}: {
  queryClient: QueryClient;
  onRefused: (notice: Notice) => void;
}) {
  const client = trpc.createClient({
    links: [
      refusalLink(onRefused),
      splitLink({
        condition: ({ type }) => type === "subscription",
        true: [
          retryLink({
            retry: ({ error }) => !isRefusal(error),
            retryDelayMs: (attempt) => Math.min(500 * 2 ** attempt, LONGEST_WAIT_MS),
          }),
          lazySocketLink,
        ],
        false: httpBatchLink({ url: "/api/trpc", transformer: superjson, maxItems: BATCH_SIZE }),
      }),
    ],
  });
  return { client, api: createTRPCQueryUtils({ queryClient, client }) };
}

function refusalLink(onRefused: (notice: Notice) => void): TRPCLink<AppRouter> {
  return () =>
    ({ op, next }) =>
      observable((observer) =>
        next(op).subscribe({
          next: (value) => observer.next(value),
          complete: () => observer.complete(),
          error(error) {
            const notice = op.type === "mutation" ? null : noticeOf(error);
            observer.error(error);
            if (notice) onRefused(notice);
          },
        }),
      );
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
export async function hangUp(): Promise<void> {
  const module = await socketModule;
  await module?.closeSocket();
}

/** Fetches the WebSocket code with the first subscription, so that screens without one do without it. */
const lazySocketLink: TRPCLink<AppRouter> = (runtime) => {
  let link: OperationLink<AppRouter> | null = null;
  return ({ op, next }) =>
    observable((observer) => {
      let isOver = false;
      let running: Unsubscribable | null = null;
      loadSocket().then(
        ({ socketLink }) => {
          link ??= socketLink(runtime);
          if (!isOver) running = link({ op, next }).subscribe(observer);
        },
        (error: Error) => observer.error(TRPCClientError.from(error)),
      );
      return () => {
        isOver = true;
        running?.unsubscribe();
      };
    });
};
