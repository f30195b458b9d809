import type { Actor, Context } from "../core/context";
import { toTrpcError } from "../core/errors";
import type { Mailbox, Wake } from "./hub";

/** What a stream needs of the call that opened it. */
export type StreamCall = Pick<Context, "db" | "feed" | "requireLive"> & { actor: Actor; sessionId: string };

interface Stream<Rows, Told> {
  ctx: StreamCall;
  mailbox: Mailbox;
  signal: AbortSignal | undefined;
  /** Reads what the wake is about. */
  read(wake: Wake): Promise<Rows>;
  /** What to tell of it to who the actor is now. */
  tell(rows: Rows, actor: Actor): Iterable<Told>;
}

/** Registers for wake-ups, the actor's own account among them. To be called before the first read. */
export function openMailbox({ feed, actor }: StreamCall, signal: AbortSignal | undefined): Mailbox {
  const mailbox = feed.open();
  mailbox.join(`account:${actor.id}`);
  signal?.addEventListener("abort", () => mailbox.close());
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

async function* events<Rows, Told>({ ctx, mailbox, signal, read, tell }: Stream<Rows, Told>): AsyncGenerator<Told> {
  try {
    for (let wake = await mailbox.next(signal); wake; wake = await mailbox.next(signal)) {
      const rows = await read(wake);
      const actor = await ctx.requireLive({ sessionId: ctx.sessionId, actorId: ctx.actor.id });
      yield* tell(rows, actor);
    }
  } catch (error) {
    // Errors of a generator pass by the middlewares: what may be told is decided here.
    throw toTrpcError(error);
  } finally {
    mailbox.close();
  }
}
