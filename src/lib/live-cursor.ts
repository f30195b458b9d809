import { formatLiveCursor, LIVE_CURSOR_HEADER, parseLiveCursor } from "@server/contract/live-cursor";
import { hashKey, type Query, type QueryKey } from "@tanstack/react-query";

interface Call {
  type: string;
  path: string;
  input: unknown;
}

/** Of the last answer to any call: whatever is asked from now on is read later. */
let latest: string | null = null;
/** By query, a cursor from before its answer was read; null when it was asked before any cursor was known. */
const cursors = new Map<string, string | null>();

/** Called before a call is sent. */
export function noteCall({ type, path, input }: Call): void {
  const key = keyOf(path, input);
  // The earlier answer stays on screen when this call fails.
  if (type === "query" && !cursors.has(key)) cursors.set(key, latest);
}

/** Called with the context of the call's answer, before anyone sees the answer. */
export function noteAnswer({ type, path, input }: Call, context: Record<string, unknown> | undefined): void {
  const cursor = context?.response instanceof Response ? context.response.headers.get(LIVE_CURSOR_HEADER) : null;
  if (cursor === null) return;
  latest = cursor;
  // Of a list that is read page by page the first page is the oldest.
  if (type === "query" && paged(input).cursor === undefined) cursors.set(keyOf(path, input), cursor);
}

/**
 * A cursor from before everything that is cached or awaited of these queries. Undefined when there is none. What has no answer
 * of its own was put into the cache from an answer to another query.
 */
export function oldestCursor(queries: readonly Query[]): string | undefined {
  const known = queries
    .map(({ queryKey }) => cursors.get(keyOfQuery(queryKey)))
    .filter((cursor) => cursor !== undefined);
  const oldest = [latest, ...known]
    .map((cursor) => cursor && parseLiveCursor(cursor))
    .reduce((one, other) => {
      // Clocks of two processes cannot be compared.
      if (!one || !other || one.processId !== other.processId) return null;
      return one.atMs < other.atMs ? one : other;
    });
  return oldest ? formatLiveCursor(oldest) : undefined;
}

/** Called when the cache drops a query. */
export function forgetQuery({ queryKey }: Query): void {
  cursors.delete(keyOfQuery(queryKey));
}

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

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null;
}
