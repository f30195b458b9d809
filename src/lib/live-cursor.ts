import { formatLiveCursor, LIVE_CURSOR_HEADER, parseLiveCursor } from "@server/contract/live-cursor";
import type { AppRouter } from "@server/router";
import { hashKey, type Query, type QueryKey } from "@tanstack/react-query";
import type { Operation, TRPCLink } from "@trpc/client";
import { observable } from "@trpc/server/observable";
import { isRecord } from "@/client/is-record";

/** Knows how old the answers are that a page has read, by the cursors that they carry. */
export interface LiveCursors {
  /** Notes the cursors of calls. Above the link that sends them. */
  link: TRPCLink<AppRouter>;
  /** Notes the cursor of an answer that came without a call. */
  note(answer: { path: string; input?: unknown; cursor: string }): void;
  /**
   * A cursor from before everything that is cached or awaited of these queries, and from before these cursors, null for one that
   * is not known. Undefined when none is known. A query without a call of its own was put into the cache from the answer to
   * another one.
   */
  oldest(queries: readonly Query[], others?: readonly (string | null)[]): string | undefined;
  /** Called when the cache drops a query. */
  forget(query: Query): void;
}

/** The cursors of one page. */
export function createLiveCursors(): LiveCursors {
  /** Of the last answer to any call: whatever is asked from now on is read later. */
  let latest: string | null = null;
  /** By query; null when it was asked before any cursor was known. */
  const cursors = new Map<string, string | null>();

  function noteCall({ type, path, input }: Operation): void {
    const key = keyOf(path, input);
    // The earlier answer stays on screen when this call fails.
    if (type === "query" && !cursors.has(key)) cursors.set(key, latest);
  }

  function noteAnswer({ type, path, input }: Operation, response: unknown): void {
    const cursor = response instanceof Response ? response.headers.get(LIVE_CURSOR_HEADER) : null;
    if (cursor === null) return;
    latest = cursor;
    // Of a list that is read page by page the first page is the oldest.
    if (type === "query" && paged(input).cursor === undefined) note({ path, input, cursor });
  }

  function note({ path, input, cursor }: { path: string; input?: unknown; cursor: string }): void {
    latest ??= cursor;
    cursors.set(keyOf(path, input), cursor);
  }

  return {
    link:
      () =>
      ({ op, next }) =>
        observable((observer) => {
          noteCall(op);
          return next(op).subscribe({
            ...observer,
            next(value) {
              noteAnswer(op, value.context?.response);
              observer.next(value);
            },
          });
        }),
    note,
    oldest(queries, others = []) {
      const known = queries.map(({ queryKey }) => cursors.get(keyOfQuery(queryKey)));
      const oldest = [latest, ...others, ...known.filter((cursor) => cursor !== undefined)]
        .map((cursor) => cursor && parseLiveCursor(cursor))
        .reduce((one, other) => {
          // The clocks of two processes cannot be compared.
          if (!one || !other || one.processId !== other.processId) return null;
          return one.atMs < other.atMs ? one : other;
        });
      return oldest ? formatLiveCursor(oldest) : undefined;
    },
    forget: ({ queryKey }) => void cursors.delete(keyOfQuery(queryKey)),
  };
}

/** The cursors of this page. */
export const liveCursors = createLiveCursors();

function keyOfQuery([path, asked]: QueryKey): string {
  return keyOf(Array.isArray(path) ? path.join(".") : "", isRecord(asked) ? asked.input : undefined);
}

/** The same for all pages of a list. */
function keyOf(path: string, input: unknown): string {
  return hashKey([path, paged(input).rest]);
}

function paged(input: unknown) {
  const { cursor, direction: _, ...rest } = isRecord(input) ? input : {};
  return { cursor, rest };
}
