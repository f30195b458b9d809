import type { ResumeEvent } from "@server/contract/live-cursor";
import type {
  AccountChange,
  ActivityChange,
  AuditChange,
  InboxChange,
  InquiryChange,
  ProjectChange,
} from "@server/contract/views";
import {
  type InvalidateQueryFilters,
  matchQuery,
  type Query,
  type QueryClient,
  useQueryClient,
} from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { onConnectionReturn } from "./connection";
import { liveCursors } from "./live-cursor";
import { trpc } from "./trpc";

/** The streams of live events that a page may follow, and what each delivers. */
interface LiveEvents {
  projects: ProjectChange;
  users: AccountChange;
  inquiries: InquiryChange;
  audit: AuditChange;
  github: ActivityChange;
  inbox: InboxChange;
}

/** What a noun writes to when an event arrives. */
export interface LiveCache {
  utils: ReturnType<typeof trpc.useUtils>;
  queryClient: QueryClient;
}

type Filters = readonly InvalidateQueryFilters[];

/** How a noun keeps its queries up to date. */
interface LiveSync<Event> {
  /** The queries that the stream keeps up to date. All of them are read again when events may have been missed. */
  queries: Filters;
  /** Writes an event to the cache, and returns the queries that it cannot bring up to date. Without it: all of them. */
  receive?: (event: Event, cache: LiveCache) => Filters;
  /** Whether an action under way has changed the query ahead of the server. The action reads it again when it ends. */
  isAhead?: (query: Query, cache: LiveCache) => boolean;
}

/** The pause in which the changes of one burst gather. */
const BURST_MS = 100;

const syncs: { [Topic in keyof LiveEvents]: LiveSync<LiveEvents[Topic]>[] } = {
  projects: [],
  users: [],
  inquiries: [],
  audit: [],
  github: [],
  inbox: [],
};

/** The streams that have started. */
const started = new Set<{ covers: (query: Query) => boolean; nextCatchUp: () => Promise<void> }>();

/** Says how a noun follows a stream. Called once, where the noun's queries are declared. */
export function registerLiveSync<Topic extends keyof LiveEvents>(
  topic: Topic,
  sync: LiveSync<LiveEvents[Topic]>,
): void {
  syncs[topic].push(sync);
}

/**
 * Input and callbacks for a subscription of that topic: events go to every noun that follows it. The input says what the page
 * has read, and the server answers whether that is up to date. Where it is not, and where no cursor is known, everything that
 * the stream keeps up to date is read again.
 */
export function useLiveSync<Topic extends keyof LiveEvents>(topic: Topic) {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  const [stream] = useState(() => createStream(syncs[topic], { utils, queryClient }));
  useEffect(() => stream.stop, [stream]);
  return [stream.input, { onStarted: stream.start, onData: stream.receive, onError: stream.stop }] as const;
}

/** When the connection comes back, reads what no stream keeps up to date; the streams read the rest as they start again. */
export function catchUpOnReturn(queryClient: QueryClient): void {
  onConnectionReturn(() => {
    const streams = [...started];
    return Promise.all([
      queryClient.invalidateQueries({ predicate: (query) => !streams.some(({ covers }) => covers(query)) }),
      ...streams.map(({ nextCatchUp }) => nextCatchUp()),
    ]);
  });
}

