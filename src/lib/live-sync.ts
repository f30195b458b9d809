import type { ResumeEvent } from "@server/contract/live-cursor";
import type { LiveEvent } from "@server/contract/views";
import { type Query, type QueryClient, useQueryClient } from "@tanstack/react-query";
import { useEffect } from "react";
import { onConnectionReturn } from "./connection";
import { liveCursors } from "./live-cursor";
import { createTopic, type LiveCache, type LiveSync, started } from "./live-topic";
import { trpc } from "./trpc";

/** The topics that a page may follow, and what each delivers. */
type LiveEvents = {
  [Topic in LiveEvent["topic"]]: Exclude<Extract<LiveEvent, { topic: Topic }>["event"], ResumeEvent>;
};

type Sent = { [Name in keyof LiveEvents]: { topic: Name; event: LiveEvents[Name] | ResumeEvent } };

const syncs: { [Topic in keyof LiveEvents]: LiveSync<LiveEvents[Topic]>[] } = {
  projects: [],
  users: [],
  inquiries: [],
  audit: [],
  github: [],
  inbox: [],
  notifications: [],
  presence: [],
  labels: [],
  requests: [],
  findings: [],
};

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
 * One subscription for all topics that are followed. When these change, the next one starts before the present one ends. Its
 * input says what the page has read of the topics that begin, and what the present one has sent of the others: it may know of
 * changes that it has not sent yet. The server answers for each topic whether that is up to date. Where it is not, and where no
 * cursor is known, everything that the topic keeps up to date is read again.
 */
function createLiveStream(cache: LiveCache) {
  const topics = {
    projects: createTopic(syncs.projects, cache),
    users: createTopic(syncs.users, cache),
    inquiries: createTopic(syncs.inquiries, cache),
    audit: createTopic(syncs.audit, cache),
    github: createTopic(syncs.github, cache),
    inbox: createTopic(syncs.inbox, cache),
    notifications: createTopic(syncs.notifications, cache),
    presence: createTopic(syncs.presence, cache),
    labels: createTopic(syncs.labels, cache),
    requests: createTopic(syncs.requests, cache),
    findings: createTopic(syncs.findings, cache),
  };
  const receivers: { [Name in keyof LiveEvents]: (event: Sent[Name]["event"]) => void } = {
    projects: topics.projects.receive,
    users: topics.users.receive,
    inquiries: topics.inquiries.receive,
    audit: topics.audit.receive,
    github: topics.github.receive,
    inbox: topics.inbox.receive,
    notifications: topics.notifications.receive,
    presence: topics.presence.receive,
    labels: topics.labels.receive,
    requests: topics.requests.receive,
    findings: topics.findings.receive,
  };
  /** How many hooks follow each. */
  const followers = new Map<keyof LiveEvents, number>();
  let names: (keyof LiveEvents)[] = [];
  /** Ends the present subscription. */
  let stop = () => {};
  /** Of the present subscription: it has sent whatever was changed before that cursor. */
  let received: { until: string | null } = { until: null };
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
    const isHandover = starting.length < wanted.length;
    const isRead = (query: Query) => starting.some(({ covers }) => covers(query));
    const read = cache.queryClient.getQueryCache().findAll({ predicate: isRead });
    const lastEventId = liveCursors.oldest(read, isHandover ? [received.until] : []);
    for (const name of wanted) topics[name].prepare({ isResuming: lastEventId !== undefined });
    const own = { until: lastEventId ?? null };
    received = own;
    /** Of its topics those that the next stream, if there is one, still has. */
    const present = () => wanted.flatMap((name) => (names.includes(name) ? [topics[name]] : []));
    function interrupt(): void {
      for (const topic of present()) topic.interrupt();
    }
    let hasStarted = false;
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
