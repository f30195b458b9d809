import type { ResumeEvent } from "@server/contract/live-cursor";
import type { LiveEvent } from "@server/contract/views";
import { matchQuery, type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { onConnectionReturn } from "./connection";
import { liveCursors } from "./live-cursor";
import { createReader, type Filters } from "./query-updates";
import { trpc } from "./trpc";

/** The topics that a page may follow, and what each delivers. */
type LiveEvents = {
  [Topic in LiveEvent["topic"]]: Exclude<Extract<LiveEvent, { topic: Topic }>["event"], ResumeEvent>;
};

type Sent = { [Name in keyof LiveEvents]: { topic: Name; event: LiveEvents[Name] | ResumeEvent } };

/** What a noun writes to when an event arrives. */
export interface LiveCache {
  utils: ReturnType<typeof trpc.useUtils>;
  queryClient: QueryClient;
}

/** How a noun keeps its queries up to date. */
interface LiveSync<Event> {
  /** The queries that the topic keeps up to date. All of them are read again when events may have been missed. */
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
  presence: [],
};

/** The topics whose events arrive, or will again. */
const started = new Set<{ covers: (query: Query) => boolean; nextCatchUp: () => Promise<void> }>();

/** Says how a noun follows a topic. Called once, where the noun's queries are declared. */
export function registerLiveSync<Topic extends keyof LiveEvents>(
  topic: Topic,
  sync: LiveSync<LiveEvents[Topic]>,
): void {
  syncs[topic].push(sync);
}

/** Follows a topic while the calling page is open: its events go to every noun that follows it. */
export function useLiveSync(topic: keyof LiveEvents, { enabled = true }: { enabled?: boolean } = {}): void {
  const utils = trpc.useUtils();
  const queryClient = useQueryClient();
  useEffect(
    () => (enabled ? liveStreamOf({ utils, queryClient }).follow(topic) : undefined),
    [topic, enabled, utils, queryClient],
  );
}

let liveStream: ReturnType<typeof createLiveStream> | null = null;

/** The one stream of this tab. */
function liveStreamOf(cache: LiveCache) {
  if (!liveStream) {
    liveStream = createLiveStream(cache);
    catchUpOnReturn(cache.queryClient);
  }
  return liveStream;
}

/**
 * One subscription for all topics that are followed. When these change, the next one starts before the present one ends, so that
 * nothing is missed. Its input says what the page has read of the topics that begin, and the server answers for each whether
 * that is up to date. Where it is not, and where no cursor is known, everything that the topic keeps up to date is read again.
 */
function createLiveStream(cache: LiveCache) {
  const topics = {
    projects: createTopic(syncs.projects, cache),
    users: createTopic(syncs.users, cache),
    inquiries: createTopic(syncs.inquiries, cache),
    audit: createTopic(syncs.audit, cache),
    github: createTopic(syncs.github, cache),
    inbox: createTopic(syncs.inbox, cache),
    presence: createTopic(syncs.presence, cache),
  };
  const receivers: { [Name in keyof LiveEvents]: (event: Sent[Name]["event"]) => void } = {
    projects: topics.projects.receive,
    users: topics.users.receive,
    inquiries: topics.inquiries.receive,
    audit: topics.audit.receive,
    github: topics.github.receive,
    inbox: topics.inbox.receive,
    presence: topics.presence.receive,
  };
  /** How many hooks follow each. */
  const followers = new Map<keyof LiveEvents, number>();
  let names: (keyof LiveEvents)[] = [];
  /** Ends the present subscription. */
  let stop = () => {};
  let isChanging = false;

  /** Once for all hooks of one render. */
  function change(): void {
    if (isChanging) return;
    isChanging = true;
    queueMicrotask(() => {
      isChanging = false;
      const wanted = [...followers].flatMap(([name, count]) => (count > 0 ? [name] : [])).sort();
      if (wanted.join() === names.join()) return;
      for (const name of names) if (!wanted.includes(name)) topics[name].stop();
      names = wanted;
      if (wanted.length > 0) open(wanted);
      else stop();
    });
  }

  function open(wanted: (keyof LiveEvents)[]): void {
    const starting = wanted.map((name) => topics[name]).filter((topic) => !topic.isFollowed());
    const predicate = (query: Query) => starting.some(({ covers }) => covers(query));
    const lastEventId = liveCursors.oldest(cache.queryClient.getQueryCache().findAll({ predicate }));
    for (const topic of starting) topic.prepare({ isResuming: lastEventId !== undefined });
    /** Of its topics those that the next stream, if there is one, still has. */
    const present = () => wanted.flatMap((name) => (names.includes(name) ? [topics[name]] : []));
    function interrupt(): void {
      for (const topic of present()) topic.interrupt();
    }
    let hasStarted = false;
    let stopPrevious = stop;
    // Nothing has arrived by the present one yet.
    if (starting.length === wanted.length) stopPrevious();
    const { unsubscribe } = cache.utils.client.live.onEvent.subscribe(
      { topics: wanted, ...(lastEventId !== undefined && { lastEventId }) },
      {
        onStarted() {
          stopPrevious();
          stopPrevious = () => {};
          if (hasStarted) interrupt();
          hasStarted = true;
          for (const topic of present()) topic.start();
        },
        onData: (event) => receive(event),
        onConnectionStateChange: ({ state }) => state === "connecting" && interrupt(),
        onError() {
          for (const topic of present()) topic.stop();
        },
      },
    );
    stop = () => {
      stopPrevious();
      unsubscribe();
    };
  }

  function receive<Name extends keyof LiveEvents>({ topic, event }: Sent[Name]): void {
    receivers[topic](event);
  }

  return {
    /** Returns the function that follows it no longer. */
    follow(name: keyof LiveEvents): () => void {
      const count = (by: number) => {
        followers.set(name, (followers.get(name) ?? 0) + by);
        change();
      };
      count(1);
      return () => count(-1);
    },
  };
}

/** When the connection comes back, reads what no stream keeps up to date; the streams read the rest as they start again. */
function catchUpOnReturn(queryClient: QueryClient): void {
  onConnectionReturn(() => {
    const streams = [...started];
    return Promise.all([
      queryClient.invalidateQueries({ predicate: (query) => !streams.some(({ covers }) => covers(query)) }),
      ...streams.map(({ nextCatchUp }) => nextCatchUp()),
    ]);
  });
}

function createTopic<Event>(nouns: readonly LiveSync<Event>[], cache: LiveCache) {
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
