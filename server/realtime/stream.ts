import { setTimeout as sleep } from "node:timers/promises";
import { isTrackedEnvelope, type TrackedEnvelope, tracked } from "@trpc/server";
import DataLoader from "dataloader";
import { type Db, perDatabase } from "../../db/client";
import type { ResumeEvent } from "../contract/live-cursor";
import type { Actor, Context, StreamTimes } from "../core/context";
import { DomainError, toTrpcError } from "../core/errors";
import { describeError } from "../core/logger";
import { withReadTimeout } from "../core/read-timeout";
import type { Subscription, WakeUp } from "./hub";
import type { Notification } from "./notify";

/** A round of the safety timer takes 15 s, so a healthy stream is never silent for more than 19 s. */
export const STREAM_TIMES: StreamTimes = { readTimeoutMs: 10_000, heartbeatAfterMs: 4_000 };

/** What a stream needs of the call that opened it. */
export type StreamCall = Pick<
  Context,
  "db" | "feed" | "requireLive" | "streamTimes" | "deliveryTimes" | "logger" | "timeZone"
> & {
  actor: Actor;
  sessionId: string;
};

/** How a stream is opened. */
export interface Opening {
  ctx: StreamCall;
  signal: AbortSignal | undefined;
  /** The cursor of what the client has read: the stream then begins with a `ResumeEvent`. */
  cursor?: string | null | undefined;
}

/** What a stream follows: joins its topics, then reads its starting point. */
export type Source<Rows, Event> = (subscription: Subscription) => Promise<Stream<Rows, Event>>;

export interface Stream<Rows, Event> {
  /** What to read before the first wait: for streams that begin with existing rows. */
  first?: WakeUp;
  /** Reads what the wake-up is about. */
  read(wakeUp: WakeUp): Promise<Rows>;
  /** The events of these rows for the actor as they are now. */
  emit(rows: Rows, actor: Actor): Iterable<Event>;
  /**
   * When a read left rows behind: after how many milliseconds to read on with the same wake-up. A WebSocket buffers whatever it
   * is given, so this pause bounds the memory that a stalled reader costs.
   */
  readOnAfterMs?(rows: Rows): number | null;
  /**
   * Makes the next read emit a change that the client may not have seen, though what the stream began with shows it already.
   * False when the client has to read everything instead. Without it: for every change that the stream follows.
   */
  replay?(missed: Notification): boolean;
  /** Answers the client's cursor; `missed` is null where notifications may be missing. Without it: with one `ResumeEvent`. */
  resume?(missed: readonly Notification[] | null): (Event | ResumeEvent)[];
  /** The session or the account turned out to be over: the stream ends now. */
  onRefused?(): void;
  /** The id to resume from after everything that was sent: for streams that can be resumed by one. */
  lastEventId?(): string;
}

/**
 * A subscription's events: wait, read, check that session and account are still valid, emit. The check follows the read, so
 * that no row read after a session revocation is emitted. `begin` reads the stream's starting point; wake-ups, those of the
 * actor's own account included, are registered by then, so nothing in between is lost.
 *
 * A read that takes longer than `readTimeoutMs` ends the stream with a retryable error. After a safety read with nothing to emit,
 * or nothing with an id, the stream sends a heartbeat. It ends only with the connection or an error: a stream that returned would tell
 * the client that it is complete.
 */
export async function openStream<Rows, Event>(
  { ctx, signal, cursor }: Opening,
  begin: Source<Rows, Event>,
): Promise<AsyncIterable<Event>> {
  const subscription = openSubscription(ctx, signal);
  const start = async () => {
    const stream = await begin(subscription);
    // After the first read: a change that it shows has been received by then, or is replayed now.
    const missed = cursor ? await ctx.feed.missedSince(cursor) : null;
    const resume = (): (Event | ResumeEvent)[] =>
      stream.resume?.(missed) ?? [resumeEventOf(stream, { subscription, missed })];
    return { stream, resume: cursor ? resume() : [] };
  };
  try {
    const { stream, resume } = await withReadTimeout(start(), ctx.streamTimes.readTimeoutMs);
    return closing(subscription, asEvents(events(stream, { ctx, signal, subscription, resume })));
  } catch (error) {
    subscription.close();
    throw error;
  }
}

