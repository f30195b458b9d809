import { setTimeout as sleep } from "node:timers/promises";
import type { Actor, Context } from "../core/context";
import { toTrpcError } from "../core/errors";
import type { Mailbox, Wake } from "./hub";

/** What a stream needs of the call that opened it. */
export type StreamCall = Pick<Context, "db" | "feed" | "requireLive"> & { actor: Actor; sessionId: string };

interface Stream<Rows, Told> {
  ctx: StreamCall;
  mailbox: Mailbox;
  signal: AbortSignal | undefined;
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
}

/** Registers for wake-ups, the actor's own account among them. To be called before the first read. */
export function openMailbox({ feed, actor }: StreamCall, signal: AbortSignal | undefined): Mailbox {
  const mailbox = feed.open();
  mailbox.join(`account:${actor.id}`);
  signal?.addEventListener("abort", () => mailbox.close());
  if (signal?.aborted) mailbox.close();
  return mailbox;
}

/**
 * A subscription's events: wait, read, check that session and account still stand, tell. The check comes after the read, so
 * that no row read after a cut-off is told. Ends only with the connection, or with an error that is not retried: a stream
 * that simply ended would tell the client that all is done.
 */
export function openStream<Rows, Told>(stream: Stream<Rows, Told>): AsyncIterable<Told> {
  const source = events(stream);
  const iterator: AsyncIterator<Told> = {
    next: () => source.next(),
    // A generator that is returned before its first step never runs its `finally`.
    return: () => {
      stream.mailbox.close();
      return source.return(undefined);
    },
  };
  return { [Symbol.asyncIterator]: () => iterator };
}

async function* events<Rows, Told>(stream: Stream<Rows, Told>): AsyncGenerator<Told> {
  const { ctx, mailbox, signal } = stream;
  try {
    for (let wake = stream.first ?? (await mailbox.next(signal)); wake; ) {
      const rows = await stream.read(wake);
      const actor = await ctx.requireLive({ sessionId: ctx.sessionId, actorId: ctx.actor.id });
      yield* stream.tell(rows, actor);
      const pauseMs = stream.readOnAfterMs?.(rows) ?? null;
      if (pauseMs === null) wake = await mailbox.next(signal);
      else await sleep(pauseMs);
      if (signal?.aborted) return;
    }
  } catch (error) {
    // Errors of a generator pass by the middlewares: what may be told is decided here.
    throw toTrpcError(error);
  } finally {
    mailbox.close();
  }
}
