import { setTimeout as sleep } from "node:timers/promises";
import { type TrackedEnvelope, tracked } from "@trpc/server";
import type { Actor, Context, StreamTimes } from "../core/context";
import { toTrpcError } from "../core/errors";
import { describeError } from "../core/logger";
import { withReadTimeout } from "../core/read-timeout";
import type { Mailbox, Wake } from "./hub";

/** A round of the safety timer takes 15 s: nobody who is well waits longer than 19 s for a sign of life. */
export const STREAM_TIMES: StreamTimes = { readTimeoutMs: 10_000, heartbeatAfterMs: 4_000 };

/** What a stream needs of the call that opened it. */
export type StreamCall = Pick<Context, "db" | "feed" | "requireLive" | "streamTimes" | "logger"> & {
  actor: Actor;
  sessionId: string;
};

interface Opening {
  ctx: StreamCall;
  signal: AbortSignal | undefined;
}

interface Stream<Rows, Told> {
  /** What to read before the first wait: for streams that begin with what is there already. */
  first?: Wake;
  /** Reads what the wake is about. */
  read(wake: Wake): Promise<Rows>;
  /** What to tell of it to who the actor is now. */
  tell(rows: Rows, actor: Actor): Iterable<Told>;
  /**
   * When a read left more behind: after how many milliseconds to read on with the same wake. A WebSocket takes whatever it is
   * given, so that this pause is what bounds the memory of a reader that never reads.
   */
  readOnAfterMs?(rows: Rows): number | null;
  /** Where to go on after everything that was sent: for streams whose events have ids. */
  lastEventId?(): string;
}

/**
 * A subscription's events: wait, read, check that session and account still stand, tell. The check comes after the read, so
 * that no row read after a cut-off is told. `begin` reads what the stream starts from; it is registered for wake-ups by then,
 * the actor's own account among them, so that nothing in between is lost.
 *
 * No read takes longer than `readTimeoutMs`: the stream then ends with an error that is retried. When the safety timer has had
 * everything read and there is nothing to tell, it sends a heartbeat. It ends only with the connection, or with an error: a
 * stream that simply ended would tell the client that all is done.
 */
export async function openStream<Rows, Told>(
  { ctx, signal }: Opening,
  begin: (mailbox: Mailbox) => Promise<Stream<Rows, Told>>,
): Promise<AsyncIterable<Told>> {
  const mailbox = openMailbox(ctx, signal);
  try {
    const stream = await withReadTimeout(begin(mailbox), ctx.streamTimes.readTimeoutMs);
    return closing(mailbox, withoutHeartbeatsInType(events(stream, { ctx, signal, mailbox })));
  } catch (error) {
    mailbox.close();
    throw error;
  }
}

function openMailbox({ feed, actor }: StreamCall, signal: AbortSignal | undefined): Mailbox {
  const mailbox = feed.open();
  mailbox.join(`account:${actor.id}`);
  signal?.addEventListener("abort", () => mailbox.close());
  if (signal?.aborted) mailbox.close();
  return mailbox;
}

/** A generator that is returned before its first step never runs its `finally`. */
function closing<Told>(mailbox: Mailbox, source: AsyncGenerator<Told>): AsyncIterable<Told> {
  const iterator: AsyncIterator<Told> = {
    next: () => source.next(),
    return: () => {
      mailbox.close();
      return source.return(undefined);
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

interface Heartbeat {
  type: "heartbeat";
}
const HEARTBEAT = Object.freeze<Heartbeat>({ type: "heartbeat" });

/** Every subscription may send them and every client of ours swallows them: no procedure's type speaks of them. */
function withoutHeartbeatsInType<Told>(
  source: AsyncGenerator<Told | Heartbeat | TrackedEnvelope<Heartbeat>>,
): AsyncGenerator<Told>;
function withoutHeartbeatsInType(source: AsyncGenerator<unknown>): AsyncGenerator<unknown> {
  return source;
}

async function* events<Rows, Told>(
  stream: Stream<Rows, Told>,
  { ctx, signal, mailbox }: Opening & { mailbox: Mailbox },
): AsyncGenerator<Told | Heartbeat | TrackedEnvelope<Heartbeat>> {
  const { readTimeoutMs, heartbeatAfterMs } = ctx.streamTimes;
  const readFor = async (wake: Wake) => {
    const rows = await stream.read(wake);
    return { rows, actor: await ctx.requireLive({ sessionId: ctx.sessionId, actorId: ctx.actor.id }) };
  };
  let sentAt = performance.now();
  try {
    for (let wake = stream.first ?? (await mailbox.next(signal)); wake; ) {
      const { rows, actor } = await withReadTimeout(readFor(wake), readTimeoutMs);
      for (const event of stream.tell(rows, actor)) {
        yield event;
        sentAt = performance.now();
      }
      if (wake.resync && performance.now() - sentAt >= heartbeatAfterMs) {
        yield stream.lastEventId ? tracked(stream.lastEventId(), HEARTBEAT) : HEARTBEAT;
        sentAt = performance.now();
      }
      const pauseMs = stream.readOnAfterMs?.(rows) ?? null;
      if (pauseMs === null) wake = await mailbox.next(signal);
      else await sleep(pauseMs);
      if (signal?.aborted) return;
    }
  } catch (error) {
    // Errors of a generator pass by the middlewares: what may be told is decided here, and nobody else writes them down.
    const failure = toTrpcError(error);
    if (failure.code === "INTERNAL_SERVER_ERROR" || failure.code === "SERVICE_UNAVAILABLE")
      ctx.logger.warn("stream", { actorId: ctx.actor.id, code: failure.code, ...describeError(error) });
    throw failure;
  } finally {
    mailbox.close();
  }
}