function createStream<Event>(nouns: readonly LiveSync<Event>[], cache: LiveCache) {
  const isAhead = (query: Query) => nouns.some((noun) => noun.isAhead?.(query, cache));
  const read = createReader(cache.queryClient, isAhead);
  const all = () => nouns.flatMap(({ queries }) => queries);
  const waiting: (() => void)[] = [];
  function settle(): void {
    for (const resolve of waiting.splice(0)) resolve();
  }
  function readAll(): void {
    void read(all()).then(settle);
  }
  const stream = {
    covers: (query: Query) => all().some((filters) => matchQuery(filters, query)),
    nextCatchUp: () => new Promise<void>((resolve) => void waiting.push(resolve)),
  };
  const lastEventId = liveCursors.oldest(cache.queryClient.getQueryCache().findAll({ predicate: stream.covers }));
  /** A first start is followed by an event that says whether there is anything to read. */
  let isResuming = lastEventId !== undefined;
  return {
    input: lastEventId === undefined ? undefined : { lastEventId },
    start(): void {
      started.add(stream);
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
    stop(): void {
      started.delete(stream);
      settle();
    },
  };
}

/** Whether an event is the answer to the cursor that a subscription began with. */
export function isResume<Event>(event: Event | ResumeEvent): event is ResumeEvent {
  const type = typeof event === "object" && event !== null && "type" in event ? event.type : null;
  return type === "resumed" || type === "resync";
}

/**
 * Refetches outdated queries, once for a burst of changes and never twice at a time: what is outdated meanwhile comes next.
 * Queries that an action under way has changed ahead of the server are left out.
 */
export function createReader(queryClient: QueryClient, isAhead: (query: Query) => boolean = () => false) {
  const outdated: InvalidateQueryFilters[] = [];
  let reading: Promise<void> | null = null;
  async function readAll(pauseMs: number): Promise<void> {
    while (outdated.length > 0) {
      if (pauseMs > 0) await new Promise((resolve) => setTimeout(resolve, pauseMs));
      const all = outdated.splice(0);
      const isOutdated = (query: Query) => all.some((filters) => matchQuery(filters, query));
      for (const query of queryClient.getQueryCache().findAll({ predicate: isOutdated })) {
        if (isAhead(query)) heldBack.add(query);
      }
      const predicate = (query: Query) => isOutdated(query) && !isAhead(query);
      const first = queryClient.getQueryCache().findAll({ predicate }).filter(isReadForTheFirstTime);
      await Promise.all([
        queryClient.invalidateQueries({ predicate }),
        ...first.map(({ promise }) => promise?.catch(() => {})),
      ]);
      if (first.length > 0) await queryClient.invalidateQueries({ predicate: (query) => first.includes(query) });
    }
    reading = null;
  }
  return async (filters: Filters, { pauseMs = 0 }: { pauseMs?: number } = {}) => {
    outdated.push(...filters);
    reading ??= readAll(pauseMs);
    await reading;
  };
}

/** The query cache does not start such a reading again, and what it brings counts as up to date. */
function isReadForTheFirstTime({ state }: Query): boolean {
  return state.data === undefined && state.fetchStatus !== "idle";
}

/**
 * Writes a change to cached queries, and again to the answers that are on their way, which may be from before it; so `apply` may
 * do no harm twice. It returns null where only the server knows what follows. Returns the queries to read again: those, and
 * those that were outdated before.
 */
export function patchQueries<Answer>(
  queryClient: QueryClient,
  filters: InvalidateQueryFilters,
  apply: (known: Answer, query: Query) => Answer | null,
): Filters {
  const outdated = new Set<Query>();
  function patch(query: Query): boolean {
    const known = queryClient.getQueryData<Answer>(query.queryKey);
    const next = known === undefined ? known : apply(known, query);
    if (next && next !== known) queryClient.setQueryData<Answer>(query.queryKey, next);
    return next !== null;
  }
  for (const query of queryClient.getQueryCache().findAll(filters)) {
    const { isInvalidated, fetchStatus } = query.state;
    const again = () => {
      if (!patch(query)) void queryClient.invalidateQueries({ predicate: (one) => one === query });
    };
    if ((isInvalidated && fetchStatus === "idle") || !patch(query)) outdated.add(query);
    else if (fetchStatus !== "idle") query.promise?.then(again, () => {});
  }
  return outdated.size > 0 ? [{ predicate: (query) => outdated.has(query) }] : [];
}

/** Queries that an action has kept from being read. */
const heldBack = new WeakSet<Query>();

/** Cancels queries in flight, whose answers would undo what an action is about to show. */
export function holdReads(queryClient: QueryClient, filters: InvalidateQueryFilters): void {
  for (const query of queryClient.getQueryCache().findAll({ ...filters, fetchStatus: "fetching" })) heldBack.add(query);
  void queryClient.cancelQueries(filters);
}

/** Reads what actions have kept from being read. */
export function resumeReads(queryClient: QueryClient, filters: InvalidateQueryFilters): void {
  const held = queryClient
    .getQueryCache()
    .findAll(filters)
    .filter((query) => heldBack.delete(query));
  if (held.length > 0) void queryClient.invalidateQueries({ predicate: (query) => held.includes(query) });
}
