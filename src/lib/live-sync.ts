import { isResume, type ResumeEvent } from "@server/contract/live-cursor";
import type { LiveEvent } from "@server/contract/views";
import { matchQuery, type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { onConnectionReturn } from "./connection";
import { liveCursors } from "./live-cursor";
import { createReader, type Filters } from "./query-updates";
import { trpc } from "./trpc";
import { sessionEndOf } from "./user-message";

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
  /** Events may be missing until the next start, which reads the queries again: for what is kept elsewhere. */
  interrupt?: () => void;
  /** Whether an action under way has changed the query ahead of the server. The action reads it again when it ends. */
  isAhead?: (query: Query, cache: LiveCache) => boolean;
}

/** The topics that a page may follow, and what each delivers. */
type LiveEvents = {
  [Topic in LiveEvent["topic"]]: Exclude<Extract<LiveEvent, { topic: Topic }>["event"], ResumeEvent>;
};

type Sent = { [Name in keyof LiveEvents]: { topic: Name; event: LiveEvents[Name] | ResumeEvent } };

const nouns: { [Topic in keyof LiveEvents]?: LiveSync<LiveEvents[Topic]>[] } = {};

/** Those that follow a topic; also those to come, whose code has not been loaded yet. */
function nounsOf<Topic extends keyof LiveEvents>(topic: Topic): LiveSync<LiveEvents[Topic]>[] {
  nouns[topic] ??= [];
  return nouns[topic];
}

