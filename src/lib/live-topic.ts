import type { ResumeEvent } from "@server/contract/live-cursor";
import { matchQuery, type Query, type QueryClient } from "@tanstack/react-query";
import { createReader, type Filters } from "./query-updates";
import type { trpc } from "./trpc";

/** What a noun writes to when an event arrives. */
export interface LiveCache {
  utils: ReturnType<typeof trpc.useUtils>;
  queryClient: QueryClient;
}

/** How a noun keeps its queries up to date. */
export interface LiveSync<Event> {
  /** The queries that the topic keeps up to date. All of them are read again when events may have been missed. */
  queries: Filters;
  /** Writes an event to the cache, and returns the queries that it cannot bring up to date. Without it: all of them. */
  receive?: (event: Event, cache: LiveCache) => Filters;
  /** Whether an action under way has changed the query ahead of the server. The action reads it again when it ends. */
  isAhead?: (query: Query, cache: LiveCache) => boolean;
}

/** The pause in which the changes of one burst gather. */
const BURST_MS = 100;

/** The topics whose events arrive, or will again. */
export const started = new Set<{ covers: (query: Query) => boolean; nextCatchUp: () => Promise<void> }>();

/** Keeps the queries of its nouns up to date by the events of one topic. */
export function createTopic<Event>(nouns: readonly LiveSync<Event>[], cache: LiveCache) {
  const isAhead = (query: Query) => nouns.some((noun) => noun.isAhead?.(query, cache));
  const read = createReader(cache.queryClient, isAhead);
  const all = () => nouns.flatMap(({ queries }) => queries);
  const waiting: (() => void)[] = [];
  let isFollowed = false;
  /** A first start is followed by an event that says whether there is anything to read. */
  let isResuming = false;
  function settle(): void {
    for (const resolve of waiting.splice(0)) resolve();
  }
  function readAll(): void {
    void read(all()).then(settle);
  }
  const topic = {
    covers: (query: Query) => all().some((filters) => matchQuery(filters, query)),
    nextCatchUp: () => new Promise<void>((resolve) => void waiting.push(resolve)),
    /** Whether events arrive without a gap. */
    isFollowed: () => isFollowed,
    prepare(opening: { isResuming: boolean }): void {
      isResuming = opening.isResuming && all().length > 0;
      if (!opening.isResuming) isFollowed = false;
    },
    start(): void {
      if (isFollowed) return;
      isFollowed = true;
      started.add(topic);
      if (!isResuming) readAll();
    },
    receive(event: Event | ResumeEvent): void {
      if (isResume(event)) {
        if (isResuming && event.type === "resumed") settle();
        else if (isResuming) readAll();
        // From now on each start reads everything: a call that was under way when the connection broke may never be answered.
        isResuming = false;
        return;
      }
      void read(
        nouns.flatMap(({ receive, queries }) => receive?.(event, cache) ?? queries),
        { pauseMs: BURST_MS },
      );
    },
    /** Events may be missing until the next start. */
    interrupt(): void {
      isFollowed = false;
    },
    stop(): void {
      isFollowed = false;
      started.delete(topic);
      settle();
    },
  };
  return topic;
}

/** Whether an event is the answer to the cursor that a subscription began with. */
export function isResume<Event>(event: Event | ResumeEvent): event is ResumeEvent {
  const type = typeof event === "object" && event !== null && "type" in event ? event.type : null;
  return type === "resumed" || type === "resync";
}