/** Whether all changes that a stream may have missed are among the events that follow. */
export function resumeEventOf<Rows, Event>(
  stream: Stream<Rows, Event>,
  { subscription, missed }: { subscription: Subscription; missed: readonly Notification[] | null },
): ResumeEvent {
  const replay = stream.replay ?? ((change: Notification) => !subscription.follows(change));
  const isComplete = missed?.map((change) => replay(change)).every(Boolean);
  return { type: isComplete ? "resumed" : "resync" };
}

function openSubscription({ feed, actor }: StreamCall, signal: AbortSignal | undefined): Subscription {
  const subscription = feed.open(actor.id);
  subscription.join(`account:${actor.id}`);
  signal?.addEventListener("abort", () => subscription.close());
  if (signal?.aborted) subscription.close();
  return subscription;
}

/** A generator that is returned before its first step never runs its `finally`. */
function closing<Event>(subscription: Subscription, source: AsyncGenerator<Event>): AsyncIterable<Event> {
  const iterator: AsyncIterator<Event> = {
    next: () => source.next(),
    return: () => {
      subscription.close();
      return source.return(undefined);
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

interface Heartbeat {
  type: "heartbeat";
}
const HEARTBEAT = Object.freeze<Heartbeat>({ type: "heartbeat" });

type Sent<Event> = Event | ResumeEvent | Heartbeat | TrackedEnvelope<Heartbeat>;

/**
 * No procedure's type mentions what any subscription may send besides its events: heartbeats, which our clients swallow, and the
 * answer to a cursor, for those who pass one.
 */
function asEvents<Event>(source: AsyncGenerator<Sent<Event>>): AsyncGenerator<Event>;
function asEvents(source: AsyncGenerator<unknown>): AsyncGenerator<unknown> {
  return source;
}

async function* events<Rows, Event>(
  stream: Stream<Rows, Event>,
  { ctx, signal, subscription, resume }: Opening & { subscription: Subscription; resume: (Event | ResumeEvent)[] },
): AsyncGenerator<Sent<Event>> {
  const { readTimeoutMs, heartbeatAfterMs } = ctx.streamTimes;
  const readFor = async (wakeUp: WakeUp) => {
    const rows = await stream.read(wakeUp);
    const { sessionId, actor: opener } = ctx;
    const mayWait = wakeUp.resync && wakeUp.subjects.size === 0;
    const actor = await ctx.requireLive({ sessionId, actorId: opener.id, mayWait }).catch((error: unknown) => {
      if (error instanceof DomainError) stream.onRefused?.();
      throw error;
    });
    return { rows, actor };
  };
  const heartbeat = () => (stream.lastEventId ? tracked(stream.lastEventId(), HEARTBEAT) : HEARTBEAT);
  /** For a stream with ids: when the last one was sent. */
  let sentAt = performance.now();
  try {
    yield* resume;
    // An id to resume from, for a client that has none and may lose the connection before the first event.
    if (stream.lastEventId && !stream.first && resume.length === 0) yield heartbeat();
    // The signal closes the subscription, which ends each wait.
    for (let wakeUp = stream.first ?? (await subscription.next(undefined)); wakeUp; ) {
      const { rows, actor } = await withReadTimeout(readFor(wakeUp), readTimeoutMs);
      let arrivedMs = wakeUp.arrivedMs;
      for (const event of stream.emit(rows, actor)) {
        if (arrivedMs !== undefined) noteDelivery(ctx, arrivedMs);
        arrivedMs = undefined;
        yield event;
        if (!stream.lastEventId || isTrackedEnvelope(event)) sentAt = performance.now();
      }
      if (wakeUp.resync && performance.now() - sentAt >= heartbeatAfterMs) {
        yield heartbeat();
        sentAt = performance.now();
      }
      const pauseMs = stream.readOnAfterMs?.(rows) ?? null;
      if (pauseMs === null) wakeUp = await subscription.next(undefined);
      else await sleep(pauseMs);
      if (signal?.aborted) return;
    }
  } catch (error) {
    // Errors of a generator bypass the middlewares: they are mapped and logged here.
    const failure = toTrpcError(error);
    if (failure.code === "INTERNAL_SERVER_ERROR" || failure.code === "SERVICE_UNAVAILABLE")
      ctx.logger.warn("stream", { actorId: ctx.actor.id, code: failure.code, ...describeError(error) });
    throw failure;
  } finally {
    subscription.close();
  }
}

function noteDelivery({ deliveryTimes }: StreamCall, arrivedMs: number): void {
  deliveryTimes.record({ procedure: "", milliseconds: performance.now() - arrivedMs }, "");
}

/**
 * Reads the keys of all who ask in the same tick, or within so many milliseconds, in one call. Nothing is cached: no row is older than the notification that made
 * somebody ask. `read` answers in the order of its keys, which may name one twice. All get the same object: do not change it.
 */
export function batchedRead<Key, Answer>(
  read: (db: Db, keys: readonly Key[]) => Promise<Answer[]>,
  { withinMs = 0 }: { withinMs?: number } = {},
): (db: Db, key: Key) => Promise<Answer> {
  const options = {
    cache: false,
    ...(withinMs > 0 && { batchScheduleFn: (start: () => void) => void setTimeout(start, withinMs) }),
  };
  const loaderOf = perDatabase((db) => new DataLoader<Key, Answer>((keys) => read(db, keys), options));
  return (db, key) => loaderOf(db).load(key);
}

/** The same for questions that are read one by one: those that are equal once, and none waits for another's answer. */
export function sharedRead<Question, Answer>(
  read: (db: Db, question: Question) => Promise<Answer>,
  keyOf: (question: Question) => string,
): (db: Db, question: Question) => Promise<Answer> {
  const begin = batchedRead<Question, Reading<Answer>>(async (db, questions) => {
    const readings = new Map<string, Reading<Answer>>();
    return questions.map((question) => {
      const key = keyOf(question);
      const reading = readings.get(key) ?? { answer: read(db, question) };
      readings.set(key, reading);
      return reading;
    });
  });
  return async (db, question) => (await begin(db, question)).answer;
}

/**
 * Looks for what differs, unless nothing has moved since that last found nothing: as long as the fingerprint of all that it looks
 * at, which is cheaper, stays the same.
 */
export function whenMoved<Differing>(
  fingerprint: () => Promise<string>,
  compare: () => Promise<Differing[]>,
): () => Promise<Differing[]> {
  let same: string | null = null;
  return async () => {
    // Before the comparison: what changes in between is looked for again.
    const present = await fingerprint();
    if (present === same) return [];
    const differing = await compare();
    same = differing.length === 0 ? present : null;
    return differing;
  };
}

/** How fast a stream catches up. With the check of unsent bytes every second, it bounds the memory for a stalled reader. */
const CATCH_UP_BYTES_PER_SECOND = 4 * 1024 * 1024;

/** The pause after a batch of texts: by an upper bound of its JSON, three bytes per unit of UTF-16 and 400 for the other fields. */
export function catchUpPauseMs(rows: readonly { text: string }[]): number {
  return (rows.reduce((sum, { text }) => sum + 3 * text.length + 400, 0) / CATCH_UP_BYTES_PER_SECOND) * 1000;
}

/** A read that has begun: as a promise alone it would hold up all others of its batch. */
interface Reading<Answer> {
  answer: Promise<Answer>;
}