/** Says how a noun follows a topic. Called once, where the noun's queries are declared. */
export function registerLiveSync<Topic extends keyof LiveEvents>(
  topic: Topic,
  sync: LiveSync<LiveEvents[Topic]>,
): void {
  nounsOf(topic).push(sync);
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

/** Until a stream that was refused is asked for once more. */
const REOPEN_MS = 30_000;

let liveStream: ReturnType<typeof createLiveStream> | null = null;

/** The one stream of this tab. */
function liveStreamOf(cache: LiveCache) {
  liveStream ??= createLiveStream(cache);
  return liveStream;
}

/**
 * One subscription for all topics that are followed. When these change, the next one starts before the present one ends. Its
 * input says what the page has read of the topics that begin, and what the present one has sent of the others: it may know of
 * changes that it has not sent yet. The server answers for each topic whether that is up to date. Where it is not, and where no
 * cursor is known, everything that the topic keeps up to date is read again.
 */
export function createLiveStream(cache: LiveCache) {
  const topics: { [Name in keyof LiveEvents]?: LiveTopic<LiveEvents[Name]> } = {};
  function topicOf<Name extends keyof LiveEvents>(name: Name): LiveTopic<LiveEvents[Name]> {
    const known = topics[name];
    if (known) return known;
    const topic = createTopic(nounsOf(name), cache);
    // An assignment by a name that is only known as one of them has no type of its own.
    Object.assign(topics, { [name]: topic });
    return topic;
  }
  /** How many hooks follow each. */
  const followers = new Map<keyof LiveEvents, number>();
  let names: (keyof LiveEvents)[] = [];
  /** Ends the present subscription. */
  let stop = () => {};
  /** Of the present subscription: it has sent whatever was changed before that cursor. */
  let received: { until: string | null } = { until: null };
  let isChanging = false;

  /** Once for all hooks of one render, and in a task of its own: the effects of a first drawing take long enough. */
  function change(): void {
    if (isChanging) return;
    isChanging = true;
    setTimeout(() => {
      isChanging = false;
      const wanted = [...followers].flatMap(([name, count]) => (count > 0 ? [name] : [])).sort();
      if (wanted.join() === names.join()) return;
      for (const name of names) if (!wanted.includes(name)) topicOf(name).stop();
      names = wanted;
      if (wanted.length > 0) open(wanted);
      else stop();
    });
  }

  function open(wanted: (keyof LiveEvents)[]): void {
    const starting = wanted.map(topicOf).filter((topic) => !topic.isFollowed());
    const isHandover = starting.length < wanted.length;
    const isRead = (query: Query) => starting.some(({ covers }) => covers(query));
    const read = cache.queryClient.getQueryCache().findAll({ predicate: isRead });
    const lastEventId = liveCursors.oldest(read, isHandover ? [received.until] : []);
    for (const name of wanted) topicOf(name).prepare({ isResuming: lastEventId !== undefined });
    const own = { until: lastEventId ?? null };
    received = own;
    /** Of its topics those that the next stream, if there is one, still has. */
    const present = () => wanted.flatMap((name) => (names.includes(name) ? [topicOf(name)] : []));
    function interrupt(): void {
      for (const topic of present()) topic.interrupt();
    }
    let hasStarted = false;
    let timer: ReturnType<typeof setTimeout> | undefined;
    let stopPrevious = stop;
    // Nothing has arrived by the present one yet.
    if (!isHandover) stopPrevious();
    const { unsubscribe } = cache.utils.client.live.onEvent.subscribe(
      { topics: wanted, ...(lastEventId !== undefined && { lastEventId }) },
      {
        context: {
          onEventId(id: string) {
            own.until = id;
          },
        },
        onStarted() {
          stopPrevious();
          stopPrevious = () => {};
          if (hasStarted) interrupt();
          hasStarted = true;
          for (const topic of present()) topic.start();
        },
        onData: (event) => receive(event),
        onConnectionStateChange: ({ state }) => state === "connecting" && interrupt(),
        onError(error) {
          for (const topic of present()) topic.stop();
          // What a process of the version before refuses, the next one may not.
          if (received === own && !sessionEndOf(error)) timer = setTimeout(() => open(wanted), REOPEN_MS);
        },
      },
    );
    stop = () => {
      clearTimeout(timer);
      stopPrevious();
      unsubscribe();
    };
  }

  function receive<Name extends keyof LiveEvents>({ topic, event }: Sent[Name]): void {
    topicOf(topic).receive(event);
  }

  catchUpOnReturn(cache.queryClient);
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

/** The pause in which the changes of one burst gather. */
const BURST_MS = 100;

/** The topics whose events arrive, or will again. */
const started = new Set<{ covers: (query: Query) => boolean; whenCaughtUp: () => Promise<void> }>();

type LiveTopic<Event> = ReturnType<typeof createTopic<Event>>;

/** Keeps the queries of its nouns up to date by the events of one topic. */
function createTopic<Event>(nouns: readonly LiveSync<Event>[], cache: LiveCache) {
  const isAhead = (query: Query) => nouns.some((noun) => noun.isAhead?.(query, cache));
  const read = createReader(cache.queryClient, isAhead);
  const all = () => nouns.flatMap(({ queries }) => queries);
  const waiting: (() => void)[] = [];
  let isFollowed = false;
  /** A first start is followed by an event that says whether there is anything to read. */
  let isResuming = false;
  /** How often events may have been missed so far, and after how many of these times everything has been read. */
  let gaps = 0;
  let settledGaps = -1;
  function expectGap(): void {
    isFollowed = false;
    gaps += 1;
  }
  function settle(): void {
    settledGaps = gaps;
    for (const resolve of waiting.splice(0)) resolve();
  }
  function readAll(): void {
    const before = gaps;
    void read(all()).then(() => before === gaps && settle());
  }
  const topic = {
    covers: (query: Query) => all().some((filters) => matchQuery(filters, query)),
    whenCaughtUp: async () => {
      if (settledGaps !== gaps) await new Promise<void>((resolve) => void waiting.push(resolve));
    },
    /** Whether events arrive without a gap. */
    isFollowed: () => isFollowed,
    prepare(opening: { isResuming: boolean }): void {
      isResuming = opening.isResuming && all().length > 0;
      if (!opening.isResuming) expectGap();
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
      expectGap();
      for (const noun of nouns) noun.interrupt?.();
    },
    stop(): void {
      started.delete(topic);
      settle();
      topic.interrupt();
    },
  };
  return topic;
}

/** When the connection comes back, reads what no stream keeps up to date; the streams read the rest as they start again. */
function catchUpOnReturn(queryClient: QueryClient): void {
  onConnectionReturn(() => {
    const streams = [...started];
    return Promise.all([
      queryClient.invalidateQueries({ predicate: (query) => !streams.some(({ covers }) => covers(query)) }),
      ...streams.map(({ whenCaughtUp }) => whenCaughtUp()),
    ]);
  });
}
